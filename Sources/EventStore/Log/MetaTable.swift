import SQLiteKit
import TrunkModel

/// Single values that belong to the log; the raw value is the key in the table `meta`.
public enum MetaKey: String, Sendable {
  /// The format in which the server rows are stored. An unexpected value causes a full pull.
  case serverRowsFormat = "trunk-cache-version"
  /// The server's `created_at` of the newest pulled row, exactly as the server wrote it.
  case cursorTime = "trunk-last-sync"
  /// The server's id of that row.
  case cursorID = "trunk-last-sync-id"
  /// The position before which no new row can appear: `created_at`, a space and the ID. See `EventStore.markSettled`.
  case settled = "trunk-settled"
  /// The latest `created_at` of all known server rows, as the server wrote it.
  case latestConfirmed = "latest-confirmed"
  /// The `seq` from which events may be missing from the search index.
  case firstUnsearchable = "first-unsearchable"
  /// The `id` from which earlier pages may be missing from the search index.
  case firstUnsearchablePage = "first-unsearchable-page"
  /// How often earlier pages have changed.
  case pageRevision = "page-revision"
  /// The number of the last full download.
  case fullPull = "full-pull"
  /// The difference between the rows that the server lists and those confirmed here. See `CountDifference`.
  case countDifference = "trunk-count-difference"
  /// In an account's log: when a sync last compared it with the server. See `EventStore.recordCheck`.
  case lastCheck = "last-check"
  /// In an account's log: a loss that the user hasn't decided about. See `RemoteLoss`.
  case remoteLoss = "remote-loss"
  /// See `LogHead.generation`.
  case generation
  /// How often the log was cleared.
  case clears
  /// In an account's log: present from the start of the initial sync to the first successful sync.
  case initialSync = "first-sync"
  /// In an account's log: the user's decision about this computer's earlier garden.
  case localEvents = "local-events"
  /// In an account's log: a digest of this computer's earlier drafts that were added to the account. See
  /// `Draft.digest(of:)`.
  case localDrafts = "local-drafts"
  /// In an account's log: the state of this computer's earlier pages that were added to the account. See
  /// `EventStore.pageState`.
  case localPages = "local-pages"
  /// In an account's log: the address of its server. See `EventStore.bind`.
  case server
  /// In an account's log: the user's ID. See `EventStore.bind`.
  case account
  /// In an account's log: whether the rows of one request share a time on the server.
  case rowTimes = "row-times"
  /// For each folder of backups, the state of the log in its newest backup, and that backup's name. See `BackupRecord`.
  case lastBackup = "last-backup"
  /// The backups in second folders. See `BackupRecord`.
  case backups
  /// For each second folder of backups, where its disk was mounted at the last backup. See `BackupRecord`.
  case backupDisks = "backup-disks"
  /// In an account's log: the account's profile and its unsent changes.
  case profile
  /// In an account's log: a digest of server address and email address. It identifies the copies of an account whose
  /// ID has changed because its server was set up again.
  case owner
  /// In an account's log: the newest copy of a signed-out garden about which the user has decided. Trunk offers neither
  /// that copy nor older ones again.
  case restoreAnswered = "restore-answered"
  /// In an account's log: the newest copy of a signed-out garden that the user wants to decide about later. The window
  /// doesn't ask about that copy or older ones by itself again.
  case restorePostponed = "restore-postponed"
  /// In an account's log: the copies of signed-out gardens whose drafts were restored. See `RestoredCopies`.
  case draftsRestored = "drafts-restored"
  /// In an account's log: the newest copy of a signed-out garden whose hidden entries were hidden again.
  case marksRestored = "marks-restored"
  /// The digests of the sources of pages that the user has removed: see `PageTable.record`.
  case removedSources = "removed-sources"
  /// A digest of the tables' definitions and places. See `SchemaRecord`.
  case schema
  /// For each damaged file of another garden, its state when it was merged. See `EventStore.recordMerge`.
  case mergedGardens = "merged-gardens"
  /// The recoveries from damage that no user has seen yet. See `Recovery`.
  case recoveries
}

/// The table `meta`. Call writing methods in a transaction.
struct MetaTable {
  let database: Database

  func cursor() throws -> Cursor? {
    guard let createdAt = try value(.cursorTime) else { return nil }
    return Cursor(createdAt: createdAt, id: try value(.cursorID) ?? "")
  }

  func set(_ cursor: Cursor?) throws {
    try set(cursor?.createdAt, for: .cursorTime)
    try set(cursor?.id, for: .cursorID)
  }

  func settledPosition() throws -> Cursor? {
    guard let text = try value(.settled), let space = text.lastIndex(of: " ") else { return nil }
    return Cursor(createdAt: String(text[..<space]), id: String(text[text.index(after: space)...]))
  }

  /// Records the latest time of a row. Times of the same format and offset sort as text.
  func record(latest createdAt: String?) throws {
    guard let createdAt else { return }
    try database.execute(
      "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = max(value, excluded.value)",
      .text(MetaKey.latestConfirmed.rawValue), .text(createdAt))
  }

  func value(_ key: MetaKey) throws -> String? {
    try database.first("SELECT value FROM meta WHERE key = ?", .text(key.rawValue)) { $0.text(0) }
  }

  func set(_ value: String?, for key: MetaKey) throws {
    if let value {
      try database.execute(
        "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", .text(key.rawValue), .text(value))
    } else {
      try database.execute("DELETE FROM meta WHERE key = ?", .text(key.rawValue))
    }
  }

  /// Returns the number of the latest full download, or 0 if it can't be read. Callers only compare it with an earlier
  /// value.
  func fullPullNumber() throws -> Int64 { Int64(try value(.fullPull) ?? "") ?? 0 }

  func nextFullPullNumber() throws -> Int64 {
    let number = try fullPullNumber() &+ 1
    try set(String(number), for: .fullPull)
    return number
  }

  /// Returns how often the garden was cleared, or 0 if the number can't be read. Callers only compare it with an
  /// earlier value.
  func clearCount() throws -> Int64 { Int64(try value(.clears) ?? "") ?? 0 }

  /// - Throws: `StoreError.cleared` if the log was cleared since its clear count was `clears`.
  func check(clears: Int64?) throws {
    if let clears, try clearCount() != clears { throw StoreError.cleared }
  }
}

extension EventStore {
  public func value(_ key: MetaKey) throws(StoreError) -> String? {
    try read { try MetaTable(database: $0).value(key) }
  }

  /// - Parameter value: `nil` removes it.
  public func set(_ value: String?, for key: MetaKey) throws(StoreError) {
    try write { try MetaTable(database: $0).set(value, for: key) }
  }

  /// Transforms a value atomically, even if other programs write to it. Writes nothing if the value stays the same.
  public func change(_ key: MetaKey, _ body: @Sendable (String?) -> String?) throws(StoreError) {
    let stored = try value(key)
    guard body(stored) != stored else { return }
    try write { database in
      let meta = MetaTable(database: database)
      try meta.set(body(meta.value(key)), for: key)
    }
  }
}
