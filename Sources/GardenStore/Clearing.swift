import Storage

extension GardenStore {
  /// How often the garden was cleared: what was asked for before the last time belongs to nobody here any more.
  public func clearCount() throws(StoreError) -> Int64 { try read { try MetaTable(database: $0).clearCount() } }

  /// Forgets the whole garden: its log, drafts and what is known of the server. Backup files stay.
  /// - Parameter limit: how many events at most may be lost that no server has.
  /// - Throws: `unsent` if there are more.
  public func clear(unsentAtMost limit: Int = .max) throws(StoreError) {
    try write { database in
      try check(unsentAtMost: limit, database)
      try clear(database)
      try MetaTable(database: database).set(nil, for: .profile)
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
    for table in ["events", "displaced", "superseded", "merged_rows", "staged_rows", "drafts", "checkpoints"] {
      try database.execute("DELETE FROM \(table)")
    }
    try database.run("DROP TABLE IF EXISTS journal")
    try database.run(Schema.search)
    // Who has said what is to become of the garden that was here before is not asked again.
    let kept = [MetaKey.generation, .fullPull, .clears, .localEvents, .profile].map { SQLValue.text($0.rawValue) }
    try database.execute("DELETE FROM meta WHERE key NOT IN (?, ?, ?, ?, ?)", kept)
    // Neither what is being collected nor what is on its way comes back.
    let meta = MetaTable(database: database)
    _ = try meta.nextFullPullNumber()
    try meta.set(String(try meta.clearCount() + 1), for: .clears)
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
