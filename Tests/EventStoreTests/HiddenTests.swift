import Foundation
import SQLiteKit
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

/// Hidden entries are marked beside the log, on this computer.
struct HiddenTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  private func other() throws -> EventStore {
    try EventStore(folder: folder.path + "/other", options: ConnectionOptions())
  }

  @Test func aHiddenEntryIsNotFoundAndStaysInTheLog() async throws {
    let store = try folder.store()
    _ = try await store.append([.water(1, "river"), .water(2, "river bank")])
    let (events, state) = (try await store.events(afterSeq: 0).map(\.event.raw), try await store.state())
    for _ in 0..<2 { try await store.setHidden(true, seq: 1) }
    #expect(try await store.head().hidden == [1])
    #expect(try await store.find("river") == [2])
    #expect(try await store.matches(TextQuery([.init("river")]))?.texts == [2])
    #expect(try await store.events(afterSeq: 0).map(\.event.raw) == events)
    #expect(try await store.takeBatch(now: .start.plus(100)).map(\.seq) == [1, 2])
    #expect(try await store.state() != state, "a backup is due")
    #expect(try await store.verify().isSound)
    try await store.setHidden(false, seq: 1)
    #expect(try await store.head().hidden == [])
    #expect(try await store.find("river") == [2, 1])
    try await store.setHidden(true, seq: 99)
    #expect(try await store.hiddenMarks() == [])
  }

  @Test func theMarkFollowsTheEventToANewID() async throws {
    let store = try folder.store()
    _ = try await store.append([.water(1, "river")])
    try await store.setHidden(true, seq: 1)
    try folder.run("UPDATE events SET client_id = 'new'")
    #expect(try await store.head().hidden == [1])
  }

  /// Two entries of one sprout in one instant, as a client that writes whole seconds makes them.
  private static let twins = [Event.water(1, "river", id: 1), .water(1, "bank", id: 2)]

  @Test func ofTwoEntriesInOneInstantOnlyTheChosenOneIsHidden() async throws {
    let store = try folder.store()
    _ = try await store.append(HiddenTests.twins)
    try await store.setHidden(true, seq: 1)
    #expect(try await store.head().hidden == [1])
    #expect(try await store.find("bank") == [2])
    try await store.setHidden(true, seq: 2)
    try await store.setHidden(false, seq: 1)
    #expect(try await store.head().hidden == [2])
    // A restore of a copy, an import elsewhere, and marks that arrive before the log.
    let copy = try await store.writeCopy(below: folder.path + "/copies", at: .start)
    let contents = try ExportFile.decodeContents(ExportFile.encode(try await store.contents(), exportedAt: .start))
    try await store.clear()
    _ = try await store.restore(store.compare(with: [copy]))
    #expect(try await store.hiddenTexts() == ["bank"])
    let other = try other()
    _ = try await other.append([HiddenTests.twins[1]])
    _ = try await other.importEvents(contents.events, hidden: contents.hidden)
    #expect(try await other.hiddenTexts() == [], "what was here stays as it is")
    try await other.clear()
    _ = try await other.importEvents([HiddenTests.twins[0]], hidden: contents.hidden)
    #expect(try await other.hiddenTexts() == ["river"], "the mark of the other one came along")
    _ = try await other.append([HiddenTests.twins[1]])
    #expect(try await other.hiddenTexts() == ["bank"])
    try await other.clear()
    try await other.hide(contents.hidden)
    _ = try await other.append([HiddenTests.twins[0]])
    #expect(try await other.hiddenTexts() == ["river"], "until the other one arrives")
    _ = try await other.append([HiddenTests.twins[1]])
    #expect(try await other.hiddenTexts() == ["bank"])
  }

  @Test func theMarkOfOneOfTwoEntriesFollowsItToANewID() async throws {
    let store = try folder.store()
    _ = try await store.append(HiddenTests.twins)
    try await store.setHidden(true, seq: 1)
    let outgoing = try #require(try await store.takeBatch(now: .start.plus(100)).first)
    let successor = try #require(try await store.successor(of: outgoing, for: "someone"))
    try await store.replace(outgoing, with: successor, Receipt(clientID: successor.clientID, id: "row", createdAt: nil))
    #expect(try await store.hiddenTexts() == ["river"])
  }

  @Test func marksOfAnOlderVersionHideAllEntriesOfTheirInstant() async throws {
    do {
      let old = ConnectionOptions(
        migrations: Array(Schema.migrations.prefix { $0.name != "hidden entries of one instant" }))
      _ = try await EventStore(folder: folder.garden, options: old).append(HiddenTests.twins)
      try folder.run("INSERT INTO hidden SELECT type, entity, instant FROM events LIMIT 1")
    }
    let lookup = EventStore(
      folder: folder.garden, lookingUpIn: try Database(path: folder.database, mode: .immutable, busyTimeout: 0))
    #expect(try await lookup.hiddenTexts() == ["river", "bank"])
    let store = try folder.store()
    #expect(try await store.hiddenTexts() == ["river", "bank"])
    #expect(try await store.hiddenMarks().map(\.clientID) == [nil])
    try await store.setHidden(false, seq: 1)
    #expect(try await store.hiddenTexts() == ["bank"])
  }

  @Test func anImportHidesOnlyWhatItAdds() async throws {
    let store = try folder.store()
    _ = try await store.append([.water(1, "one"), .water(2, "two"), .water(3, "three")])
    try await store.setHidden(true, seq: 1)
    try await store.setHidden(true, seq: 2)
    let backup = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    let text = try String(decoding: Data(contentsOf: URL(fileURLWithPath: backup.path)), as: UTF8.self)
    let contents = try ExportFile.decodeContents(text)
    #expect(try await contents.hidden == store.hiddenMarks() && contents.hidden.count == 2)
    #expect(contents.events.count == 3 && contents.forOtherVersions().contents.hidden == [])
    // An entry that was there before stays visible.
    let other = try other()
    _ = try await other.append([.water(2, "two")])
    for _ in 0..<2 {
      _ = try await other.importEvents(contents.events, hidden: contents.hidden)
      #expect(try await other.head().hidden == [2])
    }
    #expect(try await other.events(seqs: [2]).first?.event.clientID == Event.water(1).clientID)
  }

  @Test func aCopyAndItsRestoreAndAnotherGardenHaveTheMarks() async throws {
    let store = try folder.store()
    _ = try await store.append([.water(1, "one"), .water(2, "two")])
    try await store.setHidden(true, seq: 2)
    let marks = try await store.hiddenMarks()
    let copy = try await store.writeCopy(below: folder.path + "/copies", at: .start)
    #expect(try copy.contents().hidden == marks)
    try await store.setHidden(false, seq: 2)
    #expect(try await !store.clear(keptIn: copy), "the copy lacks the change")
    try await store.setHidden(true, seq: 2)
    let newer = try await store.writeCopy(below: folder.path + "/copies", at: .start.plus(1))
    #expect(try await store.clear(keptIn: newer))
    #expect(try await store.hiddenMarks() == [])
    _ = try await store.restore(store.compare(with: [newer]))
    #expect(try await store.hiddenMarks() == marks)
    let file = try #require(OtherGarden(named: folder.database))
    let second = try other()
    #expect(try file.contents(in: second.folder, otherwise: folder.path).hidden == marks)
  }

  @Test(arguments: [false, true]) func aRecoveryKeepsTheMarks(areLost: Bool) async throws {
    do {
      let store = try folder.store()
      _ = try await store.append([.water(1, "one"), .water(2, "two")])
      try await store.setHidden(true, seq: 2)
      if areLost { _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc) }
      try folder.run("UPDATE events SET raw = '{}' WHERE seq = 1" + (areLost ? "; DROP TABLE hidden" : ""))
      GardenFile.markSuspect(folder.garden)
    }
    let store = try folder.store()
    #expect(store.recovery != nil)
    let hidden = try await store.events(seqs: Array(store.head().hidden)).map(\.event.clientID)
    #expect(hidden == [Event.water(2).clientID])
  }

  @Test func aClearedGardenLeavesNoMark() async throws {
    let store = try folder.store()
    _ = try await store.append([.water(1, "one", sprout: "sprout-zanzibar")])
    try await store.setHidden(true, seq: 1)
    func files() throws -> String {
      try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: folder.database + $0)) }
        .map { String(decoding: $0, as: Unicode.ASCII.self) }.joined()
    }
    #expect(try files().contains("zanzibar"))
    try await store.clear()
    #expect(try !files().contains("zanzibar"))
    #expect(try await store.isEmpty())
  }

  @Test func aFileOfAnOlderVersionHasNoMarks() async throws {
    do {
      let old = ConnectionOptions(migrations: Array(Schema.migrations.prefix { $0.name != "hidden entries" }))
      _ = try await EventStore(folder: folder.garden, options: old).append([.water(1, "one")])
    }
    let database = try Database(path: folder.database, mode: .immutable, busyTimeout: 0)
    let store = EventStore(folder: folder.garden, lookingUpIn: database)
    #expect(try await store.head().hidden == [])
    #expect(try await store.contents().hidden == [])
  }
}

extension EventStore {
  fileprivate func hiddenTexts() throws -> [String] {
    try events(seqs: head().hidden.sorted()).flatMap(\.event.journalText)
  }
}
