import TrunkModel

/// The result of recovering a damaged file. The new file keeps it until a user has seen it, because the program that
/// recovered the file may have no one to tell, such as a sync in the background.
public struct Recovery: Sendable, Equatable {
  /// The new path of the damaged file. It is never deleted.
  public let damagedFile: String
  /// The number of events read from the damaged file.
  public let fromFile: Int
  /// The number of events that only the newest backup had.
  public let fromBackup: Int
  /// The number of places in the damaged file with an event, superseded version, draft or earlier page that can't be
  /// read. Some may be in the backup.
  public let unreadable: Int
  /// The number of drafts read from the damaged file.
  public let drafts: Int
  /// The maximum number of acknowledged events at the end of the log that are in neither the file nor the backup. The
  /// server may have them.
  public let missing: Int
  /// What became of another garden's file that had replaced this one; `nil` if this one was damaged. The number of
  /// missing events can't be told then: it is 1 if there may be some.
  public let replacement: Replacement?

  /// What became of another garden's file.
  public enum Replacement: Sendable, Equatable {
    /// Its events are in this garden now. The file is kept as `damagedFile`.
    case taken
    /// It lies beside this garden's file, under this path, and can be merged.
    case setAside(String)
  }
}

extension Salvage {
  /// What the readings of a damaged file found together.
  struct Found {
    private(set) var seqs: Set<Int64> = []
    private(set) var unreadable = 0
    private(set) var drafts = 0
    private(set) var pages = 0
    /// The largest `seq` that any of them states.
    var sequence: Int64 = 0
    /// The most events that a reading found. What it couldn't read counts: another one may look in wrong places.
    private var most = -1

    mutating func add(_ found: [Int64], unreadable: Int, drafts: Int, pages: Int) {
      if (found.count, -unreadable) > (most, -self.unreadable) { (most, self.unreadable) = (found.count, unreadable) }
      seqs.formUnion(found)
      self.drafts += drafts
      self.pages += pages
    }
  }

  /// What a recovery finds.
  struct Counts {
    var file = 0
    var backup = 0
    var unreadable = 0
    var drafts = 0
    /// Earlier pages in the file and in the backup.
    var pages = 0
    /// How many `seq` up to the last one that SQLite finds by itself have no event in the file.
    var absent = 0
    /// How many `seq` after that one, up to the high-water mark, have no event in the file.
    var missing = 0

    /// - Parameter reached: the last `seq` that SQLite finds by itself.
    init(_ found: Found, after reached: Int64, mark: Int64) {
      let afterReached = found.seqs.count { $0 > reached }
      (file, unreadable, drafts, pages) = (found.seqs.count, found.unreadable, found.drafts, found.pages)
      missing = Int(max(0, mark - reached)) - afterReached
      absent = Int(reached) - (found.seqs.count - afterReached)
    }

    func recovery(_ damagedFile: String, _ replacement: Recovery.Replacement?) -> Recovery {
      // A backup doesn't tell the `seq` of its events: as many as possible replace those before the end of the log.
      Recovery(
        damagedFile: damagedFile, fromFile: file, fromBackup: backup, unreadable: unreadable, drafts: drafts,
        missing: replacement != nil ? missing : max(0, missing - max(0, backup - absent)), replacement: replacement)
    }
  }
}

extension Recovery {
  fileprivate init?(_ json: JSON) {
    func number(_ name: String) -> Int? { json[name]?.double.flatMap { Int(exactly: $0) } }
    guard let damagedFile = json["damagedFile"]?.text, let fromFile = number("fromFile"),
      let fromBackup = number("fromBackup"), let unreadable = number("unreadable"), let drafts = number("drafts"),
      let missing = number("missing")
    else { return nil }
    self.init(
      damagedFile: damagedFile, fromFile: fromFile, fromBackup: fromBackup, unreadable: unreadable, drafts: drafts,
      missing: missing, replacement: json["replacement"]?.text.map { $0.isEmpty ? .taken : .setAside($0) })
  }

  fileprivate var json: JSON {
    let members: [JSON.Member?] = [
      .init("damagedFile", .string(damagedFile)), .init("fromFile", .number(fromFile)),
      .init("fromBackup", .number(fromBackup)), .init("unreadable", .number(unreadable)),
      .init("drafts", .number(drafts)), .init("missing", .number(missing)),
      replacement.map { .init("replacement", .string($0.path)) },
    ]
    return .object(members.compactMap(\.self))
  }
}

extension Recovery.Replacement {
  /// Empty if the events were taken.
  fileprivate var path: String { if case .setAside(let path) = self { path } else { "" } }
}

extension MetaTable {
  func recoveries() throws -> [Recovery] { MetaTable.recoveries(try value(.recoveries)) }

  func add(_ recovery: Recovery) throws {
    try set(MetaTable.text(recoveries() + [recovery]), for: .recoveries)
  }

  /// Skips what only further damage could have made unreadable: the damaged files themselves are kept.
  fileprivate static func recoveries(_ text: String?) -> [Recovery] {
    guard let text, let elements = (try? JSON(text))?.elements else { return [] }
    return elements.compactMap(Recovery.init)
  }

  fileprivate static func text(_ recoveries: [Recovery]) -> String? {
    recoveries.isEmpty ? nil : JSON.array(recoveries.map(\.json)).compactText
  }
}

extension EventStore {
  /// Forgets recoveries that a user has seen.
  public func markSeen(_ seen: [Recovery]) throws(StoreError) {
    try change(.recoveries) { text in
      MetaTable.text(MetaTable.recoveries(text).filter { !seen.contains($0) })
    }
  }
}
