import SQLiteKit
import TrunkModel

/// The result of merging server rows.
public struct MergeResult: Sendable, Equatable {
  /// Events that the log did not have.
  public var new = 0
  /// True if an event left the log or was replaced: what was derived before may hold it.
  public var isRewritten = false
  /// Confirmed events that left the log because no row of the server holds them. They are kept as superseded.
  public var removed = 0
}

extension EventStore {
  /// With more rows than this at once, a large download is running, and the search index is updated later.
  private static let manyRows = 1000

  /// Merges server rows and moves the cursor in the same transaction.
  ///
  /// Events that the log has are only confirmed; none of them is ever sent. If a row that is known holds another event
  /// now, that one takes the place of the old one. If all is known, nothing is written.
  /// - Parameters:
  ///   - cursor: the new cursor; `nil` leaves it unchanged.
  ///   - clears: `clearCount()` from before the rows were asked for; `nil` takes them in anyway.
  /// - Throws: `cleared` if the garden was cleared since: nothing of it is brought back.
  public func merge(
    _ rows: [ServerRow], cursor: Cursor? = nil, unlessClearedSince clears: Int64? = nil
  ) throws(StoreError) -> MergeResult {
    let isKnown = try read { database in
      if let cursor, try MetaTable(database: database).cursor() != cursor { return false }
      let known = KnownRows(database: database)
      return try rows.allSatisfy { try known.knows($0) }
    }
    if isKnown { return MergeResult() }
    // Rows come with random numbers: an index of them is changed everywhere.
    return try database.keeping(kilobytes: min(32_000, 2000 + 3 * rows.count)) { () throws(StoreError) in
      try write { database in
        let (log, meta) = (EventLog(database: database), MetaTable(database: database))
        try meta.check(clears: clears)
        let generation = try log.generation()
        var result = MergeResult()
        log.postponesSearch = rows.count > EventStore.manyRows
        let latest = try meta.value(.latestConfirmed)
        for row in rows {
          // Rows that are later than all that came are new: it would take time to look for each of a long download.
          if let latest, row.createdAt <= latest { try log.giveWay(to: row) }
          if case .inserted = try log.insert(row) { result.new += 1 }
        }
        if let seq = log.firstPostponed { try SearchIndex(database: database).postpone(from: seq) }
        try meta.note(latest: rows.lazy.map(\.createdAt).max())
        if let cursor { try meta.set(cursor) }
        result.isRewritten = try log.generation() != generation
        return result
      }
    }
  }

  /// Returns the cursor; `nil` if no row was ever fetched.
  public func cursor() throws(StoreError) -> Cursor? {
    try read { try MetaTable(database: $0).cursor() }
  }
}

extension EventStore {
  /// Returns the place before which no row can appear any more, so that only later rows are read again; `nil` if there
  /// is none.
  public func settled() throws(StoreError) -> Cursor? { try read { try MetaTable(database: $0).settled() } }

  /// Records that no row can appear before this place any more, unless the cursor has moved since.
  /// - Parameter clears: as for `merge`.
  public func settle(_ cursor: Cursor, unlessClearedSince clears: Int64? = nil) throws(StoreError) {
    if try settled() == cursor { return }
    try write(durably: false) { database in
      let meta = MetaTable(database: database)
      try meta.check(clears: clears)
      guard try meta.cursor() == cursor else { return }
      try meta.set(cursor.createdAt + " " + cursor.id, for: .settled)
    }
  }
}

extension EventLog.Mark {
  init(_ row: ServerRow) {
    self.init(upload: .confirmed, serverID: row.id, serverCreatedAt: row.createdAt)
  }
}
