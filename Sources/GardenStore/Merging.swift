import Garden
import Storage

/// What a merge of rows of the server did.
public struct MergeResult: Sendable, Equatable {
  /// Events that the log did not have.
  public var new = 0
  /// True if an event left the log or was replaced: what was derived before may hold it.
  public var isRewritten = false
}

extension GardenStore {
  /// With more rows than these at once, a garden is on its way here that nobody searches yet.
  private static let manyRows = 1000

  /// Takes in rows of the server, and with the same transaction moves the place up to which it was read.
  ///
  /// Events that the log has are only confirmed; none of them is ever sent. If a row that is known holds another event now,
  /// that one takes the place of the old one. If all is known, nothing is written.
  /// - Parameters:
  ///   - cursor: `nil` leaves the place where it is.
  ///   - clears: `clearCount()` from before the rows were asked for; `nil` takes them in anyway.
  /// - Throws: `cleared` if the garden was cleared since: nothing of it is brought back.
  public func merge(
    _ rows: [ServerRow], cursor: Cursor? = nil, unlessClearedSince clears: Int64? = nil
  ) throws(StoreError) -> MergeResult {
    let isKnown = try read { database in
      let tables = FullPullTables(database: database)
      if let cursor, try tables.cursor() != cursor { return false }
      return try rows.allSatisfy { try tables.knows($0) }
    }
    if isKnown { return MergeResult() }
    // Rows come with random numbers: an index of them is changed everywhere.
    return try database.keeping(kilobytes: min(32_000, 2000 + 3 * rows.count)) { () throws(StoreError) in
      try write { database in
        let (log, tables) = (EventLog(database: database), FullPullTables(database: database))
        try tables.check(clears: clears)
        let generation = try log.generation()
        var result = MergeResult()
        log.postponesSearch = rows.count > GardenStore.manyRows
        let latest = try tables.value(.latestConfirmed)
        for row in rows {
          // Rows that are later than all that came are new: it would take time to look for each of a long download.
          if let latest, row.createdAt <= latest { try log.giveWay(to: row) }
          if case .inserted = try log.insert(row) { result.new += 1 }
        }
        if let seq = log.firstPostponed { try SearchIndex(database: database).postpone(from: seq) }
        try tables.note(latest: rows.lazy.map(\.createdAt).max())
        if let cursor { try tables.set(cursor) }
        result.isRewritten = try log.generation() != generation
        return result
      }
    }
  }

  /// How often the garden was cleared: what was asked for before the last time belongs to nobody here any more.
  public func clearCount() throws(StoreError) -> Int64 { try read { try FullPullTables(database: $0).clearCount() } }

  /// The place up to which the server was read; `nil` if nothing ever came.
  public func cursor() throws(StoreError) -> Cursor? {
    try read { try FullPullTables(database: $0).cursor() }
  }

  /// Forgets the whole garden: its log, drafts and what is known of the server. Backup files stay.
  /// - Parameter limit: how many events at most may be lost that no server has.
  /// - Throws: `unsent` if there are more.
  public func clear(unsentAtMost limit: Int = .max) throws(StoreError) {
    try write { database in
      try check(unsentAtMost: limit, database)
      try clear(database)
      try FullPullTables(database: database).set(nil, for: .profile)
    }
    truncate()
  }

  /// The same, unless the log is another by now. The user stays: what the account says of them is kept.
  /// - Returns: whether it was cleared.
  public func clear(ifStill state: LogState) throws(StoreError) -> Bool {
    let isSame = try write { database in
      guard try LogState(database) == state else { return false }
      try clear(database)
      return true
    }
    if isSame { truncate() }
    return isSame
  }

  /// Whether `clear` would do it now.
  /// - Throws: what it would throw.
  public func checkClearing(unsentAtMost limit: Int) throws(StoreError) {
    try checkWritable()
    try read { try check(unsentAtMost: limit, $0) }
  }

  private func check(unsentAtMost limit: Int, _ database: Database) throws {
    let unsent = Int(try database.integer("SELECT count(*) FROM events WHERE upload <> 1"))
    guard unsent <= limit else { throw StoreError.unsent(count: unsent) }
  }

  private func clear(_ database: Database) throws {
    // What was written by somebody else's hand is not to be found in the file either.
    try database.run("PRAGMA secure_delete = ON")
    for table in ["events", "displaced", "merged_rows", "staged_rows", "drafts", "checkpoints"] {
      try database.execute("DELETE FROM \(table)")
    }
    try database.run("DROP TABLE IF EXISTS journal")
    try database.run(Schema.search)
    // Who has said what is to become of the garden that was here before is not asked again.
    let kept = [MetaKey.generation, .fullPull, .clears, .localEvents, .profile].map { SQLValue.text($0.rawValue) }
    try database.execute("DELETE FROM meta WHERE key NOT IN (?, ?, ?, ?, ?)", kept)
    // Neither what is being collected nor what is on its way comes back.
    let tables = FullPullTables(database: database)
    _ = try tables.nextNumber()
    try tables.set(String(try tables.clearCount() + 1), for: .clears)
    try EventLog(database: database).growGeneration()
  }

  private func truncate() {
    do {
      try database.run("PRAGMA secure_delete = OFF; PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      // Another program reads: the log of SQLite is emptied by whoever closes last.
    }
  }
}

extension EventLog.Mark {
  init(_ row: ServerRow) {
    self.init(upload: .confirmed, serverID: row.id, serverCreatedAt: row.createdAt)
  }
}
