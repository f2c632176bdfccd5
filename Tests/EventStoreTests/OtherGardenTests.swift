import Foundation
import SQLiteKit
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

/// Another garden beside the garden's file, as services that sync folders leave it.
struct OtherGardenTests {
  let folder: TemporaryFolder
  private let conflict = "garden (conflicted copy 2026-11-28).db"

  init() throws { folder = try TemporaryFolder.forGarden() }

  private var path: String { folder.garden + "/" + conflict }

  /// Two computers have the first event. Each has written another one since, and the file of the first has lost.
  private func makeConflict() async throws {
    _ = try await folder.store().append([.water(1, "both")])
    let other = try TemporaryFolder.forGarden()
    try FileManager.default.copyItem(atPath: folder.garden, toPath: other.garden)
    _ = try await folder.store().append([.water(2, "only there")])
    let lost = try other.store()
    _ = try await lost.append([.water(3, "only here")])
    try await lost.save(Draft(key: DraftKey(kind: "water", entity: "s", day: ""), text: "half a sen", updated: .start))
    try await lost.bind(to: "https://a.example.org", account: "ada")
    try FileManager.default.copyItem(atPath: other.database, toPath: path)
    // The log of the running program, as a service copies it.
    try FileManager.default.copyItem(atPath: other.database + "-wal", toPath: path + "-wal")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.garden).sorted()
  }

  @Test func isFoundAndReadWithItsLog() async throws {
    try await makeConflict()
    let garden = try #require(try OtherGarden.all(in: folder.garden).first)
    #expect(garden.name == conflict)
    let before = try names()
    let contents = try garden.contents(in: folder.garden, otherwise: folder.path)
    #expect(contents.events.map { $0.journalText.first } == ["both", "only here"])
    #expect(contents.drafts.map(\.text) == ["half a sen"])
    #expect(try names() == before)
    let store = try folder.store()
    #expect(try await store.importPreview(contents.events).newEvents.map { $0.journalText.first } == ["only here"])
  }

  /// What this garden lacks becomes an unsent entry, and the file is kept.
  @Test func isMergedAndMovedAside() async throws {
    try await makeConflict()
    let garden = try #require(try OtherGarden.all(in: folder.garden).first)
    let contents = try garden.contents(in: folder.garden, otherwise: folder.path)
    let store = try folder.store()
    _ = try await store.importEvents(contents.events, superseded: contents.superseded, drafts: contents.drafts)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    let target = try #require(try garden.setAside(after: contents, in: folder.garden))
    #expect(target == folder.garden + "/merged/" + conflict)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == bytes)
    #expect(try await store.count() == 3)
    #expect(try await store.syncFigures(now: .start).pending == 3)
    #expect(try await store.drafts().map(\.text) == ["half a sen"])
    #expect(try OtherGarden.all(in: folder.garden) == [] && !names().contains { $0.hasPrefix(conflict) })
    try FileManager.default.copyItem(atPath: target, toPath: path)
    let again = try #require(try OtherGarden.all(in: folder.garden).first)
    let second = try again.setAside(after: again.contents(in: folder.garden, otherwise: folder.path), in: folder.garden)
    #expect(second == folder.garden + "/merged/2 " + conflict)
  }

  /// A service may replace the file after it was read.
  @Test func aChangedFileStays() async throws {
    try await makeConflict()
    let garden = try #require(try OtherGarden.all(in: folder.garden).first)
    let contents = try garden.contents(in: folder.garden, otherwise: folder.path)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.copyItem(atPath: folder.database, toPath: path)
    #expect(try garden.setAside(after: contents, in: folder.garden) == nil)
    #expect(try OtherGarden.all(in: folder.garden) == [garden])
  }

  @Test func aDamagedFileIsReadAsFarAsPossible() async throws {
    try await makeConflict()
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for index in 20..<4000 { bytes[index] = 0xaa }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    let garden = try #require(try OtherGarden.all(in: folder.garden).first)
    let contents = try garden.contents(in: folder.garden, otherwise: folder.path)
    #expect(contents.events.map { $0.journalText.first } == ["both", "only here"] && contents.damage != nil)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data(bytes))
  }

  /// Puts a changed copy of a garden with 600 entries beside the garden.
  private func makeDamagedCopy(_ change: (inout [UInt8]) -> Void) async throws -> OtherGarden {
    _ = try await folder.store().append([.water(1, "both")])
    let other = try TemporaryFolder.forGarden()
    _ = try await other.store().append((1...600).map { .water($0, "entry number \($0)") })
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: other.database)))
    change(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return try #require(try OtherGarden.all(in: folder.garden).first)
  }

  private enum Loss: CaseIterable {
    case half, pages, letter
  }

  /// A service may have fetched only a part of the file, and a complete one may still replace it.
  @Test(arguments: Loss.allCases) private func aDamagedFileTellsWhatIsMissingAndStays(loss: Loss) async throws {
    let garden = try await makeDamagedCopy { bytes in
      let word = Array("number 300".utf8)
      let place = (0..<(bytes.count - word.count)).first { bytes[$0..<($0 + word.count)].elementsEqual(word) } ?? 0
      switch loss {
      // Whole pages: what is missing of a part can't be counted.
      case .half: bytes.removeLast(bytes.count / 8192 / 2 * 8192)
      case .pages: for index in (place / 8192 * 8192)..<((place / 8192 + 2) * 8192) { bytes[index] = 0 }
      case .letter: bytes[place] = UInt8(ascii: "N")
      }
    }
    let contents = try garden.contents(in: folder.garden, otherwise: folder.path)
    let missing = 600 - contents.events.count
    #expect(
      missing > 0 && (loss != .letter || missing == 1) && contents.damage?.unreadable == missing,
      "\(String(describing: contents.damage))")
    let store = try folder.store()
    _ = try await store.importEvents(contents.events)
    #expect(try garden.setAside(after: contents, in: folder.garden) == nil && garden.exists)
    #expect(try await !store.hasMerged(garden))
    try await store.recordMerge(of: garden, contents)
    #expect(try await store.hasMerged(garden))
    try Data("SQLite".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try await !store.hasMerged(garden))
  }

  /// One row that is not an event must not keep the others from being merged.
  @Test(arguments: ["{not json", "5", ""]) func aTextThatIsNoEventIsLeftOut(text: String) async throws {
    let garden = try await makeDamagedCopy { _ in }
    do {
      let database = try Database(path: path, mode: .readWrite, busyTimeout: 0)
      try database.execute(
        "UPDATE events SET raw = ?, sha256 = ? WHERE seq = 7", .text(text), .blob(SHA256().digest(of: text)))
    }
    let contents = try garden.contents(in: folder.garden, otherwise: folder.path)
    #expect(contents.events.count == 599 && contents.damage == OtherGarden.Damage(unreadable: 1))
  }

  /// The copy that a killed program was reading holds the journal of another computer.
  @Test func anAbandonedCopyIsRemovedAtTheNextStart() throws {
    let copy = folder.garden + "/other.part"
    try PrivateFiles.makeFolder(copy)
    try PrivateFiles.makeFile(copy + "/garden.db")
    _ = try folder.store()
    #expect(try !names().contains("other.part"))
  }

  /// The garden may be on a disk that can only be read.
  @Test(.enabled(if: canMount, "needs the right to mount")) func isComparedWithAGardenThatCanOnlyBeRead() async throws {
    try await makeConflict()
    #expect(mount(folder.garden, folder.garden, nil, UInt(MS_BIND), nil) == 0)
    defer { umount2(folder.garden, Int32(MNT_DETACH)) }
    #expect(mount(nil, folder.garden, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0)
    let store = try folder.store()
    #expect(store.access == .readOnly(.notWritable))
    let garden = try #require(OtherGarden(path: path))
    let contents = try garden.contents(in: folder.garden, otherwise: folder.path + "/state")
    let preview = try await store.importPreview(contents.events)
    #expect(preview.newEvents.map { $0.journalText.first } == ["only here"] && preview.duplicates == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state") == [])
  }

  /// A user may name a link; beside the garden, links are left alone.
  @Test func aLinkThatTheUserNamesIsFollowed() async throws {
    try await makeConflict()
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(OtherGarden(path: link) == nil)
    #expect(OtherGarden(named: link)?.name == conflict)
    #expect(OtherGarden(named: folder.path + "/nowhere") == nil)
  }

  /// Of some files nothing is left that could be read, so they are not gardens without entries.
  @Test(arguments: [0, 1, 16, 100, 512, 8192], [false, true])
  func aFileOfWhichNothingIsLeftIsDamaged(size: Int, isZero: Bool) async throws {
    let garden = try await makeDamagedCopy { bytes in
      bytes.removeLast(bytes.count - size)
      if isZero { for index in bytes.indices { bytes[index] = 0 } }
    }
    let contents = try garden.contents(in: folder.garden, otherwise: folder.path)
    #expect(contents.damage != nil && contents.isEmpty)
  }

  @Test func theGardenOfAnotherAccountIsNotMerged() async throws {
    try await makeConflict()
    let garden = try #require(try OtherGarden.all(in: folder.garden).first)
    let contents = try garden.contents(in: folder.garden, otherwise: folder.path)
    let store = try folder.store()
    try await store.check(contents, of: garden)
    try await store.bind(to: "https://a.example.org", account: "eve")
    await #expect(throws: StoreError.otherAccount(path: path)) { try await store.check(contents, of: garden) }
  }

  @Test func theOwnFileIsNone() async throws {
    _ = try await folder.store().append([.water(1)])
    try folder.run("PRAGMA wal_checkpoint(TRUNCATE)")
    #expect(throws: StoreError.ownFile(path: folder.database)) {
      try #require(OtherGarden(path: folder.database)).contents(in: folder.garden, otherwise: folder.path)
    }
  }

  /// The locks that this process holds on the garden's files, as the system lists them.
  private func locks() throws -> [String] {
    let inodes = try ["", "-shm"].map { suffix in
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.database + suffix)
      return ":\(try #require(attributes[.systemFileNumber] as? Int)) "
    }
    return try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n").compactMap { line in
      let isOurs = line.contains("POSIX") && line.contains(" \(getpid()) ") && inodes.contains { line.contains($0) }
      return isOurs ? line.split(separator: " ").dropFirst().joined(separator: " ") : nil
    }.sorted()
  }

  /// Closing one of these files would drop the locks, and another program would cut the memory that they share.
  @Test func lookingForOthersKeepsTheLocksOfTheGarden() async throws {
    try await makeConflict()
    let store = try folder.store()
    _ = try await store.append([.water(4)])
    let before = try locks()
    #expect(before.count >= 2, "\(before)")
    #expect(try OtherGarden.all(in: folder.garden).map(\.name) == [conflict])
    #expect(try locks() == before)
    withExtendedLifetime(store) {}
  }

  /// Damaged files that were set aside, other databases, links and texts are none.
  @Test func otherFilesAreNone() async throws {
    _ = try await folder.store().append([.water(1)])
    let files = FileManager.default
    for name in ["garden.db.damaged-1", "garden.db.copy"] {
      try files.copyItem(atPath: folder.database, toPath: folder.garden + "/" + name)
    }
    try files.createSymbolicLink(atPath: folder.garden + "/garden-link.db", withDestinationPath: "garden.db")
    try Data("garden".utf8).write(to: URL(fileURLWithPath: folder.garden + "/garden-text.db"))
    try PrivateFiles.makeFile(folder.garden + "/places.db")
    try Database(path: folder.garden + "/places.db", mode: .readWrite, busyTimeout: 0).run("CREATE TABLE events (x)")
    #expect(try OtherGarden.all(in: folder.garden) == [])
    try files.copyItem(atPath: folder.database, toPath: folder.garden + "/laptop.sqlite")
    #expect(try OtherGarden.all(in: folder.garden).map(\.name) == ["laptop.sqlite"])
  }

  /// The service may have renamed the only file.
  @Test func aGardenWithoutItsOwnFileIsMissing() async throws {
    _ = try await folder.store().append([.water(1)])
    for name in try names() where name != "garden.db" {
      try FileManager.default.removeItem(atPath: folder.garden + "/" + name)
    }
    try FileManager.default.moveItem(atPath: folder.database, toPath: path)
    #expect(throws: StoreError.missing(path: folder.database, copies: nil)) { try folder.store() }
  }
}
