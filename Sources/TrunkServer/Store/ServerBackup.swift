import Glibc
import SQLiteKit

/// Complete, verified copies of the database, made while it is in use.
public enum ServerBackup {
  /// The number of backups to keep.
  private static let kept = 14

  /// Writes a backup to the folder `backups` beside the database and removes the oldest ones.
  /// - Returns: the path of the backup.
  @discardableResult
  public static func write(folder: String) throws -> String {
    try write(folder: folder, diskSpace: { try DiskSpace(folder: $0) })
  }

  /// - Parameter diskSpace: measures the disk of a folder.
  @discardableResult
  static func write(folder: String, diskSpace: (_ folder: String) throws -> DiskSpace) throws -> String {
    let backups = folder + "/backups"
    // Before the folder is made, so that a mistyped path creates nothing.
    let size = try size(folder: folder)
    try PrivateFiles.makeFolder(backups)
    for name in try PrivateFiles.names(in: backups) where isDraft(name) {
      PrivateFiles.NewFile.removeIfAbandoned(backups + "/" + name)
    }
    try makeSpace(in: backups, for: size, try diskSpace(backups))
    let path = backups + "/" + name(.now)
    try write(folder: folder, to: path)
    // A backup dated in the future was made before the clock was set back. It must not displace newer ones.
    ServerLog.log.info("a backup was written", metadata: ["name": "\(PrivateFiles.name(of: path))"])
    for name in try names(backups).filter({ backups + "/" + $0 <= path }).dropLast(kept) {
      try remove(name, in: backups)
    }
    return path
  }

  /// Writes a backup to a file that must not exist.
  public static func write(folder: String, to path: String) throws {
    guard !PrivateFiles.exists(path) else { throw ServerProblem.exists(path) }
    let draft = path + ".part"
    PrivateFiles.NewFile.removeIfAbandoned(draft)
    // Created first, with access for its owner only. SQLite fills an empty file.
    let file: PrivateFiles.NewFile
    do {
      file = try PrivateFiles.NewFile(draft)
    } catch let error where error.systemError == EEXIST {
      throw ServerProblem.backupIsRunning(path)
    }
    defer { withExtendedLifetime(file) {} }
    do {
      try source(folder).execute("VACUUM INTO ?", .text(draft))
      let copy = try Database(path: draft, mode: .readOnly, busyTimeout: 0)
      let result = try copy.first("PRAGMA integrity_check(1)", map: { $0.text(0) })
      guard result == "ok" else { throw ServerProblem.badBackup }
      let descriptor = open(draft, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
      defer { close(descriptor) }
      guard descriptor >= 0, fsync(descriptor) == 0 else {
        throw PrivateFiles.Failure(path: draft, systemError: errno)
      }
      try PrivateFiles.rename(draft, to: path)
      try PrivateFiles.sync(folder: PrivateFiles.folder(of: path))
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// Writes a backup if the newest is older than `hours`.
  static func writeIfDue(
    folder: String, hours: Int, diskSpace: (_ folder: String) throws -> DiskSpace = { try DiskSpace(folder: $0) }
  ) throws {
    let (now, due) = (name(.now), name(.now + -Int64(hours) * 3600))
    // A backup that was made while the clock was ahead must not keep new ones from being made.
    let newest = try names(folder + "/backups").last { $0 <= now }
    guard hours > 0, newest.map({ $0 <= due }) ?? true else { return }
    try write(folder: folder, diskSpace: diskSpace)
  }

  /// Removes the oldest backups if a new one would leave too little space. The newest one stays, and so do all of them
  /// if removing them wouldn't be enough.
  /// - Parameter size: the size of the new backup in bytes.
  private static func makeSpace(in backups: String, for size: Int64, _ disk: DiskSpace) throws {
    let needed = disk.needed(forBackup: size)
    var free = disk.free
    var oldest: [String] = []
    let all = try names(backups)
    let newest = try newest(in: backups, now: .now)
    for name in all where name != newest && free < needed {
      free += PrivateFiles.size(of: backups + "/" + name)
      oldest.append(name)
    }
    guard free >= needed else { throw ServerProblem.noSpaceForBackup(free: disk.free, needed: needed) }
    for name in oldest {
      try remove(name, in: backups)
      ServerLog.log.warning("a backup was removed to make space for a new one", metadata: ["name": "\(name)"])
    }
  }

  /// The newest backup; `nil` if there is none. One that is dated in the future counts only if there is no other.
  static func newest(in backups: String, now: Microseconds) throws -> String? {
    let all = try names(backups)
    return all.last { $0 <= name(now) } ?? all.last
  }

  /// When a backup was made, by its name; `nil` if it has another name.
  static func instant(of name: String) -> Microseconds? {
    let text = name.dropFirst("trunk-server-".count).dropLast(".db".count)
    // As `name` writes it: 2026-11-25T202449120Z.
    guard text.utf8.count == 21, let time = text.split(separator: "T").last else { return nil }
    let (hour, rest) = (time.prefix(2), time.dropFirst(2))
    let (minute, seconds) = (rest.prefix(2), rest.dropFirst(2))
    return Microseconds("\(text.prefix(10))T\(hour):\(minute):\(seconds.prefix(2)).\(seconds.dropFirst(2))")
  }

  private static func remove(_ name: String, in backups: String) throws(PrivateFiles.Failure) {
    let path = backups + "/" + name
    guard unlink(path) == 0 || errno == ENOENT else { throw PrivateFiles.Failure(path: path, systemError: errno) }
  }

  /// The size of a new backup in bytes. A backup has no unused pages.
  private static func size(folder: String) throws -> Int64 {
    let database = try source(folder)
    let pages = try database.integer("PRAGMA page_count") - database.integer("PRAGMA freelist_count")
    return try pages * database.integer("PRAGMA page_size")
  }

  private static func source(_ folder: String) throws -> Database {
    let path = folder + "/" + ServerStore.fileName
    guard PrivateFiles.exists(path) else { throw ServerProblem.noDatabase(path) }
    return try Database(path: path, mode: .readOnly, busyTimeout: 10_000)
  }

  private static func names(_ folder: String) throws -> [String] {
    try PrivateFiles.names(in: folder).filter { $0.hasPrefix("trunk-server-") && $0.hasSuffix(".db") }
  }

  /// Whether a file belongs to a backup that may be incomplete.
  private static func isDraft(_ name: String) -> Bool {
    name.hasPrefix("trunk-server-") && name.contains(".db.part")
  }

  /// Names sort by time.
  private static func name(_ instant: Microseconds) -> String {
    let text = instant.milliseconds.replacing(":", with: "").replacing(".", with: "")
    return "trunk-server-\(text).db"
  }
}
