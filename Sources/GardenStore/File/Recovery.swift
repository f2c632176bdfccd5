import Garden
import Glibc
import Storage

/// What became of a damaged file.
public struct Recovery: Sendable, Equatable {
  /// Where the damaged file is now. It is never deleted.
  public let damagedFile: String
  /// Events that could be read from it.
  public let fromFile: Int
  /// Events that only the newest backup had.
  public let fromBackup: Int
  /// Places in the damaged file where an event should be that could not be read. Some may be in the backup.
  public let unreadable: Int
  /// Drafts that could be read.
  public let drafts: Int
}

/// Builds a new file from what a damaged one and the newest backup hold.
struct Salvage {
  let path: String
  let connecting: Connecting

  /// What the name of a file goes on with that is made beside the one at `path`.
  private enum Kind: String, CaseIterable {
    case damaged = ".damaged-"
    case copy = ".copy"
    case unfinished = ".unfinished"
    case recovered = ".recovered"
  }

  /// What SQLite puts behind the name of a file for those that belong to it, and nothing for the file itself.
  private static let parts = ["", "-wal", "-shm"]

  private var copy: String { path + Kind.copy.rawValue }
  private var unfinished: String { path + Kind.unfinished.rawValue }
  private var recovered: String { path + Kind.recovered.rawValue }

  /// Whether this file holds what was in the one at `path`, also if the program ended in the middle of a recovery.
  static func isCopy(_ file: String, of path: String) -> Bool {
    Kind.allCases.contains { kind in
      let start = path + kind.rawValue
      guard file.hasPrefix(start) else { return false }
      var rest = file.dropFirst(start.count)
      if kind == .damaged {
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if digits.isEmpty { return false }
        rest = rest.dropFirst(digits.count)
      }
      // Whatever else begins like this is somebody's own.
      return parts.contains(String(rest))
    }
  }

  /// Puts a finished file in its place, if the program ended just before it could.
  func finish() throws(PrivateFiles.Failure) {
    guard !PrivateFiles.exists(path), PrivateFiles.exists(recovered) else { return }
    try PrivateFiles.rename(recovered, to: path)
    try PrivateFiles.sync(folder: PrivateFiles.folder(of: path))
  }

  /// Nobody else may have the file open. At every moment either the damaged file is in its place or the new one is
  /// complete.
  func run() throws -> Recovery {
    let folder = PrivateFiles.folder(of: path)
    let aside = freeName()
    removeFiles(unfinished)
    defer { removeFiles(copy) }
    var counts = (file: 0, backup: 0, unreadable: 0, drafts: 0)
    do {
      let damaged = try openDamaged()
      let (database, _) = try connecting.open(unfinished)
      try database.transaction {
        let log = EventLog(database: database)
        if let damaged {
          (counts.file, counts.unreadable) = try copyEvents(from: damaged, to: log)
          try copySuperseded(from: damaged, to: log)
          counts.drafts = try copyDrafts(from: damaged, to: DraftTable(database: database))
          try copyMeta(from: damaged, to: MetaTable(database: database))
        }
        let backup = try BackupFolder(in: folder).newest()?.contents
        for event in backup?.events ?? [] {
          if case .inserted = try log.insert(event, EventLog.Mark(), from: .file) { counts.backup += 1 }
        }
        for event in backup?.superseded ?? [] { try log.supersede(event) }
      }
      // Everything into the one file that gets the name.
      try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    for suffix in ["-wal", "-shm"] { unlink(unfinished + suffix) }
    try PrivateFiles.rename(unfinished, to: recovered)
    for suffix in ["-wal", "-shm"] where PrivateFiles.exists(path + suffix) {
      try PrivateFiles.rename(path + suffix, to: aside + suffix)
    }
    try PrivateFiles.rename(path, to: aside)
    try PrivateFiles.sync(folder: folder)
    try finish()
    return Recovery(
      damagedFile: aside, fromFile: counts.file, fromBackup: counts.backup, unreadable: counts.unreadable,
      drafts: counts.drafts)
  }
}

extension Salvage {
  private func freeName() -> String {
    let start = path + Kind.damaged.rawValue
    var number = 1
    while PrivateFiles.exists(start + String(number)) { number += 1 }
    return start + String(number)
  }

  private func removeFiles(_ file: String) {
    for part in Salvage.parts { unlink(file + part) }
  }

  /// A copy of the damaged file, as far as it can be opened: SQLite would change the file itself.
  ///
  /// Without a readable first page, which says where the tables are, it gets that of a new file: they begin at the same
  /// places if the same version made it. What does not belong together is told by the hashes.
  private func openDamaged() throws -> Database? {
    if let database = try openCopy(firstPage: nil) { return database }
    // Where the pages have another size, no table begins where one does.
    let firstPages = try Connecting.pageSizes.map(firstPage)
    let log = "SELECT 1 FROM events NOT INDEXED ORDER BY seq"
    for rows in [log, log + " DESC", "SELECT 1 FROM drafts"] {
      for firstPage in firstPages {
        guard let database = try openCopy(firstPage: firstPage) else { continue }
        if canRead(rows + " LIMIT 1", in: database) { return database }
      }
    }
    return try openCopy(firstPage: firstPages.first)
  }

