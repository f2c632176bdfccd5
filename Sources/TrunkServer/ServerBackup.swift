import Glibc
import Storage

/// Copies of the database, complete and checked, made while it is in use.
public enum ServerBackup {
  /// Backups that are kept.
  private static let kept = 14

  /// Writes one into the folder `backups` beside the database and removes the oldest.
  /// - Returns: the path of the copy.
  @discardableResult
  public static func write(folder: String) throws -> String {
    let backups = folder + "/backups"
    try PrivateFiles.makeFolder(backups)
    let path = backups + "/" + name(.now)
    try write(folder: folder, to: path)
    for name in try names(backups).dropLast(kept) { unlink(backups + "/" + name) }
    return path
  }

  /// Writes one to a file that does not exist.
  public static func write(folder: String, to path: String) throws {
    guard !PrivateFiles.exists(path) else { throw ServerProblem.exists(path) }
    let draft = path + ".part"
    unlink(draft)
    // Made before with rights for its owner alone; SQLite fills an empty file.
    try PrivateFiles.makeFile(draft)
    do {
      let source = try Database(
        path: folder + "/" + ServerStore.fileName, mode: .readOnly, busyTimeout: 10_000)
      try source.execute("VACUUM INTO ?", .text(draft))
      let copy = try Database(path: draft, mode: .readOnly, busyTimeout: 0)
      let verdict = try copy.first("PRAGMA quick_check", map: { $0.text(0) })
      guard verdict == "ok" else { throw ServerProblem.badBackup }
      let descriptor = open(draft, O_RDONLY | O_CLOEXEC)
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

  /// Writes one if the newest is older than so many hours.
  static func writeIfDue(folder: String, hours: Int) throws {
    let due = name(.now + -Int64(hours) * 3600)
    if hours > 0, try names(folder + "/backups").last.map({ $0 <= due }) ?? true { try write(folder: folder) }
  }

  private static func names(_ folder: String) throws -> [String] {
    try PrivateFiles.names(in: folder).filter { $0.hasPrefix("trunk-server-") && $0.hasSuffix(".db") }
  }

  /// Names sort by time.
  private static func name(_ instant: Microseconds) -> String {
    let text = instant.milliseconds.replacing(":", with: "").replacing(".", with: "")
    return "trunk-server-\(text).db"
  }
}
