import Glibc
import SQLiteKit
import TrunkModel

/// A folder of backups: export files that are read back before they get their final names. Old ones are removed.
struct BackupFolder {
  /// The suffix of a file that is being written.
  private static let unfinished = ".part"

  /// The path of the folder that contains the backups.
  let path: String

  /// - Parameter folder: absolute, or in the working directory. The path is recorded, so it must mean the same again.
  init(in folder: String) { path = PrivateFiles.absolute(folder) + "/backups" }

  /// The names of all backups, oldest first.
  func names() throws(PrivateFiles.Failure) -> [String] {
    try PrivateFiles.names(in: path).filter { BackupFolder.day(of: $0) != nil }
  }

  /// The names of all backups, including unfinished ones.
  func namesWithUnfinished() throws(PrivateFiles.Failure) -> [String] {
    try PrivateFiles.names(in: path).filter { name in
      let isUnfinished = name.hasSuffix(BackupFolder.unfinished)
      return BackupFolder.day(of: isUnfinished ? String(name.dropLast(BackupFolder.unfinished.count)) : name) != nil
    }
  }

  /// Writes a new backup.
  func write(_ contents: ExportFile.Contents, now: Instant, zone: Zone) throws -> BackupResult {
    try PrivateFiles.makeFolderWithoutLink(path)
    let text = ExportFile.encode(contents, exportedAt: now)
    try removeUnfinished()
    let target = free(at: now, zone)
    let temporary = target + BackupFolder.unfinished
    let file = try PrivateFiles.NewFile(temporary)
    do {
      try file.write(text)
      try verify(file, text, contents)
      try PrivateFiles.rename(temporary, to: target)
      try PrivateFiles.sync(folder: path)
    } catch {
      unlink(temporary)
      throw error
    }
    return BackupResult(path: target, eventCount: contents.events.count)
  }

  /// Writes a small file, reads it back and removes it.
  func check() throws {
    try PrivateFiles.makeFolderWithoutLink(path)
    // If this program is stopped, the next backup or check removes the file.
    try removeUnfinished()
    let file = try PrivateFiles.NewFile(free(at: Instant(milliseconds: 0), .utc) + BackupFolder.unfinished)
    defer { unlink(file.path) }
    let text = "{}"
    try file.write(text)
    guard try file.readBack().elementsEqual(text.utf8) else { throw StoreError.backupNotVerified(path: file.path) }
  }

  /// Removes the unfinished files of interrupted programs, but not what another program is writing now.
  func removeUnfinished() throws(PrivateFiles.Failure) {
    for name in try namesWithUnfinished() where name.hasSuffix(BackupFolder.unfinished) {
      PrivateFiles.NewFile.removeIfAbandoned(path + "/" + name)
    }
  }

  /// Returns the path for a backup of this second, or of the next second that has none.
  private func free(at now: Instant, _ zone: Zone) -> String {
    func isTaken(_ path: String) -> Bool {
      var status = stat()
      return lstat(path, &status) == 0 && [S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT)
    }
    var target: String
    var second = now
    repeat {
      target = path + "/" + ExportFile.stem(at: second, in: zone) + ".json"
      second = second.adding(seconds: 1)
    } while isTaken(target) || isTaken(target + BackupFolder.unfinished)
    return target
  }

  /// Keeps the newest backup of each of the last 7 days, 4 weeks and 12 months that have one, and removes the rest. For
  /// each of the 7 days, also keeps the backups with the most events and the most earlier pages, in case some were lost
  /// later that day.
  /// - Parameters:
  ///   - own: the names of one garden's backups; others are neither counted nor removed.
  ///   - written: the backup that was just written, which always stays.
  func rotate(_ own: [String], keeping written: String, today: Day) throws {
    // A backup dated in the future was written before the clock was set back. It displaces no other backup and stays
    // until its date.
    let names = own.filter { name in BackupFolder.day(of: name).map { $0 <= today } ?? false }
    let kept = BackupFolder.kept(names) { name in
      // A file that can't be read or decoded is kept: it may be readable later, or hold entries that can be rescued.
      guard let contents = BackupFolder.contents(of: path + "/" + name) else { return nil }
      return Fullness(events: contents.events.count, pages: contents.pageCount)
    }
    for name in names where !kept.contains(name) && name != written {
      // Another program may have removed it at the same moment.
      guard unlink(path + "/" + name) == 0 || errno == ENOENT else {
        throw PrivateFiles.Failure(path: path + "/" + name, systemError: errno)
      }
    }
  }

