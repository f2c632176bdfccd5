import Foundation
import SQLiteKit
import TemporaryFolders
import Testing

@testable import TrunkServer

/// Tests what `trunk-server doctor` finds in folders with one problem each.
@Suite struct ServerDoctorTests {
  private let folder = TemporaryFolder("trunk-doctor")

  /// A folder with a secret, an account with three rows, and a backup.
  init() async throws {
    try await ServerStore(folder: folder.path).close()
    _ = try ServerSecret.load(folder: folder.path)
    try database().run(
      """
      INSERT INTO users VALUES ('ada', 'ada@example.org', '{}', 1, 1, 1);
      INSERT INTO events (id, user_id, type, payload, created_at)
        VALUES ('a', 'ada', 't', '{}', 1), ('b', 'ada', 't', '{}', 2), ('c', 'ada', 't', '{}', 3)
      """)
    try ServerBackup.write(folder: folder.path)
  }

  private func database() throws -> Database {
    try Database(path: folder.path + "/" + ServerStore.fileName, mode: .readWrite, busyTimeout: 10_000)
  }

  private var doctor: ServerDoctor {
    var doctor = ServerDoctor(folder: folder.path, accountRows: 100, accountBytes: 1 << 20, backupInterval: 24)
    doctor.diskSpace = { _ in DiskSpace(free: 1 << 40, total: 1 << 41) }
    return doctor
  }

  /// The only problem that the doctor finds.
  private func problem(_ doctor: ServerDoctor? = nil) throws -> ServerDoctor.Finding {
    let problems = (doctor ?? self.doctor).findings().filter { !$0.isSound }
    #expect(problems.count == 1, "\(problems)")
    return try #require(problems.first)
  }

  private var newestBackup: String {
    get throws {
      let backups = folder.path + "/backups"
      return backups + "/" + (try #require(try PrivateFiles.names(in: backups).last))
    }
  }

  @Test func aSoundFolderHasNoProblem() {
    let findings = doctor.findings()
    #expect(findings.filter { !$0.isSound }.isEmpty, "\(findings)")
    #expect(
      findings.map(\.check) == [.folder, .secret, .server, .database, .clock, .accounts, .backup, .disk], "\(findings)")
    #expect(findings[2].text == "No server is using the folder.")
    #expect(findings[6].text == "The newest backup is less than a minute old and complete: 1 account, 3 events.")
  }

  @Test func nothingIsCreated() throws {
    // The backup, which only reads, left an empty log.
    for end in ["-wal", "-shm"] { try PrivateFiles.remove(folder.path + "/" + ServerStore.fileName + end) }
    let before = try PrivateFiles.names(in: folder.path)
    _ = doctor.findings()
    #expect(try PrivateFiles.names(in: folder.path) == before)
  }

  @Test func aServersLockIsSeenAndNotTaken() throws {
    let lock = try ServerLock(folder: folder.path)
    #expect(doctor.findings()[2].text == "A server is using the folder.")
    withExtendedLifetime(lock) {}
    #expect(throws: ServerProblem.self) { try ServerLock(folder: folder.path) }
  }

  @Test func aMissingFolderIsReported() throws {
    let doctor = ServerDoctor(folder: "/nowhere", accountRows: 1, accountBytes: 1, backupInterval: 24)
    let text = try problem(doctor).text
    #expect(text == "There is no folder /nowhere.")
  }

  @Test(arguments: [("", mode_t(0o750)), ("/" + ServerStore.fileName, mode_t(0o640)), ("/backups", mode_t(0o701))])
  func accessOfOthersIsReported(_ name: String, _ mode: mode_t) throws {
    #expect(chmod(folder.path + name, mode) == 0)
    let problem = try problem()
    #expect(problem.check == .folder && problem.text.hasSuffix("its mode is \(String(mode, radix: 8))."))
  }

  @Test func aSecretThatOthersCanReadIsReported() throws {
    #expect(chmod(folder.path + "/secret", 0o644) == 0)
    let text = try problem().text
    #expect(text.hasSuffix("/secret must have the mode 600, not 644."))
  }

  @Test(arguments: [nil, "short" as String?]) func aUselessSecretIsReportedAndNotReplaced(_ text: String?) throws {
    let path = folder.path + "/secret"
    try PrivateFiles.remove(path)
    if let text { try PrivateFiles.write(text, to: path) }
    let problem = try problem()
    #expect(problem.check == .secret && !problem.text.contains("short"))
    #expect(PrivateFiles.exists(path) == (text != nil))
  }

  @Test func aMissingDatabaseIsReported() throws {
    try PrivateFiles.remove(folder.path + "/" + ServerStore.fileName)
    #expect(try problem().check == .database)
  }

  @Test func aDamagedDatabaseIsReported() throws {
    let path = folder.path + "/" + ServerStore.fileName
    let root = try database().integer("SELECT rootpage FROM sqlite_schema WHERE name = 'events_user_created'")
    try PrivateFiles.overwrite([UInt8](repeating: 0xFF, count: 100), at: path, from: Int(root - 1) * 4096)
    #expect(try problem().check == .database)
  }

  @Test(arguments: [(99, "a newer"), (1, "an older")])
  func anotherVersionIsReported(_ version: Int, _ words: String) throws {
    try database().run("PRAGMA user_version = \(version)")
    let text = try problem().text
    #expect(text.hasPrefix("The database is from \(words) version"))
  }

  @Test func aClockThatWasSetBackIsReported() throws {
    let future = Microseconds.now + 5400
    try database().execute("UPDATE events SET created_at = ? WHERE id = 'c'", .integer(future.value))
    let text = try problem().text
    #expect(text.hasPrefix("The newest event is 1 hour in the future"))
  }

  @Test func accountsNearTheirQuotaAreReported() throws {
    for (rows, bytes) in [(3, 1 << 20), (100, 700)] {
      var doctor = ServerDoctor(folder: folder.path, accountRows: rows, accountBytes: bytes, backupInterval: 24)
      doctor.diskSpace = self.doctor.diskSpace
      let text = try problem(doctor).text
      #expect(text.hasPrefix("1 of 1 account above 80 % of the quota"))
    }
  }

  @Test func anOldBackupIsReported() throws {
    var doctor = doctor
    doctor.now = { Microseconds.now + 3 * 86_400 }
    let text = try problem(doctor).text
    #expect(text == "The newest backup is 3 days old, so one was not made: see the server's log.")
  }

  @Test func aMissingBackupIsReportedUnlessTheServerMakesNone() throws {
    try PrivateFiles.remove(try newestBackup)
    let text = try problem().text
    #expect(text == "There is no backup.")
    var doctor = ServerDoctor(folder: folder.path, accountRows: 100, accountBytes: 1 << 20, backupInterval: 0)
    doctor.diskSpace = self.doctor.diskSpace
    #expect(doctor.findings().filter { !$0.isSound }.isEmpty)
  }

  @Test func aDamagedBackupIsReported() throws {
    try PrivateFiles.overwrite([UInt8](repeating: 0xFF, count: 5000), at: try newestBackup, from: 4096)
    #expect(try problem().check == .backup)
  }

  @Test(arguments: [(100, "new events are rejected"), (1000, "large accounts are rejected"), (1025, "")])
  func aFullDiskIsReported(_ mebibytes: Int, _ words: String) throws {
    var doctor = doctor
    doctor.diskSpace = { _ in DiskSpace(free: Int64(mebibytes) << 20, total: 1 << 40) }
    if words.isEmpty {
      #expect(doctor.findings().filter { !$0.isSound }.isEmpty)
    } else {
      let text = try problem(doctor).text
      #expect(text.contains(words))
    }
  }
}
