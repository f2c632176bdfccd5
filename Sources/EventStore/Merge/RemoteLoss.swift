import TrunkModel

/// A remote loss: the server lacks many entries that it had confirmed, after an accident or a deliberate deletion.
///
/// It is recorded in the account's log when a download finds it, so that every program knows, and stays until the user
/// decides or the rows are back. Until then nothing is removed on this computer, and new entries are still sent.
public struct RemoteLoss: Sendable, Equatable {
  /// The user's decision.
  public enum Decision: Sendable {
    /// Remove here what the server lacks.
    case followServer
    /// Send the server what it lacks.
    case uploadAgain
  }

  /// The number of confirmed entries on this computer when the loss was found.
  public let local: Int
  /// The number of rows on the server when the loss was found.
  public let server: Int
  /// The number of confirmed entries that the server lacks.
  public let missing: Int
  /// When the loss was found, by this computer's clock.
  public let found: Instant
  /// The number of rows that this computer knew, minus the number that the server counted. While it is unchanged, the
  /// loss is the same one.
  public let difference: Int

  public init(local: Int, server: Int, missing: Int, found: Instant, difference: Int) {
    (self.local, self.server, self.missing) = (local, server, missing)
    (self.found, self.difference) = (found, difference)
  }
}

extension RemoteLoss {
  /// Parses a stored record.
  /// - Parameter text: a record as the property `text` returns it.
  /// - Throws: `unreadableLoss` for any other text. Only a missing record means that nothing was lost.
  init(text: String) throws(StoreError) {
    let json: JSON
    do throws(JSONError) { json = try JSON(text) } catch { throw .unreadableLoss }
    func number(_ name: String) -> Int? { json[name]?.double.flatMap { Int(exactly: $0) } }
    guard let found = json["found"]?.text.flatMap({ Instant($0) }), let local = number("local"),
      let server = number("server"), let missing = number("missing"), let difference = number("difference")
    else { throw .unreadableLoss }
    self.init(local: local, server: server, missing: missing, found: found, difference: difference)
  }

  var text: String {
    JSON.object([
      .init("local", .number(local)), .init("server", .number(server)), .init("missing", .number(missing)),
      .init("found", .string(found.description)), .init("difference", .number(difference)),
    ]).compactText
  }
}

extension EventStore {
  /// The loss that the user hasn't decided about; `nil` if there is none.
  /// - Throws: `unreadableLoss` if there is a record that can't be understood.
  public func remoteLoss() throws(StoreError) -> RemoteLoss? { try read { try MetaTable(database: $0).remoteLoss() } }

  /// Records a loss; `nil` removes the record.
  /// - Parameter clears: `clearCount()` from before the rows were requested; `nil` skips the check.
  /// - Throws: `cleared` if the garden was cleared since.
  public func set(_ loss: RemoteLoss?, unlessClearedSince clears: Int64?) throws(StoreError) {
    if try value(.remoteLoss) == loss?.text { return }
    try write { database in
      let meta = MetaTable(database: database)
      try meta.check(clears: clears)
      try meta.set(loss?.text, for: .remoteLoss)
    }
  }
}

extension EventStore {
  /// Records that a sync has just compared this garden with the server. The precision is a minute, because the time is
  /// only shown.
  public func recordCheck(at now: Instant) throws(StoreError) {
    // An unreadable time is replaced.
    let last = try value(.lastCheck).flatMap { Instant($0) }
    if let last, abs(now.seconds(since: last)) < 60 { return }
    try write(durably: false) { try MetaTable(database: $0).set(now.description, for: .lastCheck) }
  }
}

extension MetaTable {
  func remoteLoss() throws -> RemoteLoss? { try value(.remoteLoss).map { try RemoteLoss(text: $0) } }
}
