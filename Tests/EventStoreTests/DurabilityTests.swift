import FolderChanges
import Foundation
import Glibc
import SQLiteKit
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

/// Acknowledged events survive crashes of the program and failures of the disk.
@Suite(.serialized) struct DurabilityTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  /// Opens the store and checks that it is intact and contains every acknowledged event exactly once.
  private func check(_ acknowledged: Set<String>, _ comment: Comment) async throws {
    let store = try folder.store()
    #expect(store.access == .readWrite, comment)
    let kept = try await store.events(afterSeq: 0).compactMap(\.event.clientID)
    #expect(acknowledged.subtracting(kept).isEmpty, comment)
    #expect(Set(kept).count == kept.count, comment)
    let verification = try await store.verify()
    #expect(verification.isSound && verification.searchDifferences.isEmpty, comment)
  }

  @Test func acknowledgedEventsSurviveTwoHundredKills() async throws {
    var random = SeededRandom(seed: 11)
    var acknowledged: Set<String> = []
    for round in 1...200 {
      // Every fifth program is killed during an import, every tenth while it creates a new file.
      if round % 10 == 0 {
        try await check(acknowledged, "round \(round)")
        try FileManager.default.removeItem(atPath: folder.garden)
        try FileManager.default.createDirectory(
          atPath: folder.garden, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        acknowledged = []
      }
      let batch = round % 5 == 0 ? "400" : "1"
      let changes = FolderChanges(round == 1 ? folder.path : folder.garden)
      let writer = try Writer(["append", folder.garden, "100000", batch])
      let outcome = try writer.outcome(
        killedAfter: round % 10 == 0 ? 0 : Int.random(in: 1...20, using: &random),
        then: Int.random(in: 0...12, using: &random), in: changes)
      #expect(outcome.wasKilled && outcome.errors.isEmpty, "round \(round): \(outcome.errors)")
      acknowledged.formUnion(outcome.acknowledged)
      if round % 20 == 1 { try await check(acknowledged, "round \(round)") }
    }
    try await check(acknowledged, "end")
  }

  /// An export is acknowledged only when its text and its name are on the disk.
  @Test func everyFailedWriteOfAnExportIsReported() async throws {
    let library = try #require(FaultShim.path)
    _ = try await folder.store().append([.water(1)])
    let (exports, mark) = (folder.path + "/exports", folder.path + "/mark")
    try FileManager.default.createDirectory(atPath: exports, withIntermediateDirectories: true)
    var reportedFailures = 0
    for number in 1...20 {
      unlink(mark)
      let outcome = try Writer(
        ["export", folder.garden, exports + "/garden.json"],
        environment: FaultShim.environment(
          library, folder: exports, at: number, .error(EIO), stays: false, mark: mark)
      ).outcome()
      let happened = access(mark, F_OK) == 0
      if outcome.status == 3 { reportedFailures += 1 }
      #expect(happened || outcome.status == 0, "call \(number): \(outcome.lines)")
      // Three calls must be reported: writing the text, its fsync, and the fsync of the folder. Failing to reserve
      // space before that is not an error.
      if !happened { return #expect(reportedFailures >= 3, "\(reportedFailures) of \(number - 1) calls") }
    }
    Issue.record("The export did not succeed.")
  }

  /// Injects a fault into every writing call in turn, from creating the file to closing it.
  private func injectFaults(_ kind: FaultShim.Kind, stays: Bool, arguments: [String]) async throws {
    guard let library = FaultShim.path else {
      Issue.record("The fault shim could not be compiled.")
      return
    }
    for number in 1...10_000 {
      // In even rounds, the file already holds acknowledged events, which must survive as well.
      try? FileManager.default.removeItem(atPath: folder.garden)
      var acknowledged: Set<String> = []
      if number % 2 == 0 {
        acknowledged.formUnion(try Writer(["append", folder.garden, "2"]).outcome().acknowledged)
        #expect(acknowledged.count == 2)
      }
      let mark = folder.path + "/mark"
      unlink(mark)
      let outcome = try Writer(
        ["append", folder.garden] + arguments,
        environment: FaultShim.environment(
          library, folder: folder.garden, at: number, kind, stays: stays, mark: mark)
      ).outcome()
      let happened = access(mark, F_OK) == 0
      let comment: Comment = "call \(number), \(kind): \(outcome.lines)"
      switch kind {
      case .error(let code):
        // The program ends by itself and reports every failure.
        #expect(!outcome.wasKilled && (outcome.status == 0 || outcome.status == 3), comment)
        #expect(
          (outcome.status == 3) == (outcome.errors.count >= 1 && outcome.lines.last == outcome.errors.last), comment)
        if code == ENOSPC {
          #expect(outcome.errors.allSatisfy { $0.contains("disk full | The disk is full.") }, comment)
        }
        #expect(outcome.errors.allSatisfy { !$0.hasSuffix("| ") }, comment)
      case .killed, .killedHalfway: #expect(outcome.wasKilled == happened, comment)
      }
      acknowledged.formUnion(outcome.acknowledged)
      try await check(acknowledged, comment)
      // Odd rounds make more calls, because the file doesn't exist yet, so only they decide when all calls were tried.
      if !happened && number % 2 == 1 { return }
    }
    Issue.record("The program still made more calls in the last round.")
  }

  @Test(arguments: [EIO, ENOSPC], [false, true])
  func acknowledgedEventsSurviveFailuresOfEveryCall(code: Int32, stays: Bool) async throws {
    try await injectFaults(.error(code), stays: stays, arguments: ["4"])
  }

  @Test func acknowledgedEventsSurviveKillsAtEveryCall() async throws {
    try await injectFaults(.killed, stays: false, arguments: ["3"])
    try await injectFaults(.killedHalfway, stays: false, arguments: ["3"])
  }

  @Test func anImportSurvivesKillsAtEveryCall() async throws {
    try await injectFaults(.killed, stays: false, arguments: ["1", "60"])
  }

  /// A recovery that is killed before it renames a file is repeated or finished by the next start, and loses none of
  /// what an undisturbed recovery finds.
  @Test func aRecoverySurvivesKillsAtEveryRename() async throws {
    let library = try #require(FaultShim.path)
    _ = try Writer(["append", folder.garden, "100000", "1"]).outcome(killedAfter: 8)
    let log = URL(fileURLWithPath: folder.garden + "/garden.db-wal")
    var bytes = [UInt8](try Data(contentsOf: log))
    bytes[bytes.count / 2] ^= 1
    try Data(bytes).write(to: log)
    let damaged = folder.path + "/damaged"
    try FileManager.default.copyItem(atPath: folder.garden, toPath: damaged)
    let found: Set<String>
    do {
      let store = try folder.store()
      #expect(store.recovery != nil)
      found = Set(try await store.events(afterSeq: 0).compactMap(\.event.clientID))
    }
    #expect(!found.isEmpty)
    let mark = folder.path + "/mark"
    for number in 1...20 {
      unlink(mark)
      try FileManager.default.removeItem(atPath: folder.garden)
      try FileManager.default.copyItem(atPath: damaged, toPath: folder.garden)
      var environment = FaultShim.environment(
        library, folder: folder.garden, at: number, .killed, stays: false, mark: mark)
      environment["FAULT_RENAMES"] = "1"
      let outcome = try Writer(["append", folder.garden, "1"], environment: environment).outcome()
      try await check(found.union(outcome.acknowledged), "rename \(number): \(outcome.lines)")
      // The new file, the damaged one and its two companions are renamed.
      if access(mark, F_OK) != 0 { return #expect(number > 4) }
    }
    Issue.record("The program still made more calls in the last round.")
  }

  @Test func twoProgramsCanWriteAtOnce() async throws {
    let store = try folder.store()
    let changes = try await store.changes()
    let writers = try (0..<2).map { _ in try Writer(["append", folder.garden, "300"]) }
    let seen = Task {
      for await _ in changes where try await store.count() == 600 { return true }
      return false
    }
    let outcomes = try writers.map { try $0.outcome() }
    for outcome in outcomes {
      #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
      #expect(outcome.acknowledged.count == 300)
    }
    #expect(try await seen.value)
    try await check(Set(outcomes.flatMap(\.acknowledged)), "")
  }

  @Test func severalProgramsCanCreateTheFileAtOnce() async throws {
    for _ in 0..<15 {
      try? FileManager.default.removeItem(atPath: folder.garden)
      let outcomes = try (0..<3).map { _ in try Writer(["append", folder.garden, "3"]) }.map { try $0.outcome() }
      #expect(outcomes.allSatisfy { $0.status == 0 && $0.errors.isEmpty }, "\(outcomes)")
      try await check(Set(outcomes.flatMap(\.acknowledged)), "")
    }
  }

  @Test func aFileSizeLimitIsReportedAsAFullDisk() async throws {
    let outcome = try Writer(
      ["append", folder.garden, "100000"], environment: ["STORE_WRITER_FILE_LIMIT": "1400000"]
    ).outcome()
    #expect(outcome.status == 3)
    #expect(outcome.acknowledged.count > 10)
    #expect(outcome.errors.allSatisfy { $0.contains("disk full") }, "\(outcome.errors)")
    try await check(Set(outcome.acknowledged), "")
  }

  @Test(.enabled(if: canMount, "needs the right to mount")) func aFullDiskKeepsAcknowledgedEvents()
    async throws
  {
    try FileManager.default.createDirectory(atPath: folder.garden, withIntermediateDirectories: true)
    #expect(mount("tmpfs", folder.garden, "tmpfs", 0, "size=1400k") == 0)
    defer { umount(folder.garden) }
    let outcome = try Writer(["append", folder.garden, "100000"]).outcome()
    #expect(outcome.status == 3)
    #expect(outcome.acknowledged.count > 10)
    #expect(outcome.errors.allSatisfy { $0.contains("disk full") }, "\(outcome.errors)")
    // Reading works while the disk is full.
    do {
      let store = try folder.store()
      let kept = try await store.events(afterSeq: 0).compactMap(\.event.clientID)
      #expect(Set(outcome.acknowledged).subtracting(kept).isEmpty)
    }
    #expect(mount("tmpfs", folder.garden, "tmpfs", UInt(MS_REMOUNT), "size=20m") == 0)
    #expect(try Writer(["append", folder.garden, "5"]).outcome().status == 0)
    try await check(Set(outcome.acknowledged), "")
  }

  /// Reading needs no disk space, whether or not the newest entries are still in the write-ahead log.
  @Test(.enabled(if: canMount, "needs the right to mount"), arguments: [false, true])
  func aFullDiskCanBeRead(withLog: Bool) async throws {
    try FileManager.default.createDirectory(atPath: folder.garden, withIntermediateDirectories: true)
    #expect(mount("tmpfs", folder.garden, "tmpfs", 0, "size=4m") == 0)
    defer { umount(folder.garden) }
    let writer = try Writer(["append", folder.garden, withLog ? "100000" : "5"])
    let outcome = withLog ? try writer.outcome(killedAfter: 5) : try writer.outcome()
    unlink(folder.database + "-shm")
    #expect(withLog == !PrivateFiles.isEmpty(folder.database + "-wal"))
    fillDisk(with: folder.garden + "/rest")
    #expect(throws: StoreError.diskFull) { try folder.store() }
    let before = try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.database)))
    do {
      let store = try await EventStore.open(folder: folder.garden, fullDisk: .opensForReading)
      #expect(store.access == .readOnly(.diskFull))
      let kept = try await store.events(afterSeq: 0).compactMap(\.event.clientID)
      #expect(!kept.isEmpty && Set(outcome.acknowledged).subtracting(kept).isEmpty)
      #expect(try await store.verify().isSound)
      await #expect(throws: StoreError.diskFull) { try await store.append([.water(1)]) }
    }
    #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: folder.database))) == before)
    unlink(folder.garden + "/rest")
    #expect(try Writer(["append", folder.garden, "1"]).outcome().status == 0)
    try await check(Set(outcome.acknowledged), "\(withLog)")
  }

  @Test func readOnlyFilesCanBeRead() async throws {
    let acknowledged = try Writer(["append", folder.garden, "5"]).outcome().acknowledged
    #expect(acknowledged.count == 5)
    let nobody: uid_t = 65_534
    var environment: [String: String] = [:]
    if getuid() == 0 {
      environment["STORE_WRITER_UID"] = String(nobody)
      chmod(folder.path, 0o755)
      for name in ["", "/garden.db", "/garden.lock"] { chown(folder.garden + name, nobody, nobody) }
    }
    func expectReading(_ comment: Comment) throws {
      let outcome = try Writer(["read", folder.garden], environment: environment).outcome()
      #expect(outcome.status == 3, comment)
      #expect(outcome.lines.contains("count 5"), "\(comment): \(outcome.lines)")
      #expect(!outcome.errors.isEmpty && outcome.errors.allSatisfy { $0.contains("not writable") }, comment)
    }
    chmod(folder.database, 0o400)
    try expectReading("file")
    chmod(folder.garden, 0o500)
    try expectReading("file and folder")
    chmod(folder.database, 0o600)
    try expectReading("folder")
    chmod(folder.garden, 0o700)
    for mode: mode_t in [0, 0o200] {
      chmod(folder.database, mode)
      let outcome = try Writer(["read", folder.garden], environment: environment).outcome()
      #expect(outcome.errors.contains { $0.contains("errno 13") }, "\(outcome.errors)")
    }
    chmod(folder.database, 0o600)
    let outcome = try Writer(["append", folder.garden, "1"], environment: environment).outcome()
    #expect(outcome.status == 0, "\(outcome.lines)")
  }
}
