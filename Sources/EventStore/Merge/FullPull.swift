import TrunkModel

/// A running full download.
public struct FullPull: Sendable {
  /// The number of the download. Starting another one makes this one invalid.
  let number: Int64
  /// The last `seq` and the unsent events at the start. The server's rows may lack these unsent events and all later
  /// events.
  let lastSeq: Int64
  let unsent: Set<Int64>
  /// The `seq`s of the events that equal their rows. Such rows are not staged.
  var unchanged: Set<Int64> = []
}

/// What replacing all confirmed events would change.
public struct FullPullPreview: Sendable, Equatable {
  /// The number of confirmed local events that the rows should hold.
  public let local: Int
  /// The number of rows on the server.
  public let server: Int
  /// The number of confirmed events that no row holds.
  public let missing: Int
  /// The number of confirmed events that a row holds with another text.
  public let replaced: Int

  init(local: Int, server: Int, missing: Int, replaced: Int = 0) {
    (self.local, self.server, self.missing, self.replaced) = (local, server, missing, replaced)
  }
}

/// Why a download is not applied.
public enum FullPullFailure: Error, Sendable, Equatable {
  /// Another full download was started, or the garden was cleared.
  case otherDownload
  /// An event was removed after its row was skipped as unchanged. Download again to get it back.
  case outdated
  case store(StoreError)
}

extension EventStore {
  /// The format in which server rows are stored.
  public static let serverRowsFormat = "1"

  /// Marks the rows as unverified after the server has moved. The next full download clears it.
  static let movedServer = "moved"

  /// Whether a confirmed event was never compared with its row.
  public func hasUnreadRows() throws(StoreError) -> Bool { try read { try KnownRows(database: $0).hasUnread() } }

  /// Whether the log knows all of these rows, each with an event that has this `client_id`.
  public func knowsRows(_ rows: [(id: String, clientID: String?)]) throws(StoreError) -> Bool {
    try read { database in
      let known = KnownRows(database: database)
      return try rows.allSatisfy { try known.knows($0.id, clientID: $0.clientID) }
    }
  }

  /// Whether the log's server rows were stored in the current format.
  public func hasValidServerRows() throws(StoreError) -> Bool {
    try value(.serverRowsFormat) == EventStore.serverRowsFormat
  }

  /// Whether the server has moved since the last full download. It may be an older copy, so events that it lacks must
  /// not be removed.
  public func hasServerMoved() throws(StoreError) -> Bool {
    try value(.serverRowsFormat) == EventStore.movedServer
  }

  /// Begins the initial sync. Without rows from the server there is nothing to replace: rows are merged as they arrive,
  /// and an interrupted download continues where it stopped.
  /// - Parameter clears: as for `merge`.
  /// - Returns: false if the log already has rows of the server, which only `replace` may remove.
  public func beginInitialPull(unlessClearedSince clears: Int64? = nil) throws(StoreError) -> Bool {
    try write { database in
      let meta = MetaTable(database: database)
      try meta.check(clears: clears)
      guard try KnownRows(database: database).confirmedCount() == 0 else { return false }
      try meta.set(nil)
      try meta.set(nil, for: .settled)
      // Nothing here came from the server, so it can't have lost anything. An unreadable record is replaced, too.
      try meta.set(nil, for: .remoteLoss)
      try meta.set(EventStore.serverRowsFormat, for: .serverRowsFormat)
      return true
    }
  }

  /// Begins a full download: rows that differ from the log are staged, and the log doesn't change until `replace`.
  /// - Parameter clears: as for `merge`.
  public func beginFullPull(unlessClearedSince clears: Int64? = nil) throws(StoreError) -> FullPull {
    try write(durably: false) { database in
      try MetaTable(database: database).check(clears: clears)
      try StagedRows(database: database).removeAll()
      return FullPull(
        number: try MetaTable(database: database).nextFullPullNumber(),
        lastSeq: try EventLog(database: database).lastSeq(),
        unsent: Set(try database.all("SELECT seq FROM events WHERE upload <> 1") { $0.integer(0) }))
    }
  }

  /// Stages the rows of one page that differ from the log. Usually none do, and nothing is written.
  public func stage(_ rows: [ServerRow], _ pull: inout FullPull) throws(FullPullFailure) {
    let holders = try readStaged(pull) { staged in try rows.map { try staged.unchangedEvent(in: $0) } }
    pull.unchanged.formUnion(holders.lazy.compactMap(\.self))
    let others = zip(rows, holders).filter { $1 == nil }
    if others.isEmpty { return }
    try writeStaged(pull, durably: false) { staged in try others.forEach { try staged.add($0.0) } }
  }

  /// Returns what `replace` would change.
  public func preview(_ pull: FullPull) throws(FullPullFailure) -> FullPullPreview {
    try readStaged(pull) { staged in
      guard let plan = try staged.plan(pull) else { return nil }
      return FullPullPreview(
        local: plan.candidates, server: pull.unchanged.count + (try staged.count()), missing: plan.missing.count,
        replaced: plan.replaced)
    }
  }

  /// Replaces all confirmed events with the rows. Unsent and rejected events stay.
  /// - Parameters:
  ///   - cursor: the position of the last row; `nil` if there is none.
  ///   - keepsMissing: whether events that the server lacks are sent to it again instead of being removed.
  public func replace(
    _ pull: FullPull, cursor: Cursor?, keepsMissing: Bool = false
  ) throws(FullPullFailure) -> MergeResult {
    try writeStaged(pull, durably: true) { staged in
      guard let plan = try staged.plan(pull) else { return nil }
      let (log, meta) = (EventLog(database: staged.database), MetaTable(database: staged.database))
      let generation = try log.generation()
      var result = MergeResult()
      try staged.prepare(plan, keepsMissing: keepsMissing)
      result.new = try staged.insert()
      if !keepsMissing { result.removed = plan.missing.count }
      result.replaced = plan.replaced
      try meta.set(cursor)
      try meta.set(nil, for: .settled)
      try meta.set(cursor?.createdAt, for: .latestConfirmed)
      try meta.set(EventStore.serverRowsFormat, for: .serverRowsFormat)
      try meta.set(nil, for: .remoteLoss)
      try staged.removeAll()
      result.isRewritten = try log.generation() != generation
      return result
    }
  }

  /// Discards the staged rows. The log is unchanged.
  public func abandon(_ pull: FullPull) throws(FullPullFailure) {
    try writeStaged(pull, durably: false) { try $0.removeAll() }
  }

  /// - Parameter body: returns `nil` if the download is outdated.
  private func readStaged<Value>(
    _ pull: FullPull, _ body: (StagedRows) throws -> Value?
  ) throws(FullPullFailure) -> Value {
    try flattenErrors { () throws(StoreError) in try read { try StagedRows(database: $0).ifCurrent(pull, body) } }
  }

  /// - Parameter body: returns `nil`, and has changed nothing, if the download is outdated.
  private func writeStaged<Value>(
    _ pull: FullPull, durably: Bool, _ body: (StagedRows) throws -> Value?
  ) throws(FullPullFailure) -> Value {
    try flattenErrors { () throws(StoreError) in
      try write(durably: durably) { try StagedRows(database: $0).ifCurrent(pull, body) }
    }
  }

  private func flattenErrors<Value>(
    _ body: () throws(StoreError) -> Result<Value, FullPullFailure>
  ) throws(FullPullFailure) -> Value {
    let result: Result<Value, FullPullFailure>
    do throws(StoreError) { result = try body() } catch { throw .store(error) }
    return try result.get()
  }
}
