import SQLiteKit

extension EventStore {
  /// How often the garden was cleared: what was asked for before the last time belongs to nobody here any more.
  public func clearCount() throws(StoreError) -> Int64 { try read { try MetaTable(database: $0).clearCount() } }

  /// Removes the whole garden from its file: the log, drafts, and what is known of the server. Everything that is removed
  /// is compared with the copy first, within the same transaction. Backup files stay.
  /// - Parameter keepsProfile: the user stays, and with them what the account says of them.
  /// - Returns: false if the garden has changed since it was copied; then nothing was removed.
  public func clear(keptIn copy: VerifiedCopy, keepsProfile: Bool = false) throws(StoreError) -> Bool {
    let isSame = try write { database in
      let kept = try Database(path: copy.path, mode: .immutable, busyTimeout: 0)
      guard try ContentDigest(kept) == ContentDigest(database) else { return false }
      try clear(database)
      if !keepsProfile { try forgetUser(database) }
      return true
    }
    if isSame { truncate() }
    return isSame
  }

  /// Removes the whole garden without a copy. For tests of what follows: programs use `clear(keptIn:)`.
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
    // What was written by somebody else's hand is not to be found in the file either.
    try database.run("PRAGMA secure_delete = ON")
    let tables = [
      "events", "displaced", "superseded", "former_ids", "merged_rows", "staged_rows", "drafts", "checkpoints",
    ]
    for table in tables {
      try database.execute("DELETE FROM \(table)")
    }
    try database.run("DROP TABLE IF EXISTS journal")
    try database.run(Schema.search)
    // Who has said what is to become of the garden that was here before is not asked again.
    let kept = [
      MetaKey.generation, .fullPull, .clears, .localEvents, .profile, .owner, .restoreAnswered, .draftsRestored,
    ]
    let places = kept.map { _ in "?" }.joined(separator: ", ")
    try database.execute("DELETE FROM meta WHERE key NOT IN (\(places))", kept.map { .text($0.rawValue) })
    // Neither what is being collected nor what is on its way comes back.
    let meta = MetaTable(database: database)
    _ = try meta.nextFullPullNumber()
    try meta.set(String(try meta.clearCount() &+ 1), for: .clears)
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
