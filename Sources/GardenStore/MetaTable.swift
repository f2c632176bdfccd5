import Garden
import Storage

/// Single values that belong to the log; the raw value is the key in the table `meta`.
public enum MetaKey: String, Sendable {
  /// The form of the cache of server rows; another one than expected asks for a full pull.
  case cacheVersion = "trunk-cache-version"
  /// The server's `created_at` of the newest pulled row, exactly as the server wrote it.
  case lastSync = "trunk-last-sync"
  /// The server's id of that row.
  case lastSyncID = "trunk-last-sync-id"
  /// The place behind which no row can appear any more: `created_at` and, after a space, the id. See `settle`.
  case settled = "trunk-settled"
  /// The latest `created_at` of all rows of the server that are known here, as the server wrote it.
  case latestConfirmed = "latest-confirmed"
  /// The first event of those that the search index may lack.
  case firstUnsearchable = "first-unsearchable"
  /// The number of the last download of all rows.
  case fullPull = "full-pull"
  /// How many rows more the server counts than can be read of it.
  case countDifference = "trunk-count-difference"
  /// In an account's log: when a sync last compared it with the server. See `GardenStore.noteCheck`.
  case lastCheck = "last-check"
  /// In an account's log: a loss that the user hasn't decided about. See `RemoteLoss`.
  case remoteLoss = "remote-loss"
  /// See `LogHead.generation`.
  case generation
  /// How often the log was cleared.
  case clears
  /// In an account's log: there while the first sync has begun and none has ended well.
  case firstSync = "first-sync"
  /// In an account's log: what became of the garden that this computer had before.
  case localEvents = "local-events"
  /// In an account's log: the address of the server that it is synced with. See `GardenStore.bind`.
  case server
  /// In an account's log: whether rows that the server stores with one request share one time.
  case rowTimes = "row-times"
  /// The state of the log in the newest backup, and that backup's path.
  case lastBackup = "last-backup"
  /// In an account's log: what the account says of its user, and what of that is not sent yet.
  case profile
  /// In an account's log: a digest of server address and e-mail address. It finds the copies of an account that has got
  /// another id, because its server was set up again.
  case owner
  /// In an account's log: the newest copy of a signed-out garden about which the user has answered whether to restore it.
  case restoreAnswered = "restore-answered"
}

/// The table `meta`. What writes belongs into a transaction of the caller.
struct MetaTable {
  let database: Database

  func cursor() throws -> Cursor? {
    guard let createdAt = try value(.lastSync) else { return nil }
    return Cursor(createdAt: createdAt, id: try value(.lastSyncID) ?? "")
  }

  func set(_ cursor: Cursor?) throws {
    try set(cursor?.createdAt, for: .lastSync)
    try set(cursor?.id, for: .lastSyncID)
  }

  func settled() throws -> Cursor? {
    guard let text = try value(.settled), let space = text.lastIndex(of: " ") else { return nil }
    return Cursor(createdAt: String(text[..<space]), id: String(text[text.index(after: space)...]))
  }

  /// Keeps the latest time of a row. Of equal form and offset, times sort as texts.
  func note(latest createdAt: String?) throws {
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

  func fullPullNumber() throws -> Int64 { Int64(try value(.fullPull) ?? "") ?? 0 }

  func nextFullPullNumber() throws -> Int64 {
    let number = try fullPullNumber() + 1
    try set(String(number), for: .fullPull)
    return number
  }

  func clearCount() throws -> Int64 { Int64(try value(.clears) ?? "") ?? 0 }

  /// - Throws: `StoreError.cleared` if the log was cleared more often than so.
  func check(clears: Int64?) throws {
    if let clears, try clearCount() != clears { throw StoreError.cleared }
  }
}

extension GardenStore {
  public func value(_ key: MetaKey) throws(StoreError) -> String? {
    try read { try MetaTable(database: $0).value(key) }
  }

  /// - Parameter value: `nil` removes it.
  public func set(_ value: String?, for key: MetaKey) throws(StoreError) {
    try write { try MetaTable(database: $0).set(value, for: key) }
  }

  /// Makes a new value of the present one, in one step also for other programs. The same value is not written again.
  public func change(_ key: MetaKey, _ body: @Sendable (String?) -> String?) throws(StoreError) {
    let present = try value(key)
    guard body(present) != present else { return }
    try write { database in
      let meta = MetaTable(database: database)
      try meta.set(body(meta.value(key)), for: key)
    }
  }
}
