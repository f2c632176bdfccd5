import Glibc
import SQLiteKit

/// Checks a server's folder, even while a server is using it. It changes nothing.
public struct ServerDoctor {
  /// What one check found.
  public struct Finding: Sendable {
    public enum Check: String, Sendable {
      case folder, secret, server, database, clock, accounts, backup, disk
    }

    public let check: Check
    /// `false` if the administrator should do something about it.
    public let isSound: Bool
    /// A sentence in plain words.
    public let text: String
  }

  /// The share of its quota above which an account is near it.
  static let nearQuota = 0.8
  /// How far the newest row may be in the future, in seconds.
  static let clockTolerance: Int64 = 60

  let folder: String
  private let accountRows: Int
  private let accountBytes: Int
  private let backupInterval: Int
  var now: @Sendable () -> Microseconds = { .now }
  var diskSpace: (_ folder: String) throws -> DiskSpace = { try DiskSpace(folder: $0) }

  /// - Parameters:
  ///   - accountRows: the server's limit of rows per account.
  ///   - accountBytes: the server's limit of bytes per account.
  ///   - backupInterval: hours between two backups; 0 if the server makes none.
  public init(folder: String, accountRows: Int, accountBytes: Int, backupInterval: Int) {
    self.folder = folder
    self.accountRows = accountRows
    self.accountBytes = accountBytes
    self.backupInterval = backupInterval
  }

  /// Runs all checks. An error becomes a finding.
  public func findings() -> [Finding] {
    guard PrivateFiles.exists(folder) else { return [finding(.folder, false, "There is no folder \(folder).")] }
    return [checkFolder(), checkSecret(), checkServer()] + checkDatabase() + [checkBackup(), checkDisk()]
  }

  private func checkFolder() -> Finding {
    attempt(.folder) {
      for path in [folder, databasePath, folder + "/backups"] where PrivateFiles.exists(path) {
        let mode = try mode(of: path)
        guard mode & 0o077 == 0 else {
          return finding(.folder, false, "Other users have access to \(path): its mode is \(octal(mode)).")
        }
      }
      return finding(.folder, true, "Only its owner has access to the folder.")
    }
  }

  private func checkSecret() -> Finding {
    attempt(.secret) {
      let path = ServerSecret.path(in: folder)
      let mode = try mode(of: path)
      guard mode == 0o600 else {
        return finding(.secret, false, "\(path) must have the mode 600, not \(octal(mode)).")
      }
      _ = try ServerSecret.read(path)
      return finding(.secret, true, "The secret is there, and only its owner has access to it.")
    }
  }

  private func checkServer() -> Finding {
    attempt(.server) {
      finding(
        .server, true,
        try ServerLock.isHeld(folder: folder) ? "A server is using the folder." : "No server is using the folder.")
    }
  }

  private func checkDisk() -> Finding {
    attempt(.disk) {
      let disk = try diskSpace(folder)
      let free = "\(disk.free >> 20) MiB of the disk are free"
      if disk.free < disk.reserve {
        return finding(.disk, false, "Only \(free): new events are rejected below \(disk.reserve >> 20) MiB.")
      }
      if disk.free < disk.reserveOfSmallAccounts {
        let limit = disk.reserveOfSmallAccounts >> 20
        return finding(.disk, false, "Only \(free): new events of large accounts are rejected below \(limit) MiB.")
      }
      let needed = disk.needed(forBackup: PrivateFiles.size(of: databasePath))
      guard disk.free >= needed else {
        return finding(
          .disk, false, "Only \(free): a backup may need \(needed >> 20) MiB, so old ones are removed for new ones.")
      }
      return finding(.disk, true, "\(free).")
    }
  }
}

extension ServerDoctor {
  var databasePath: String { folder + "/" + ServerStore.fileName }

  func finding(_ check: Finding.Check, _ isSound: Bool, _ text: String) -> Finding {
    Finding(check: check, isSound: isSound, text: text)
  }

  func attempt(_ check: Finding.Check, _ body: () throws -> Finding) -> Finding {
    do { return try body() } catch { return finding(check, false, "This could not be checked: \(error).") }
  }

  /// How near the quota the fullest accounts are.
  func checkAccounts(_ database: Database) throws -> Finding {
    let count = try database.integer("SELECT count(*) FROM users")
    let (rows, bytes) = (
      Double(accountRows) * ServerDoctor.nearQuota, Double(accountBytes) * ServerDoctor.nearQuota
    )
    let near = try database.integer(
      "SELECT count(*) FROM usage WHERE row_count > ? OR bytes > ?", .integer(Int(rows)), .integer(Int(bytes)))
    let all = ServerDoctor.count(count, "account")
    guard near == 0 else {
      return finding(.accounts, false, "\(near) of \(all) above 80 % of the quota: see “trunk-server accounts”.")
    }
    return finding(.accounts, true, "\(all), not near the quota.")
  }

  private func checkBackup() -> Finding {
    attempt(.backup) {
      let backups = folder + "/backups"
      guard let name = try ServerBackup.newest(in: backups, now: now()), let instant = ServerBackup.instant(of: name)
      else {
        return finding(.backup, backupInterval == 0, "There is no backup.")
      }
      let found = try ServerDoctor.contents(backups + "/" + name)
      let age = ServerDoctor.duration(max(0, now().seconds - instant.seconds))
      let text = "The newest backup is \(age) old"
      guard backupInterval == 0 || now() < instant + Int64(2 * backupInterval) * 3600 else {
        return finding(.backup, false, text + ", so one was not made: see the server's log.")
      }
      return finding(.backup, true, text + " and complete: \(found).")
    }
  }

  /// - Throws: `ServerProblem.badBackup` if the file isn't a complete copy.
  private static func contents(_ path: String) throws -> String {
    // Nothing writes to a finished backup.
    let database = try Database(path: path, mode: .immutable, busyTimeout: 0)
    guard try database.first("PRAGMA integrity_check(1)", map: { $0.text(0) }) == "ok",
      try (1...ServerSchema.migrations.count).contains(database.schemaVersion)
    else { throw ServerProblem.badBackup }
    let users = try database.integer("SELECT count(*) FROM users")
    return count(users, "account") + ", " + count(try database.integer("SELECT count(*) FROM events"), "event")
  }

  private func mode(of path: String) throws -> mode_t {
    var status = stat()
    guard stat(path, &status) == 0 else { throw PrivateFiles.Failure(path: path, systemError: errno) }
    return status.st_mode & 0o7777
  }

  private func octal(_ mode: mode_t) -> String { String(mode, radix: 8) }

  /// A duration in its largest unit.
  static func duration(_ seconds: Int64) -> String {
    let units: [(Int64, String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
    guard let (length, name) = units.first(where: { seconds >= $0.0 }) else { return "less than a minute" }
    return count(seconds / length, name)
  }

  static func count(_ number: Int64, _ noun: String) -> String { "\(number) \(noun)" + (number == 1 ? "" : "s") }
}
