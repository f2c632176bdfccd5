import Glibc
import SQLiteKit

/// Builds a new file from the readable parts of a damaged one and from the newest backup.
struct Salvage {
  let path: String
  let options: ConnectionOptions

  /// The suffixes of the files that are created next to the one at `path`.
  enum Kind: String, CaseIterable {
    case damaged = ".damaged-"
    case copy = ".copy"
    case unfinished = ".unfinished"
    case recovered = ".recovered"
  }

  /// The suffixes of SQLite's companion files, and an empty one for the file itself.
  static let parts = ["", "-wal", "-shm", "-journal"]

  var mark: Int64 { HighWaterMark.value(in: folder).seq }
  private var folder: String { PrivateFiles.folder(of: path) }
  var copy: String { path + Kind.copy.rawValue }
  var unfinished: String { path + Kind.unfinished.rawValue }
  private var recovered: String { path + Kind.recovered.rawValue }

  /// Whether `file` was created from the one at `path` by a recovery, which may have been interrupted.
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
      // Other files with this prefix belong to the user.
      return parts.contains(String(rest))
    }
  }

  /// Moves a finished file into place if the program ended just before that.
  func finish() throws(PrivateFiles.Failure) {
    guard !PrivateFiles.exists(path), PrivateFiles.exists(recovered) else { return }
    // An interrupted `setAside` may have left the log of the damaged file, which SQLite would apply to the new one.
    for suffix in Salvage.parts.dropFirst() where PrivateFiles.exists(path + suffix) {
      try PrivateFiles.rename(path + suffix, to: nameWithout(suffix) + suffix)
    }
    try PrivateFiles.rename(recovered, to: path)
    try PrivateFiles.sync(folder: folder)
  }

  /// Whether a recovery has only to rename its file.
  static func isFinished(_ path: String) -> Bool { PrivateFiles.exists(path + Kind.recovered.rawValue) }

  /// Recovers the file, which no other program may have open. At every moment either the damaged file is in its place
  /// or the new one is complete.
  /// - Parameter replacement: what becomes of the file if it is another garden's.
  func run(replacement: Recovery.Replacement? = nil) throws -> Recovery {
    let damagedFile = freeName()
    let recovery = try build(reporting: damagedFile, replacement)
    try setAside(as: damagedFile)
    try finish()
    return recovery
  }

  /// Rebuilds a missing file from the newest backup and a remaining write-ahead log.
  /// - Throws: `nothingToRestore` if neither holds an event that can be read.
  func restore() throws {
    try build()
    try setAside(as: freeName())
    try finish()
  }

  /// Sets aside what is left of a missing file, so that a new one can take its place.
  func startOver() throws {
    try setAside(as: freeName())
    // The new file's `seq` starts at 1.
    unlink(HighWaterMark.path(in: folder))
  }

  /// Moves the damaged file away before its log: as long as it is in its place, everything that a recovery reads must
  /// be there too.
  private func setAside(as aside: String) throws {
    for suffix in Salvage.parts where !PrivateFiles.isMissing(path + suffix) {
      try PrivateFiles.rename(path + suffix, to: aside + suffix)
    }
    try PrivateFiles.sync(folder: folder)
  }

  /// Builds a complete file, `recovered`, from everything readable.
  /// - Parameter damagedFile: where the damaged file will be; if not `nil`, the new file reports its recovery.
  @discardableResult
  private func build(reporting damagedFile: String? = nil, _ replacement: Recovery.Replacement? = nil) throws
    -> Recovery
  {
    let newest = HighWaterMark.value(in: folder).newest
    removeFiles(unfinished)
    defer { removeFiles(copy) }
    let recovery: Recovery
    do {
      let plain = sequenceWithoutRest()
      let (database, _) = try options.open(unfinished)
      recovery = try database.transaction {
        let log = EventLog(database: database)
        var found = Found()
        try eachReading { try copy(from: $0, to: log, &found) }
        // If it can't be read, all events up to the mark count as missing unless they are found.
        let reached = plain ?? (PrivateFiles.isEmpty(path + "-wal") ? found.sequence : 0)
        var counts = Counts(found, after: reached, mark: mark)
        counts.file += try copyFromStateBeforeDamage(to: log)
        try addBackup(to: log, &counts)
        // Continues above the mark. Otherwise the next opening would report the same loss again.
        try database.raiseSequence(to: mark)
        if replacement != nil { counts.missing = try newest.map { try !database.hasAnywhere($0) } ?? false ? 1 : 0 }
        let recovery = counts.recovery(damagedFile ?? path, replacement)
        if damagedFile != nil {
          try MetaTable(database: database).add(recovery)
        } else if counts.file + counts.backup + counts.pages == 0 {
          throw StoreError.nothingToRestore(folder: folder)
        }
        return recovery
      }
      // Moves everything into the main file, which is renamed below.
      try database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    for suffix in ["-wal", "-shm"] { unlink(unfinished + suffix) }
    HighWaterMark.forgetNewest(in: folder)
    try PrivateFiles.rename(unfinished, to: recovered)
    return recovery
  }

  /// Adds what the newest backup has besides.
  private func addBackup(to log: EventLog, _ counts: inout Counts) throws {
    guard let backup = try BackupFolder(in: folder).newest()?.contents else { return }
    // Appends like an import, which recognises events that got a new `client_id` after the backup.
    let result = try log.append(backup.events, UploadRecord(), from: .file)
    counts.backup = result.inserted.count
    for event in backup.superseded { try log.supersede(event) }
    let pages = PageTable(database: log.database)
    counts.pages += try pages.add(try backup.journals.filter { try !pages.wasRemoved($0) })
    // Takes all marks of the backup: showing a hidden entry is worse than hiding one again.
    try HiddenTable(database: log.database).add(backup.hidden)
  }

  /// Copies events from the state before the damage. A damaged frame may have replaced a page that is intact in that
  /// state. An event that was undone since may come back, which is better than losing one.
  /// - Returns: the number of events that only that state had.
  private func copyFromStateBeforeDamage(to log: EventLog) throws -> Int {
    guard !PrivateFiles.isEmpty(path + "-wal"), let plain = try openCopy(firstPage: nil, withRestOfLog: false)
    else { return 0 }
    let count = "SELECT count(*) FROM events"
    let before = try log.database.integer(count)
    try copyFormerIDs(from: plain, to: log.database)
    _ = try copyEvents(from: plain, to: log)
    return Int(try log.database.integer(count) - before)
  }

  private func copy(from damaged: Database, to log: EventLog, _ found: inout Found) throws {
    try copyFormerIDs(from: damaged, to: log.database)
    let events = try copyEvents(from: damaged, to: log, isFirst: found.seqs.isEmpty)
    let unreadable = events.unreadable + (try copySuperseded(from: damaged, to: log))
    let drafts = try copyDrafts(from: damaged, to: DraftTable(database: log.database))
    let pages = try copyPages(from: damaged, to: PageTable(database: log.database))
    try copyMeta(from: damaged, to: MetaTable(database: log.database))
    try copyLocalOnly(from: damaged, to: log.database)
    try copyHidden(from: damaged, to: HiddenTable(database: log.database))
    found.add(
      events.seqs, unreadable: unreadable + drafts.unreadable + pages.unreadable, drafts: drafts.count,
      pages: pages.count)
    // If it can't be read, the readable events tell the rest.
    found.sequence = max(found.sequence, (try? damaged.lastSequence) ?? 0)
  }
}

extension Salvage {
  /// The last damaged file, if it lacks this companion file; otherwise a free name.
  private func nameWithout(_ suffix: String) -> String {
    let start = path + Kind.damaged.rawValue
    var number = 1
    while PrivateFiles.exists(start + String(number + 1)) { number += 1 }
    let last = start + String(number)
    return PrivateFiles.exists(last) && !PrivateFiles.exists(last + suffix) ? last : freeName()
  }

  private func freeName() -> String {
    let start = path + Kind.damaged.rawValue
    var number = 1
    while Salvage.parts.contains(where: { PrivateFiles.exists(start + String(number) + $0) }) { number += 1 }
    return start + String(number)
  }

  func removeFiles(_ file: String) {
    for part in Salvage.parts { unlink(file + part) }
  }
}