  /// - Parameter size: of the page, in bytes.
  private func firstPage(size: Int) throws -> ArraySlice<UInt8> {
    removeFiles(unfinished)
    defer { removeFiles(unfinished) }
    var connecting = connecting
    connecting.pageSize = size
    // It is complete when it is closed.
    _ = try connecting.open(unfinished)
    var page = try PrivateFiles.read(unfinished).prefix(size)
    // No number of pages: the size of the file counts then.
    for index in 28..<32 where page.indices.contains(index) { page[index] = 0 }
    return page
  }

  private func canRead(_ sql: String, in database: Database) -> Bool {
    do {
      _ = try database.integer(sql)
      return true
    } catch {
      // What is wrong with it is looked at when it is copied.
      return false
    }
  }

  private func openCopy(firstPage: ArraySlice<UInt8>?) throws -> Database? {
    removeFiles(copy)
    for suffix in ["", "-wal"] where PrivateFiles.exists(path + suffix) {
      try PrivateFiles.copyReadable(path + suffix, to: copy + suffix)
    }
    if let firstPage { try PrivateFiles.overwrite(firstPage, at: copy) }
    return openCopy()
  }

  private func openCopy() -> Database? {
    do {
      let database = try Database(path: copy, mode: .readWrite, busyTimeout: connecting.patience)
      // Reads on although the schema or the size of the file is wrong.
      try database.run("PRAGMA writable_schema = ON")
      return try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'events'") == 1 ? database : nil
    } catch {
      // What can't be opened is what this is about: the caller has another way.
      return nil
    }
  }

  /// One by one, so that one unreadable page costs only the events on it.
  private func copyEvents(from damaged: Database, to log: EventLog) throws -> (read: Int, unreadable: Int) {
    var (read, unreadable) = (0, 0)
    let limits = ["SELECT max(seq) FROM events", "SELECT seq FROM sqlite_sequence WHERE name = 'events'"]
    // These numbers may be damaged too. There are never more events than bytes.
    let size = PrivateFiles.size(of: copy)
    let last = limits.compactMap { try? damaged.integer($0) }.filter { $0 <= size }.max() ?? size
    for seq in stride(from: 1, through: last, by: 1) {
      do {
        let found = try damaged.first(
          """
          SELECT upload, server_id, server_created_at, held_until, sha256, raw FROM events NOT INDEXED WHERE seq = ?
          """, .integer(seq)
        ) { row -> (Event, EventLog.Mark)? in
          guard SHA256().digest(of: row.bytes(5)) == row.blob(4) else { return nil }
          let mark = EventLog.Mark(
            upload: UploadState(rawValue: row.integer(0)) ?? .pending, serverID: row.optionalText(1),
            serverCreatedAt: row.optionalText(2),
            heldUntil: row.optionalInteger(3).map { Instant(milliseconds: $0) })
          return (try Event(json: row.text(5)), mark)
        }
        switch found {
        case .some(.some(let (event, mark))):
          _ = try log.insert(event, mark, from: .file)
          read += 1
        case .some(.none): unreadable += 1
        // Taken back, or never used.
        case .none: break
        }
      } catch let error as DatabaseError where error.isDamage {
        unreadable += 1
      }
    }
    return (read, unreadable)
  }

  /// Also what gave way to an event with a `client_id`: its words are the user's.
  private func copySuperseded(from damaged: Database, to log: EventLog) throws {
    for sql in ["SELECT raw, sha256 FROM superseded", "SELECT raw, NULL FROM displaced"] {
      do {
        try damaged.rows(sql) { row in
          let isSound = row.isNull(1) || SHA256().digest(of: row.bytes(0)) == row.blob(1)
          // A text without a hash may be damaged: it must be an event at least.
          if isSound, let event = try? Event(json: row.text(0)) { try log.supersede(event) }
          return true
        }
      } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
        // What was read before it is kept. Older files lack one of the tables.
      }
    }
  }

  private func copyDrafts(from damaged: Database, to table: DraftTable) throws -> Int {
    // All or what comes before the first unreadable one: a draft has no number to ask for.
    var drafts: [Draft] = []
    do {
      try DraftTable(database: damaged).each { drafts.append($0) }
    } catch let error as DatabaseError where error.isDamage {
      // What was read before it is kept.
    }
    for draft in drafts { try table.save(draft) }
    return drafts.count
  }

  /// What only this computer knows: else the garden could be synced with a wrong server, or a part of it be shown as
  /// the whole. How far the server was read stays behind, so that all of it is fetched again.
  private func copyMeta(from damaged: Database, to meta: MetaTable) throws {
    for key in [MetaKey.server, .profile, .localEvents, .firstSync, .cacheVersion] {
      do {
        guard let value = try MetaTable(database: damaged).value(key) else { continue }
        if key != .cacheVersion || value == GardenStore.movedVersion { try meta.set(value, for: key) }
      } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
        // One that can't be read is no reason to lose the others.
      }
    }
  }
}