  /// The contents of a backup; `nil` if it can't be read, for any reason. Such a backup may still have entries, so a
  /// caller must not take it for an empty one.
  static func contents(of path: String) -> ExportFile.Contents? {
    // All callers keep such a backup, so the reason makes no difference to them.
    guard let bytes = try? PrivateFiles.readFile(path) else { return nil }
    return try? ExportFile.decodeContents(String(decoding: bytes, as: UTF8.self))
  }

  /// The newest backup that can be read; `nil` if there is none.
  func newest() throws(PrivateFiles.Failure) -> (name: String, contents: ExportFile.Contents)? {
    for name in try names().reversed() {
      // If a backup can't be read, use the one before it.
      if let contents = BackupFolder.contents(of: path + "/" + name) { return (name, contents) }
    }
    return nil
  }

  /// How much a backup contains.
  struct Fullness {
    let events, pages: Int
  }

  /// Returns the names of the backups that `rotate` keeps. Days, weeks and months without a backup don't count.
  /// - Parameter fullness: returns what is in a backup, or `nil` if it can't be read; such a backup is kept. Called
  ///   only for days with several backups.
  static func kept(_ names: [String], fullness: (String) -> Fullness?) -> Set<String> {
    var kept: Set<String> = []
    for (number, period) in [(7, \Day.number), (4, \Day.monday.number), (12, \Day.monthNumber)] {
      var seen: Set<Int32> = []
      for name in names.sorted(by: { $1.precedesInBytes($0) }) {
        guard let day = day(of: name), seen.count < number || seen.contains(day[keyPath: period]) else { continue }
        if seen.insert(day[keyPath: period]).inserted { kept.insert(name) }
      }
    }
    let days = Dictionary(grouping: names) { day(of: $0)?.number ?? 0 }
    for (_, names) in days.sorted(by: { $0.key > $1.key }).prefix(7) where names.count > 1 {
      let counted = names.map { (name: $0, fullness: fullness($0)) }
      kept.formUnion(counted.filter { $0.fullness == nil }.map(\.name))
      for number in [\Fullness.events, \.pages] {
        // If several have the most, keep the newest.
        let most = counted.max {
          ($0.fullness?[keyPath: number] ?? 0, $0.name) < ($1.fullness?[keyPath: number] ?? 0, $1.name)
        }
        if let most { kept.insert(most.name) }
      }
    }
    return kept
  }

  /// Returns the day in a name of the form `trunk-YYYYMMDD-HHmmss.json`; `nil` for any other name.
  static func day(of name: String) -> Day? {
    let bytes = Array(name.utf8)
    func number(_ range: Range<Int>) -> Int32? {
      bytes[range].allSatisfy { (0x30...0x39).contains($0) }
        ? Int32(String(decoding: bytes[range], as: UTF8.self)) : nil
    }
    guard bytes.count == 26, name.hasPrefix("trunk-"), name.hasSuffix(".json"), bytes[14] == UInt8(ascii: "-"),
      number(15..<21) != nil, let year = number(6..<10), let month = number(10..<12), let day = number(12..<14)
    else { return nil }
    return Day(year: year, month: month, day: day)
  }

  /// The time in a valid backup name, in seconds since midnight.
  static func second(of name: String) -> Int64? {
    Int64(name.dropFirst(15).prefix(6)).map { $0 / 10_000 * 3600 + $0 / 100 % 100 * 60 + $0 % 100 }
  }
}

extension BackupFolder {
  private func verify(_ file: PrivateFiles.NewFile, _ text: String, _ contents: ExportFile.Contents) throws {
    let written = try file.readBack()
    func texts(_ events: [Event]) -> [String] { events.map(\.canonicalText).sorted() }
    guard written.elementsEqual(text.utf8), let read = try? ExportFile.decodeContents(text),
      texts(read.events) == texts(contents.events), texts(read.superseded) == texts(contents.superseded),
      read.journals == contents.journals
    else { throw StoreError.backupNotVerified(path: file.path) }
  }
}

extension Day {
  fileprivate var monthNumber: Int32 { year * 12 + month }
}
