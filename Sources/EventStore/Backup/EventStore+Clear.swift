import SQLiteKit

extension EventStore {
  /// How often the garden was cleared. Rows that were requested before the last time must not be stored.
  public func clearCount() throws(StoreError) -> Int64 { try read { try MetaTable(database: $0).clearCount() } }

  /// Whether the garden has nothing that the user wrote or imported.
  public func isEmpty() throws(StoreError) -> Bool {
    try read { database in
      try Schema.tablesOfWords.allSatisfy { try database.integer("SELECT EXISTS (SELECT 1 FROM \($0))") == 0 }
    }
  }

  /// Removes the whole garden from its file: the log, the earlier pages, the drafts and the sync state. Everything that
  /// is removed is compared with the copy first, in the same transaction. Backup files stay.
  /// - Parameter keepsProfile: whether the account's profile and owner stay, because the user stays signed in.
  /// - Returns: false if the garden has changed since it was copied; then nothing was removed.
  /// - Throws: `damagedCopy` if the copy is damaged; then nothing was removed either.
  public func clear(keptIn copy: VerifiedCopy, keepsProfile: Bool = false) throws(StoreError) -> Bool {
    let isSame = try write { database in
      guard try CopyReader(copy).contentDigest() == ContentDigest(database) else { return false }
      try clear(database)
      if !keepsProfile { try forgetUser(database) }
      return true
    }
    if isSame { truncate() }
    return isSame
  }

  /// Removes the whole garden without a copy. Only for tests: programs use `clear(keptIn:)`.
  package func clear() throws(StoreError) {
    try write { database in
      try clear(database)
      try forgetUser(database)
    }
    truncate()
  }

  private func forgetUser(_ database: Database) throws {
    for key in [MetaKey.profile, .owner] { try MetaTable(database: database).set(nil, for: key) }
  }

  private func clear(_ database: Database) throws {
    // Overwrites the deleted content, so that it can't be found in the file either.
    try database.run("PRAGMA secure_delete = ON")
    for table in try Schema.tablesOfGarden(in: database) { try database.execute("DELETE FROM \(table)") }
    try database.run("DROP TABLE IF EXISTS journal")
    try database.run(Schema.search)
    // Keep counters, which must not start again, and the user's decisions, so that nothing is asked twice.
    let kept = [
      MetaKey.generation, .fullPull, .clears, .localEvents, .localDrafts, .localPages, .profile, .owner,
      .restoreAnswered, .restorePostponed, .draftsRestored, .marksRestored, .backups, .backupDisks, .pageRevision,
    ]
    let places = kept.map { _ in "?" }.joined(separator: ", ")
    try database.execute("DELETE FROM meta WHERE key NOT IN (\(places))", kept.map { .text($0.rawValue) })
    // Make running downloads void, so that they don't bring anything back.
    let meta = MetaTable(database: database)
    _ = try meta.nextFullPullNumber()
    try meta.set(String(try meta.clearCount() &+ 1), for: .clears)
    try EventLog(database: database).growGeneration()
    try meta.growPageRevision()
  }

  /// Empties the write-ahead log after a transaction that has overwritten what it deleted.
  func truncate() {
    do {
      try database.run("PRAGMA secure_delete = OFF; PRAGMA wal_checkpoint(TRUNCATE)")
    } catch {
      // Another program is reading. The last program to close the file empties the write-ahead log.
    }
  }
}
