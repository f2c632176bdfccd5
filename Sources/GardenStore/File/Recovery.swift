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
  /// How many events at most were acknowledged at the end of the log and are neither in the file nor in the backup. The
  /// server may have them.
  public let missing: Int
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

  private var mark: Int64 { HighWaterMark.value(in: PrivateFiles.folder(of: path)) }
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

  /// Whether a recovery has ended except for the name of its file.
  static func isFinished(_ path: String) -> Bool { PrivateFiles.exists(path + Kind.recovered.rawValue) }

  /// Nobody else may have the file open. At every moment either the damaged file is in its place or the new one is
  /// complete.
  func run() throws -> Recovery {
    let counts = try build()
    let aside = try setAside()
    try finish()
    return Recovery(
      damagedFile: aside, fromFile: counts.file, fromBackup: counts.backup, unreadable: counts.unreadable,
      drafts: counts.drafts, missing: max(0, counts.missing - counts.backup))
  }

  /// Makes the file, which is missing, from the newest backup and a write-ahead log that was left.
  func restore() throws {
    _ = try build()
    _ = try setAside()
    try finish()
  }

  /// Makes room for a new file in the place of a missing one.
  func startOver() throws {
    _ = try setAside()
    // The numbers of the new file begin with 1.
    unlink(HighWaterMark.path(in: PrivateFiles.folder(of: path)))
  }

  /// - Returns: what the damaged file is called now.
  private func setAside() throws -> String {
    let aside = freeName()
    for suffix in ["-wal", "-shm", ""] where PrivateFiles.exists(path + suffix) {
      try PrivateFiles.rename(path + suffix, to: aside + suffix)
    }
    try PrivateFiles.sync(folder: PrivateFiles.folder(of: path))
    return aside
  }

  private struct Counts {
    var file = 0
    var backup = 0
    var unreadable = 0
    var drafts = 0
    var missing = 0
  }

  /// Makes a complete file, `recovered`, from what can be read.
  private func build() throws -> Counts {
    removeFiles(unfinished)
    defer { removeFiles(copy) }
    var counts = Counts()
    do {
      let plain = sequenceWithoutRest()
      let damaged = try openDamaged()
      let reached = plain ?? (PrivateFiles.isEmpty(path + "-wal") ? (try? damaged?.lastSequence) ?? 0 : 0)
      let (database, _) = try connecting.open(unfinished)
      try database.transaction {
        let log = EventLog(database: database)
        counts.missing = Int(max(0, mark - reached))
        if let damaged { try copy(from: damaged, to: log, after: reached, &counts) }
        counts.file += try copyFromStateBeforeDamage(to: log)
        let backup = try BackupFolder(in: PrivateFiles.folder(of: path)).newest()?.contents
        for event in backup?.events ?? [] {
          if case .inserted = try log.insert(event, EventLog.Mark(), from: .file) { counts.backup += 1 }
        }
        for event in backup?.superseded ?? [] { try log.supersede(event) }
        // The new file begins above the mark: it has lost nothing that this recovery doesn't tell of.
        try database.raiseSequence(to: mark)
      }
      // Everything into the one file that gets the name.
      try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    for suffix in ["-wal", "-shm"] { unlink(unfinished + suffix) }
    try PrivateFiles.rename(unfinished, to: recovered)
    return counts
  }

  /// A damaged frame may be the last form of a page that the state before it had whole. An event that was undone since may
  /// come back with it, which is better than to lose one.
  /// - Returns: how many events only that state had.
  private func copyFromStateBeforeDamage(to log: EventLog) throws -> Int {
    guard !PrivateFiles.isEmpty(path + "-wal"), let plain = try openCopy(firstPage: nil, withRestOfLog: false)
    else { return 0 }
    let count = "SELECT count(*) FROM events"
    let before = try log.database.integer(count)
    _ = try copyEvents(from: plain, to: log)
    return Int(try log.database.integer(count) - before)
  }

  /// - Parameter reached: events after this number are those that may be missing.
  private func copy(from damaged: Database, to log: EventLog, after reached: Int64, _ counts: inout Counts) throws {
    let found = try copyEvents(from: damaged, to: log)
    (counts.file, counts.unreadable) = (found.seqs.count, found.unreadable)
    counts.missing -= found.seqs.count { $0 > reached }
    try copySuperseded(from: damaged, to: log)
    counts.drafts = try copyDrafts(from: damaged, to: DraftTable(database: log.database))
    try copyMeta(from: damaged, to: MetaTable(database: log.database))
    try copyDecisions(from: damaged, to: log.database)
  }
}

extension Salvage {
  private func freeName() -> String {
    let start = path + Kind.damaged.rawValue
    var number = 1
    while Salvage.parts.contains(where: { PrivateFiles.exists(start + String(number) + $0) }) { number += 1 }
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

  /// The largest `seq` that the file shows as SQLite reads it, which is up to the first damage in the write-ahead log;
  /// `nil` if it can't be read.
  private func sequenceWithoutRest() -> Int64? {
    // What is wrong with it is looked at when it is copied.
    try? openCopy(firstPage: nil, withRestOfLog: false)?.lastSequence
  }

  /// - Parameter withRestOfLog: also with the pages in the write-ahead log that are sound behind a damaged one.
  private func openCopy(firstPage: ArraySlice<UInt8>?, withRestOfLog: Bool = true) throws -> Database? {
    removeFiles(copy)
    for suffix in ["", "-wal"] where PrivateFiles.exists(path + suffix) {
      try PrivateFiles.copyReadable(path + suffix, to: copy + suffix)
    }
    if !PrivateFiles.exists(copy) { try PrivateFiles.makeFile(copy) }
    if let firstPage { try PrivateFiles.overwrite(firstPage, at: copy) }
    if withRestOfLog, let log = WriteAheadLog(try PrivateFiles.read(copy + "-wal", orEmpty: true)) {
      try log.write(to: copy)
      unlink(copy + "-wal")
    }
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
  private func copyEvents(from damaged: Database, to log: EventLog) throws -> (seqs: [Int64], unreadable: Int) {
    var (seqs, unreadable) = ([Int64](), 0)
    let limits = ["SELECT max(seq) FROM events", "SELECT seq FROM sqlite_sequence WHERE name = 'events'"]
    // These numbers may be damaged too. There are never more events than bytes.
    let size = max(PrivateFiles.size(of: copy), mark)
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
          seqs.append(seq)
        case .some(.none): unreadable += 1
        // Taken back, or never used.
        case .none: break
        }
      } catch let error as DatabaseError where error.isDamage {
        unreadable += 1
      }
    }
    return (seqs, unreadable)
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

  /// Which events stay on this computer only, and which have another `client_id` than before.
  private func copyDecisions(from damaged: Database, to database: Database) throws {
    do {
      let kept = try damaged.all("SELECT client_id FROM events WHERE local_only = 1 AND client_id IS NOT NULL") {
        $0.text(0)
      }
      for clientID in kept {
        try database.execute("UPDATE events SET local_only = 1 WHERE client_id = ? AND upload = 2", .text(clientID))
      }
      let former = try damaged.all("SELECT identity, client_id FROM former_ids") { ($0.text(0), $0.text(1)) }
      for (identity, clientID) in former {
        try database.execute(
          "INSERT OR IGNORE INTO former_ids (identity, client_id) VALUES (?, ?)", .text(identity), .text(clientID))
      }
    } catch let error as DatabaseError where error.isDamage || error.isOfSchema {
      // Without it the user is asked once more, and the server says again which ids are taken.
    }
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
