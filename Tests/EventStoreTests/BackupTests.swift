import Foundation
import SQLiteKit
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

struct BackupTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path + "/backups").sorted()
  }

  /// The numbers of new, duplicate, unknown and malformed events.
  private func counts(_ preview: ImportPreview) -> [Int] {
    [preview.new, preview.duplicates, preview.unknown, preview.malformed]
  }

  @Test func aBackupHoldsTheWholeLog() async throws {
    let odd = try Event.json(#"{"type":"odd","n":1.50}"#)
    _ = try await store.append([.water(2, "two"), odd, .water(1, "one")])
    let result = try await store.backUp(to: folder.path, now: .start, zone: .utc)
    #expect(result.eventCount == 3)
    #expect(result.path == folder.path + "/backups/trunk-20251009-085320.json")
    #expect(try files() == ["trunk-20251009-085320.json"])
    #expect(try folder.mode("backups") == 0o700)
    #expect(try folder.mode("backups/trunk-20251009-085320.json") == 0o600)
    let text = try String(contentsOfFile: result.path, encoding: .utf8)
    let other = try EventStore(folder: folder.path + "/other", options: ConnectionOptions())
    let preview = try await other.importPreview(try ExportFile.decode(text))
    #expect(counts(preview) == [3, 0, 1, 0])
    _ = try await other.append(ExportFile.decode(text))
    let canonical = { (events: [LoggedEvent]) in events.map(\.event.canonicalText) }
    #expect(try await canonical(other.events(afterKey: nil)) == canonical(store.events(afterKey: nil)))
  }

  /// A backup from the time when the clock was wrong doesn't cause another one at every call.
  @Test func aBackupNamedInTheFutureIsNotTheNewest() async throws {
    _ = try await store.append([.water(1)])
    _ = try await store.backUp(to: folder.path, now: .start.plus(900 * 86_400), zone: .utc)
    _ = try await store.append([.water(2)])
    #expect(try await store.backUpIfDue(to: folder.path, now: .start, zone: .utc) != nil)
    _ = try await store.append([.water(3)])
    #expect(try await store.backUpIfDue(to: folder.path, now: .start.plus(60), zone: .utc) == nil)
    #expect(try await store.backUpIfDue(to: folder.path, now: .start.plus(86_400), zone: .utc) != nil)
  }

  @Test func backsUpOnceADayIfTheLogHasChanged() async throws {
    let day: Int64 = 86_400
    func backUp(_ seconds: Int64) async throws -> Bool {
      try await store.backUpIfDue(to: folder.path, now: .start.plus(seconds), zone: .utc) != nil
    }
    #expect(try await !backUp(0))
    _ = try await store.append([.water(1)], undoableUntil: .start.plus(10))
    #expect(try await backUp(0))
    _ = try await store.append([.water(2)], undoableUntil: .start.plus(10))
    #expect(try await !backUp(60))
    #expect(try await backUp(day))
    #expect(try await !backUp(2 * day))
    try await store.undo(clientIDs: [try #require(Event.water(2).clientID)], now: .start)
    #expect(try await backUp(3 * day))
    try FileManager.default.removeItem(atPath: folder.path + "/backups")
    #expect(try await backUp(3 * day))
    #expect(try files().count == 1)
    // An empty log is not backed up, because it would push out older backups.
    try await store.undo(clientIDs: [try #require(Event.water(1).clientID)], now: .start)
    #expect(try await !backUp(9 * day))
  }

  @Test func rotationKeepsDailyWeeklyAndMonthlyBackups() async throws {
    _ = try await store.append([.water(1)])
    let backups = BackupFolder(in: folder.path)
    try FileManager.default.createDirectory(atPath: backups.path, withIntermediateDirectories: true)
    let foreign = ["notes.txt", "trunk-2025.json", "trunk-20250132-000000.json", "trunk-20250101-0000000.json"]
    let first = Day(number: 20_000)
    var names: [String] = []
    for day in 0..<800 {
      let date = first.adding(days: Int32(day)).description.filter { $0 != "-" }
      names += ["trunk-\(date)-080000.json", "trunk-\(date)-200000.json"]
    }
    let backup = ExportFile.encode([Event](), exportedAt: .start)
    for name in foreign + names {
      try backup.write(toFile: backups.path + "/" + name, atomically: false, encoding: .utf8)
    }
    try backups.rotate(backups.names(), keeping: names.last ?? "", today: first.adding(days: 800))
    let left = try backups.names()
    #expect(Set(foreign).isSubset(of: Set(try files())))
    #expect(left.allSatisfy { $0.hasSuffix("-200000.json") })
    let days = left.compactMap(BackupFolder.day).reversed().map { Int($0.number) - 20_000 }
    #expect(Array(days.prefix(7)) == [799, 798, 797, 796, 795, 794, 793])
    #expect(Set(days.map { Day(number: Int32($0 + 20_000)).monday }).count >= 4)
    #expect(Set(left.map { $0.dropFirst(6).prefix(6) }).count == 12)
    #expect((15...23).contains(days.count), "\(days)")
    try backups.rotate(backups.names(), keeping: names.last ?? "", today: first.adding(days: 800))
    #expect(try backups.names() == left)
    // Another program has removed a backup since its names were listed.
    try backups.rotate([names[0]] + left, keeping: names.last ?? "", today: first.adding(days: 800))
    #expect(try backups.names() == left)
  }

  /// The clock was set back after a year of backups.
  @Test func theBackupThatWasJustWrittenStays() async throws {
    _ = try await store.append([.water(1)])
    try FileManager.default.createDirectory(atPath: folder.path + "/backups", withIntermediateDirectories: true)
    for month in 1...12 {
      let name = "trunk-2030\(month < 10 ? "0" : "")\(month)01-120000.json"
      try Data().write(to: URL(fileURLWithPath: folder.path + "/backups/" + name))
    }
    for day in 0..<3 as Range<Int64> {
      let result = try await store.backUp(to: folder.path, now: .start.adding(seconds: day * 86_400), zone: .utc)
      #expect(FileManager.default.fileExists(atPath: result.path))
    }
    #expect(try files().count == 15, "the earlier days stay too")
  }

  /// Each folder has its own state, so that days without entries add no backups that push out older ones.
  @Test func anUnchangedDayAddsNoBackupToEitherFolder() async throws {
    let second = folder.path + "/second"
    _ = try await store.append([.water(1)])
    for to in [folder.path, second] {
      #expect(try await store.backUpIfDue(to: to, now: .start, zone: .utc) != nil)
    }
    for day in 1...3 as ClosedRange<Int64> {
      for to in [folder.path, second] {
        #expect(try await store.backUpIfDue(to: to, now: .start.plus(day * 86_400), zone: .utc) == nil)
      }
    }
    _ = try await store.append([.water(2)])
    for to in [folder.path, second] {
      #expect(try await store.backUpIfDue(to: to, now: .start.plus(4 * 86_400), zone: .utc) != nil)
    }
  }

  /// A garden that can't be written can't record its backups in a second folder, where they would never be removed.
  @Test func aGardenOfANewerVersionWritesNothingToASecondFolder() async throws {
    let second = folder.path + "/second"
    let path = folder.path + "/newer"
    do {
      let store = try EventStore(folder: path, options: ConnectionOptions())
      _ = try await store.append([.water(1)])
    }
    do {
      let database = try Database(path: path + "/garden.db", mode: .readWrite, busyTimeout: 0)
      try database.run("PRAGMA user_version = 99")
    }
    let store = try EventStore(folder: path, options: ConnectionOptions())
    #expect(store.access == .readOnly(.newerVersion))
    #expect(try await store.backUpIfDue(to: second, now: .start, zone: .utc) == nil)
    #expect(try await store.backUpIfDue(to: path, now: .start, zone: .utc) != nil)
    #expect(!FileManager.default.fileExists(atPath: second))
  }

  @Test func gardensThatShareAFolderKeepTheirOwnBackups() async throws {
    let shared = folder.path + "/shared"
    let other = try EventStore(folder: folder.path + "/other", options: ConnectionOptions())
    _ = try await store.append([.water(1)])
    _ = try await other.append([.water(2), .water(3)])
    let first = try await store.backUp(to: shared, now: .start, zone: .utc)
    // In one garden, a backup with more events replaces an earlier one of the same day.
    for seconds in [60, 120] as [Int64] {
      _ = try await other.backUp(to: shared, now: .start.adding(seconds: seconds), zone: .utc)
    }
    #expect(FileManager.default.fileExists(atPath: first.path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: shared + "/backups").count == 2)
    // The other garden's backup of the next day doesn't stand for this one's.
    let next = Instant.start.adding(seconds: 86_400)
    _ = try await other.backUp(to: shared, now: next, zone: .utc)
    _ = try await store.append([.water(4)])
    #expect(try await store.backUpIfDue(to: shared, now: next, zone: .utc) != nil)
    #expect(try await store.backUpIfDue(to: shared, now: next, zone: .utc) == nil)
  }

  /// Its entries may still be recoverable.
  @Test func aDamagedBackupIsKeptLongerThanOthersOfItsDay() throws {
    let backups = BackupFolder(in: folder.path)
    try FileManager.default.createDirectory(atPath: backups.path, withIntermediateDirectories: true)
    let whole = ExportFile.encode([Event](), exportedAt: .start)
    let names = ["trunk-20260209-080000.json", "trunk-20260209-120000.json", "trunk-20260209-200000.json"]
    for (name, text) in zip(names, [String(whole.dropLast(3)), whole, whole]) {
      try text.write(toFile: backups.path + "/" + name, atomically: false, encoding: .utf8)
    }
    try backups.rotate(names, keeping: names[2], today: Day(number: 20_500))
    #expect(try backups.names() == [names[0], names[2]])
  }

  @Test func aSmallerBackupDoesNotReplaceALargerOneOfTheSameDay() async throws {
    func backUp(_ seconds: Int64) async throws -> [Int] {
      _ = try await store.backUp(to: folder.path, now: .start.plus(seconds), zone: .utc)
      return try files().map { name in
        try ExportFile.decode(String(contentsOfFile: folder.path + "/backups/" + name, encoding: .utf8)).count
      }
    }
    _ = try await store.append([.water(1), .water(2), .water(3)])
    #expect(try await backUp(0) == [3])
    try await store.clear()
    _ = try await store.append([.water(4)])
    // The smaller backup doesn't replace the larger one, neither in the same second nor later.
    #expect(try await backUp(0) == [3, 1])
    #expect(try await backUp(60) == [3, 1])
    _ = try await store.append([.water(5), .water(6)])
    #expect(try await backUp(120) == [3])
    #expect(try files() == ["trunk-20251009-085520.json"])
  }

  @Test func aFailedBackupLeavesNothingBehind() async throws {
    _ = try await store.append([.water(1)])
    try Data().write(to: URL(fileURLWithPath: folder.path + "/backups"))
    await #expect(throws: StoreError.notAFolder(path: folder.path + "/backups")) {
      _ = try await store.backUp(to: folder.path, now: .start, zone: .utc)
    }
    try FileManager.default.removeItem(atPath: folder.path + "/backups")
    // A folder has the name of the backup file.
    let taken = folder.path + "/backups/trunk-20251009-085320.json"
    try FileManager.default.createDirectory(atPath: taken, withIntermediateDirectories: true)
    await #expect(throws: StoreError.self) { try await store.backUp(to: folder.path, now: .start, zone: .utc) }
    #expect(try files() == ["trunk-20251009-085320.json"])
    #expect(try await store.value(.lastBackup) == nil)
  }

  @Test func anInterruptedBackupIsRemovedByTheNextOne() async throws {
    _ = try await store.append([.water(1)])
    let backups = folder.path + "/backups"
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: true)
    try Data("half".utf8).write(to: URL(fileURLWithPath: backups + "/trunk-20250101-080000.json.part"))
    try Data("mine".utf8).write(to: URL(fileURLWithPath: backups + "/notes.part"))
    // A file that another program is writing now stays.
    let running = try PrivateFiles.NewFile(backups + "/trunk-20250101-090000.json.part")
    _ = try await store.backUp(to: folder.path, now: .start, zone: .utc)
    #expect(
      try files() == ["notes.part", "trunk-20250101-090000.json.part", "trunk-20251009-085320.json"])
    withExtendedLifetime(running) {}
  }

  @Test func aPlantedLinkIsNotFollowed() async throws {
    _ = try await store.append([.water(1)])
    let backups = folder.path + "/backups"
    let target = folder.path + "/target"
    try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: true)
    try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
    let name = backups + "/trunk-20251009-085320.json"
    for link in [name, name + ".part", backups + "/trunk-20251009-085321.json.part"] {
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    }
    let result = try await store.backUp(to: folder.path, now: .start, zone: .utc)
    #expect(result.path == backups + "/trunk-20251009-085321.json")
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
    let attributes = try FileManager.default.attributesOfItem(atPath: result.path)
    #expect(attributes[.type] as? FileAttributeType == .typeRegular)
  }

  /// In a shared folder, another user may plant links just after unfinished files were removed.
  @Test func pipesAndLinksAreNotReadAsBackups() async throws {
    _ = try await store.append([.water(1)])
    let backups = BackupFolder(in: folder.path)
    try PrivateFiles.makeFolder(backups.path)
    #expect(mkfifo(backups.path + "/trunk-20251009-080000.json", 0o600) == 0)
    #expect(symlink("/dev/zero", backups.path + "/trunk-20251009-080001.json") == 0)
    #expect(try backups.newest() == nil)
    let result = try await store.backUp(to: folder.path, now: .start, zone: .utc)
    #expect(FileManager.default.fileExists(atPath: result.path))
    #expect(try backups.newest()?.name == "trunk-20251009-085320.json")
  }

  @Test func aSecondFolderWithoutItsDiskIsNotCreated() async throws {
    _ = try await store.append([.water(1)])
    let stick = folder.path + "/media/stick"
    await #expect(throws: StoreError.absentFolder(path: stick)) {
      try await store.backUp(to: stick, now: .start, zone: .utc)
    }
    #expect(!PrivateFiles.exists(folder.path + "/media"))
    try PrivateFiles.makeFolder(folder.path + "/media")
    _ = try await store.backUp(to: stick + "/", now: .start, zone: .utc)
    // From now on the folder has backups, so without them it is not the same one.
    try FileManager.default.removeItem(atPath: stick)
    await #expect(throws: StoreError.absentFolder(path: stick)) {
      try await store.backUp(to: stick, now: .start.plus(60), zone: .utc)
    }
    #expect(!PrivateFiles.exists(stick))
  }

  @Test(.enabled(if: canMount, "needs the right to mount")) func anEmptyMountPointIsNotTheDisk() async throws {
    _ = try await store.append([.water(1)])
    let stick = folder.path + "/stick"
    try PrivateFiles.makeFolder(stick)
    #expect(mount("tmpfs", stick, "tmpfs", 0, "size=1m") == 0)
    _ = try await store.backUp(to: stick, now: .start, zone: .utc)
    #expect(umount(stick) == 0)
    await #expect(throws: StoreError.absentDisk(path: stick)) {
      try await store.backUp(to: stick, now: .start.plus(60), zone: .utc)
    }
    #expect(try PrivateFiles.names(in: stick) == [])
    // Another disk in the same place is taken, also with a new device number.
    #expect(mount("tmpfs", stick, "tmpfs", 0, "size=1m") == 0)
    let result = try await store.backUp(to: stick, now: .start.plus(60), zone: .utc)
    // Wherever the earlier backups are is the right folder.
    let saved = try PrivateFiles.read(result.path)
    #expect(umount(stick) == 0)
    try PrivateFiles.makeFolder(stick + "/backups")
    try PrivateFiles.write(String(decoding: saved, as: UTF8.self), to: result.path)
    _ = try await store.backUp(to: stick, now: .start.plus(120), zone: .utc)
  }

  /// Needs the right to give a file to another user.
  @Test(.enabled(if: geteuid() == 0)) func whatRootWritesBelongsToTheOwnerOfTheFolder() async throws {
    let home = folder.path + "/home"
    try PrivateFiles.makeFolder(home)
    #expect(chown(home, 1234, 1235) == 0)
    let path = home + "/garden"
    let other = try EventStore(folder: path, options: ConnectionOptions())
    _ = try await other.append([.water(1)])
    _ = try await other.backUp(to: path, now: .start, zone: .utc)
    _ = try await other.backUp(to: home, now: .start, zone: .utc)
    _ = try await other.writeCopy(below: home + "/signed-out/a", at: .start)
    let files = try #require(FileManager.default.enumerator(atPath: home)?.allObjects as? [String])
    #expect(Set(files).isSuperset(of: ["garden/garden.db", "garden/garden.db-wal", "garden/garden.lock"]))
    for file in files {
      var status = stat()
      #expect(lstat(home + "/" + file, &status) == 0)
      #expect(status.st_uid == 1234 && status.st_gid == 1235, "\(file)")
    }
  }

  /// Needs the right to give a file to another user.
  @Test(.enabled(if: geteuid() == 0)) func aFolderThatAnotherUserLinkedIsNotUsed() async throws {
    _ = try await store.append([.water(1)])
    let target = folder.path + "/target"
    try PrivateFiles.makeFolder(target)
    try PrivateFiles.makeFolder(folder.path + "/shared")
    #expect(symlink(target, folder.path + "/shared/backups") == 0)
    #expect(lchown(folder.path + "/shared/backups", 65534, 65534) == 0)
    await #expect(throws: StoreError.self) {
      try await store.backUp(to: folder.path + "/shared", now: .start, zone: .utc)
    }
    #expect(try PrivateFiles.names(in: target).isEmpty)
  }

  @Test func aNewFileNeverTakesAnExistingName() throws {
    let (target, nowhere) = (folder.path + "/target", folder.path + "/nowhere")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: target))
    for (name, destination) in [("/link", target), ("/dangling", nowhere)] {
      try FileManager.default.createSymbolicLink(atPath: folder.path + name, withDestinationPath: destination)
    }
    for name in ["/target", "/link", "/dangling"] {
      #expect(throws: PrivateFiles.Failure.self, "\(name)") { _ = try PrivateFiles.NewFile(folder.path + name) }
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "precious")
    #expect(!FileManager.default.fileExists(atPath: nowhere))
  }

  @Test func copiesOfAGardenAreBackupsAndDamagedFiles() async throws {
    _ = try await store.append([.water(1)])
    let garden = folder.garden
    #expect(try EventStore.folderOfCopies(in: garden) == nil)
    let copies = [
      "garden.db.damaged-1", "garden.db.damaged-1-wal", "garden.db.damaged-12", "garden.db.copy", "garden.db.copy-wal",
      "garden.db.unfinished", "garden.db.unfinished-shm", "garden.db.recovered",
    ]
    let others = [
      "notes.txt", "garden.db.copy-before-update", "garden.db.recovered.old", "garden.db.damaged-",
      "garden.db.damaged-1a", "garden.db.damaged-wal",
    ]
    for name in copies + others { try Data().write(to: URL(fileURLWithPath: garden + "/" + name)) }
    #expect(try EventStore.folderOfCopies(in: garden) == garden)
    let backup = try await store.backUp(to: garden, now: .start, zone: .utc).path
    for name in [backup + ".part", garden + "/backups/notes.txt"] { try Data().write(to: URL(fileURLWithPath: name)) }
    #expect(try EventStore.folderOfCopies(in: garden) == garden + "/backups")
    #expect(try EventStore.folderOfCopies(in: folder.path + "/missing") == nil)
  }

  /// On a failing disk, the unreadable backup may be the only complete one.
  @Test func aBackupThatCannotBeReadIsNotRemoved() {
    let names = (1...3).map { "trunk-20260209-14320\($0).json" }
    func fullness(_ events: Int, _ pages: Int = 0) -> BackupFolder.Fullness { .init(events: events, pages: pages) }
    #expect(BackupFolder.kept(names) { $0 == names[0] ? nil : fullness(0) } == [names[0], names[2]])
    #expect(BackupFolder.kept(names) { fullness($0 == names[0] ? 1 : 0) } == [names[0], names[2]])
    #expect(BackupFolder.kept(names) { fullness(1, $0 == names[0] ? 1 : 0) } == [names[0], names[2]])
    #expect(BackupFolder.kept(names) { _ in fullness(0) } == [names[2]])
  }

  @Test func previewChangesNothing() async throws {
    _ = try await store.append([.water(1), .json(#"{"type":"odd"}"#)])
    let events: [Event] = try [
      .water(1), .water(2), .water(2), .json(#"{"type":"odd"}"#), .json(#"{"type":"sun_shone","twigId":"t"}"#),
      .json("{}"),
    ]
    let preview = try await store.importPreview(events)
    #expect(counts(preview) == [3, 3, 2, 1])
    #expect(try counts(ImportPreview(intoEmptyLog: events)) == [5, 1, 2, 1])
    #expect(try await store.count() == 2)
    #expect(try await store.head().lastSeq == 2)
  }
}
