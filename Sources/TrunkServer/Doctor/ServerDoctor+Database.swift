import Glibc
import SQLiteKit

extension ServerDoctor {
  /// Checks the database, and with it the clock and the accounts.
  func checkDatabase() -> [Finding] {
    var findings = checkDatabaseOnce()
    // A server that starts or ends in the meantime changes files that are being read. A real problem stays.
    for _ in 0..<2 where findings.first?.isSound == false {
      usleep(200_000)
      findings = checkDatabaseOnce()
    }
    return findings
  }

  private func checkDatabaseOnce() -> [Finding] {
    do {
      guard PrivateFiles.exists(databasePath) else { throw ServerProblem.noDatabase(databasePath) }
      let wasInUse = try ServerLock.isHeld(folder: folder)
      let found = try checkOpenDatabase()
      // Without a server, the file is read without locks. If one has started since, check again with locks.
      return try wasInUse || !ServerLock.isHeld(folder: folder) ? found : checkOpenDatabase()
    } catch {
      return [finding(.database, false, "The database can't be read: \(error).")]
    }
  }

  private func checkOpenDatabase() throws -> [Finding] {
    let database = try open()
    let version = try database.schemaVersion
    guard version == ServerSchema.migrations.count else {
      let isNewer = version > ServerSchema.migrations.count
      return [
        finding(
          .database, false,
          isNewer
            ? "The database is from a newer version of trunk-server."
            : "The database is from an older version of trunk-server; this version's server updates it at its start.")
      ]
    }
    let result = try database.first("PRAGMA integrity_check(1)") { $0.text(0) } ?? ""
    guard result == "ok" else {
      return [finding(.database, false, "The database is damaged: \(result). Restore a backup.")]
    }
    let size = PrivateFiles.size(of: databasePath) >> 20
    return [
      finding(.database, true, "The database is sound: \(size) MiB, schema version \(version)."),
      try checkClock(database), try checkAccounts(database),
    ]
  }

  /// Opens the database without creating a file beside it.
  private func open() throws -> Database {
    // Without a write-ahead log, no program has the file open, and it is complete.
    let mode: Database.Mode = PrivateFiles.exists(databasePath + "-wal") ? .lookup : .immutable
    let database = try Database(path: databasePath, mode: mode, busyTimeout: ServerStore.busyTimeout)
    try database.run("PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF")
    return database
  }

  private func checkClock(_ database: Database) throws -> Finding {
    let newest = Microseconds(try database.integer("SELECT max(created_at) FROM events"))
    let ahead = newest.seconds - now().seconds
    guard ahead <= ServerDoctor.clockTolerance else {
      return finding(
        .clock, false,
        "The newest event is \(ServerDoctor.duration(ahead)) in the future: the clock was set back, or is slow.")
    }
    return finding(.clock, true, "The clock is not behind the newest event.")
  }
}
