import SQLiteKit

/// The result of merging server rows.
public struct MergeResult: Sendable, Equatable {
  /// The number of events that the log did not have.
  public var new = 0
  /// Whether an event was removed from the log or replaced. Existing projections may contain it.
  public var isRewritten = false
  /// The number of confirmed events that were removed because no row of the server holds them. They are kept as
  /// superseded.
  public var removed = 0
  /// The number of confirmed events whose text was replaced by the server's. The earlier texts are kept as superseded.
  public var replaced = 0
}

extension EventStore {
  /// The number of rows above which a large download is running and the search index is updated later.
  private static let manyRows = 1000
  /// The most events that rows may replace by others in one merge. A full download asks the user before it removes
  /// more.
  private static let replaceableEvents = 20

  /// Merges server rows and moves the cursor in the same transaction.
  ///
  /// Events that the log already has are marked as confirmed, so that they aren't sent. If a known row now holds
  /// another event, that event replaces the old one. Many such rows, and all while a remote loss is undecided, are left
  /// to a full download. If all rows are known, nothing is written.
  /// - Parameters:
  ///   - cursor: the new cursor; `nil` leaves it unchanged.
  ///   - clears: `clearCount()` from before the rows were requested; `nil` skips the check.
  /// - Throws: `cleared` if the garden was cleared since. The rows are not stored.
  public func merge(
    _ rows: [ServerRow], cursor: Cursor? = nil, unlessClearedSince clears: Int64? = nil
  ) throws(StoreError) -> MergeResult {
    let isKnown = try read { database in
      if let cursor, try MetaTable(database: database).cursor() != cursor { return false }
      let known = KnownRows(database: database)
      return try rows.allSatisfy { try known.knows($0) }
    }
    if isKnown { return MergeResult() }
    // Row IDs are random, so each row changes an arbitrary page of their index. Cache them all.
    return try database.withCache(kilobytes: min(32_000, 2000 + 3 * rows.count)) { () throws(StoreError) in
      try write { database in
        let (log, meta) = (EventLog(database: database), MetaTable(database: database))
        try meta.check(clears: clears)
        let generation = try log.generation()
        var result = MergeResult()
        log.postponesSearch = rows.count > EventStore.manyRows
        result.new = try EventStore.insert(rows, into: log, meta)
        if let seq = log.firstPostponed { try SearchIndex(database: database).postpone(from: seq) }
        try meta.record(latest: rows.lazy.map(\.createdAt).max())
        if let cursor { try meta.set(cursor) }
        result.isRewritten = try log.generation() != generation
        return result
      }
    }
  }

  /// Inserts the events of rows, and removes those whose row now holds another event.
  /// - Returns: the number of events that the log did not have.
  private static func insert(_ rows: [ServerRow], into log: EventLog, _ meta: MetaTable) throws -> Int {
    let latest = try meta.value(.latestConfirmed)
    // A row later than all known rows is new. Looking each one up would slow down a long download.
    func replaced(by row: ServerRow) throws -> StoredRow? {
      try latest.flatMap { try row.createdAt <= $0 ? log.replacedEvent(by: row) : nil }
    }
    let mayReplace = try EventStore.mayReplace(rows.count { try replaced(by: $0) != nil }, meta)
    var new = 0
    for row in rows {
      if let old = try replaced(by: row) {
        guard mayReplace else { continue }
        try log.removeReplaced(old)
      }
      if case .inserted = try log.insert(row) { new += 1 }
    }
    return new
  }

  /// Whether rows may replace this number of events by others. If not, makes the next sync download everything, which
  /// looks for the events in other rows and asks the user. A remote loss waits for the user anyway.
  private static func mayReplace(_ count: Int, _ meta: MetaTable) throws -> Bool {
    if count == 0 { return true }
    guard try meta.value(.remoteLoss) == nil else { return false }
    if count <= replaceableEvents { return true }
    if try meta.value(.serverRowsFormat) == serverRowsFormat { try meta.set(nil, for: .serverRowsFormat) }
    return false
  }

  /// Returns the cursor; `nil` if no row was ever fetched.
  public func cursor() throws(StoreError) -> Cursor? {
    try read { try MetaTable(database: $0).cursor() }
  }
}

extension EventStore {
  /// Returns the position before which no new row can appear, so that reading can start there; `nil` if none is known.
  public func settledPosition() throws(StoreError) -> Cursor? {
    try read { try MetaTable(database: $0).settledPosition() }
  }

  /// Records that no new row can appear before this position, unless the cursor has moved since.
  /// - Parameter clears: as for `merge`.
  public func markSettled(_ cursor: Cursor, unlessClearedSince clears: Int64? = nil) throws(StoreError) {
    if try settledPosition() == cursor { return }
    try write(durably: false) { database in
      let meta = MetaTable(database: database)
      try meta.check(clears: clears)
      guard try meta.cursor() == cursor else { return }
      try meta.set(cursor.createdAt + " " + cursor.id, for: .settled)
    }
  }
}

extension UploadRecord {
  init(_ row: ServerRow) {
    self.init(state: .confirmed, serverID: row.id, serverCreatedAt: row.createdAt)
  }
}
