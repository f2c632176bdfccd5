import Foundation
import SQLiteKit
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

/// Damage in the write-ahead log of a killed program: no acknowledged event is lost without an error.
struct WriteAheadLogTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  private enum Mutation: CaseIterable {
    case byte, zeros, firstBlock, cut, missing, header, frameHeader
  }

  /// Leaves a folder as a killed program does.
  /// - Returns: the IDs of the acknowledged events.
  private func killedWriter(after lines: Int) throws -> Set<String> {
    let outcome = try Writer(["append", folder.garden, "100000"]).outcome(killedAfter: lines)
    try #require(outcome.wasKilled && outcome.acknowledged.count >= lines - 1)
    return Set(outcome.acknowledged)
  }

  private func mutate(_ path: String, _ mutation: Mutation, _ random: inout SeededRandom) throws {
    let url = URL(fileURLWithPath: path)
    var bytes = [UInt8](try Data(contentsOf: url))
    let place = Int.random(in: 32..<bytes.count, using: &random)
    switch mutation {
    case .byte: bytes[place] ^= 0x40
    case .zeros: for index in place..<min(place + 4096, bytes.count) { bytes[index] = 0 }
    case .firstBlock: for index in 0..<4096 { bytes[index] = 0 }
    case .cut: bytes.removeLast(bytes.count - place)
    case .missing: return try FileManager.default.removeItem(at: url)
    case .header: bytes[Int.random(in: 0..<32, using: &random)] ^= 0x11
    case .frameHeader:
      let frames = (bytes.count - 32) / (24 + 8192)
      bytes[32 + Int.random(in: 0..<frames, using: &random) * (24 + 8192) + Int.random(in: 0..<24, using: &random)] ^=
        0x11
    }
    try Data(bytes).write(to: url)
  }

  @Test(arguments: Mutation.allCases) private func noDamageLosesAnAcknowledgedEventSilently(mutation: Mutation)
    async throws
  {
    var random = SeededRandom(seed: 7)
    let acknowledged = try killedWriter(after: 40)
    var (alarms, lost) = (0, 0)
    for round in 0..<12 {
      let copy = folder.path + "/copy-\(round)"
      try FileManager.default.copyItem(atPath: folder.garden, toPath: copy)
      try mutate(copy + "/garden.db-wal", mutation, &random)
      let damaged = FileManager.default.contents(atPath: copy + "/garden.db-wal")
      let store = try EventStore(folder: copy, options: ConnectionOptions())
      let here = try await Set(store.events(afterSeq: 0).compactMap(\.event.clientID))
      let gone = acknowledged.subtracting(here)
      #expect(try await store.verify().isSound)
      guard let recovery = store.recovery else {
        #expect(gone.isEmpty, "\(mutation) \(round)")
        continue
      }
      alarms += 1
      lost += gone.count
      #expect(recovery.missing >= gone.count, "\(mutation) \(round): \(recovery)")
      // If the log is missing, SQLite creates an empty one.
      #expect(
        FileManager.default.contents(atPath: recovery.damagedFile + "-wal") == damaged ?? Data(),
        "\(mutation) \(round)")
    }
    #expect(alarms > 0, "\(mutation)")
    switch mutation {
    // The frames after the damage contain every changed page again.
    case .byte, .zeros, .firstBlock, .header, .frameHeader:
      #expect(lost <= alarms * 2, "\(lost) lost in \(alarms) alarms")
    case .cut, .missing: #expect(lost > 0)
    }
  }

  @Test func aDamagedFrameIsNotUsed() throws {
    _ = try killedWriter(after: 20)
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.garden + "/garden.db-wal")))
    let frame = 24 + 8192
    let last = 32 + ((bytes.count - 32) / frame - 1) * frame
    // If the damaged page were written to the file, these bytes would be found there.
    let damage = Array("damaged page".utf8)
    bytes.replaceSubrange((last + 24 + 4000)..<(last + 24 + 4000 + damage.count), with: damage)
    let rebuilt = folder.path + "/rebuilt.db"
    try FileManager.default.copyItem(atPath: folder.garden + "/garden.db", toPath: rebuilt)
    try #require(WriteAheadLog(bytes)).write(to: rebuilt)
    let written = try Data(contentsOf: URL(fileURLWithPath: rebuilt))
    #expect(written.range(of: Data(damage)) == nil)
    // Another salt: the frame is left over from an earlier use of the log.
    bytes[last + 8] ^= 0x11
    try #require(WriteAheadLog(bytes)).write(to: rebuilt)
    #expect(try Data(contentsOf: URL(fileURLWithPath: rebuilt)) == written)
  }

  @Test func theBackupReplacesEventsLostWithTheLog() async throws {
    _ = try killedWriter(after: 20)
    let copy = folder.path + "/copy"
    let count: Int
    do {
      // Opens a copy, because closing would empty the log.
      try FileManager.default.copyItem(atPath: folder.garden, toPath: folder.path + "/read")
      let reader = try EventStore(folder: folder.path + "/read", options: ConnectionOptions())
      count = try await reader.backUp(to: folder.garden, now: .start, zone: .utc).eventCount
    }
    try FileManager.default.copyItem(atPath: folder.garden, toPath: copy)
    try FileManager.default.removeItem(atPath: copy + "/garden.db-wal")
    let store = try EventStore(folder: copy, options: ConnectionOptions())
    #expect(store.recovery?.fromBackup == count && store.recovery?.missing == 0)
    #expect(try await store.count() == count)
    _ = try await store.append([.water(1)])
    #expect(try EventStore(folder: copy, options: ConnectionOptions()).recovery == nil)
  }

  @Test func theMarkFollowsEachCommitAndRaisesNoFalseAlarm() async throws {
    func reopened(_ garden: String) throws -> EventStore {
      try EventStore(folder: garden, options: ConnectionOptions())
    }
    let mark = { [folder] in HighWaterMark.value(in: folder.garden).seq }
    do {
      let store = try folder.store()
      _ = try await store.append([.water(1), .water(2)])
      #expect(mark() == 2)
      _ = try await store.append([.water(3)], undoableUntil: .start.plus(10))
      try await store.undo(clientIDs: [try #require(Event.water(3).clientID)], now: .start)
      #expect(mark() == 3)
    }
    // The power failed before the mark was written.
    #expect(try folder.mode("garden/garden.mark") == 0o600)
    let old = try Data(contentsOf: URL(fileURLWithPath: folder.garden + "/garden.mark"))
    do {
      let store = try reopened(folder.garden)
      #expect(store.recovery == nil)
      _ = try await store.append([.water(4)])
    }
    try old.write(to: URL(fileURLWithPath: folder.garden + "/garden.mark"))
    #expect(try reopened(folder.garden).recovery == nil)
    // The mark raises no alarm after signing out, on another computer, or if it is damaged itself.
    try await reopened(folder.garden).clear()
    #expect(try reopened(folder.garden).recovery == nil)
    try FileManager.default.copyItem(atPath: folder.garden, toPath: folder.path + "/moved")
    #expect(try reopened(folder.path + "/moved").recovery == nil)
    let garbage = [
      "", "99999999999999999999 99999999999999999999\n", "00000000000000000099 00000000000000000098\n",
      // More than the limit, the largest number, and a negative one.
      "00000000001000000001 00000000001000000001\n", "09223372036854775807 09223372036854775807\n",
      "-0000000000000000099 -0000000000000000099\n", "00000000000000000099 00000000000000000099\n and more",
    ]
    for (number, garbage) in garbage.enumerated() {
      try Data(garbage.utf8).write(to: URL(fileURLWithPath: folder.garden + "/garden.mark"))
      let store = try reopened(folder.garden)
      #expect(store.recovery == nil, "\(garbage)")
      #expect(HighWaterMark.value(in: folder.garden).seq == 0, "\(garbage)")
      // The next commit writes a valid mark.
      let seq = try #require(try await store.append([.water(5 + Int64(number))]).inserted.first?.seq, "\(garbage)")
      #expect(seq < 99 && HighWaterMark.value(in: folder.garden).seq == seq, "\(garbage)")
    }
  }

  /// Another garden with more events takes the place of the file, for example because two computers share a folder.
  @Test(arguments: [false, true]) func anotherGardenInTheFilesPlaceIsNoticed(hasBackup: Bool) async throws {
    let other = try TemporaryFolder.forGarden()
    _ = try await other.store().append((1...9).map { .water(100 + $0, "there \($0)") })
    _ = try await folder.store().append([.water(1, "here 1"), .water(2, "here 2")])
    if hasBackup { _ = try await folder.store().backUp(to: folder.garden, now: .start, zone: .utc) }
    _ = try await folder.store().append([.water(3, "here 3")])
    try FileManager.default.removeItem(atPath: folder.database)
    try FileManager.default.copyItem(atPath: other.database, toPath: folder.database)
    let store = try folder.store()
    let recovery = try #require(store.recovery)
    #expect(recovery.replacement == .taken && recovery.fromFile == 9 && recovery.fromBackup == (hasBackup ? 2 : 0))
    #expect(recovery.missing == 1 && recovery.unreadable == 0)
    #expect(try await store.head().recoveries == [recovery])
    #expect(try await store.count() == (hasBackup ? 11 : 9))
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: recovery.damagedFile))
        == Data(contentsOf: URL(fileURLWithPath: other.database)))
    _ = try await store.append([.water(4, "here 4")])
    #expect(try folder.store().recovery == nil)
  }

  /// The computer crashed, and then another garden took the place of the file, but not of its log.
  @Test(arguments: [false, true]) func theLogIsNotAppliedToAnotherGarden(isSibling: Bool) async throws {
    let other = try TemporaryFolder.forGarden()
    _ = try await folder.store().append((1...9).map { .water($0, "both \($0)") })
    if isSibling { try FileManager.default.copyItem(atPath: folder.garden, toPath: other.garden) }
    _ = try await folder.store().backUp(to: folder.garden, now: .start, zone: .utc)
    _ = try await other.store().append((1...400).map { .water(100 + $0, "there \($0)") })
    let crashed = folder.path + "/crashed"
    do {
      let store = try folder.store()
      _ = try await store.append([.water(20, "here")])
      // Closing would empty the log. The mark has the file's number, so this one is moved and the copy is opened.
      try FileManager.default.copyItem(atPath: folder.garden, toPath: crashed)
      try FileManager.default.removeItem(atPath: crashed + "/garden.db")
      try FileManager.default.copyItem(atPath: other.database, toPath: crashed + "/garden.db")
    }
    let store = try EventStore(folder: crashed, options: ConnectionOptions())
    let texts = try await store.events(afterKey: nil).compactMap(\.event.journalText.first)
    #expect(Set(texts).isSuperset(of: (1...9).map { "both \($0)" } + ["here"]), "\(store.recovery as Any) \(texts)")
    #expect(try await store.verify().isSound)
    let garden = try #require(try OtherGarden.all(in: crashed).first)
    let contents = try garden.contents(in: crashed, otherwise: folder.path)
    #expect(contents.damage == nil && contents.events.count == (isSibling ? 409 : 400))
    _ = try await store.append([.water(30)])
    #expect(try EventStore(folder: crashed, options: ConnectionOptions()).recovery == nil)
    #expect(try OtherGarden.all(in: crashed).count == 1)
  }

  /// All files of a garden, also of one that is in use, may be copied to another place.
  @Test func aCopyOfAllFilesOpensWithItsLog() async throws {
    let copy = folder.path + "/copy"
    let store = try folder.store()
    _ = try await store.append((1...9).map { .water($0) })
    try folder.run("PRAGMA wal_checkpoint(TRUNCATE)")
    _ = try await store.append([.water(20)])
    try FileManager.default.copyItem(atPath: folder.garden, toPath: copy)
    #expect(!PrivateFiles.isEmpty(copy + "/garden.db-wal"))
    let copied = try EventStore(folder: copy, options: ConnectionOptions())
    #expect(copied.recovery == nil)
    #expect(try await copied.count() == 10)
    #expect(try OtherGarden.all(in: copy) == [])
  }

  /// The newest event is there, only damaged: the file was not replaced, and a check finds the damage.
  @Test(arguments: ["sha256 = zeroblob(32)", "raw = '{}'"])
  func aDamagedNewestEventIsNotAReplacement(change: String) async throws {
    _ = try await folder.store().append([.water(1), .water(2)])
    try folder.run("UPDATE events SET \(change) WHERE seq = 2")
    #expect(try await folder.store().verify().damagedEvents == [2])
    #expect(try folder.store().recovery?.replacement == nil)
  }

  /// The event of the mark may leave the log or change, and a crash may come before the mark follows.
  @Test func aRemovedEventRaisesNoAlarm() async throws {
    func mark() -> HighWaterMark.Value { HighWaterMark.value(in: folder.garden) }
    let file = URL(fileURLWithPath: folder.garden + "/garden.mark")
    let store = try folder.store()
    _ = try await store.append([.water(1)])
    let first = mark()
    #expect(first.seq == 1 && first.newest?.seq == 1)
    // An earlier version's mark is completed by the next commit.
    try Data(contentsOf: file).prefix(42).write(to: file)
    #expect(mark() == HighWaterMark.Value(seq: 1))
    #expect(try folder.store().recovery == nil)
    _ = try await folder.store().append([.water(2)], undoableUntil: .start.plus(10))
    #expect(mark().newest?.seq == 2)
    let other = try folder.store()
    try await other.undo(clientIDs: [try #require(Event.water(2).clientID)], now: .start)
    #expect(mark().seq == 2 && mark().newest == first.newest)
    #expect(try folder.store().recovery == nil)
    // A damaged second line is ignored.
    var bytes = try Data(contentsOf: file)
    bytes[100] ^= 1
    try bytes.write(to: file)
    #expect(mark().seq == 2 && mark().newest == nil && mark().file == first.file)
    #expect(try folder.store().recovery == nil)
    _ = try await other.append([.water(3)])
    try await other.clear()
    #expect(mark().seq == 3 && mark().newest == nil)
    #expect(try folder.store().recovery == nil)
  }

  /// A program that knows an older mark doesn't lower the mark of another program.
  @Test func theMarkOfAnotherProgramIsNotLowered() throws {
    try FileManager.default.createDirectory(atPath: folder.garden, withIntermediateDirectories: true)
    let marks = try (0..<2).map { _ in try #require(HighWaterMark(folder: folder.garden)) }
    marks[0].raise(to: HighWaterMark.Value(seq: 10))
    marks[1].raise(to: HighWaterMark.Value(seq: 5))
    #expect(HighWaterMark.value(in: folder.garden).seq == 10)
    marks[1].raise(to: HighWaterMark.Value(seq: 11))
    #expect(HighWaterMark.value(in: folder.garden).seq == 11)
  }

  /// A file that is older than the mark in its folder has lost events. It is reported and kept.
  @Test func anOlderFileIsReportedAndKept() async throws {
    _ = try await folder.store().append([.water(1)])
    let older = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    _ = try await folder.store().append([.water(2), .water(3)])
    try older.write(to: URL(fileURLWithPath: folder.database))
    do {
      let store = try folder.store()
      let recovery = try #require(store.recovery)
      #expect(recovery.missing == 2 && recovery.fromFile == 1)
      #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.damagedFile)) == older)
      #expect(try await store.append([.water(4)]).inserted.map(\.seq) == [4])
    }
    #expect(try folder.store().recovery == nil)
  }

  /// Events of the backup that the damaged file lacks elsewhere don't make up for lost ones at its end.
  @Test func eventsOfTheBackupDontHideALossAtTheEnd() async throws {
    let events = (1...400).map { Event.water(Int64($0), "entry \($0) " + String(repeating: "x", count: 200)) }
    do {
      let store = try folder.store()
      _ = try await store.append(events)
      _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
    }
    var older = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.database)))
    _ = try await folder.store().append([.water(500), .water(501)])
    // Destroys a leaf page in the middle of the log, which the backup replaces.
    let (size, text) = (ConnectionOptions().pageSize, Data("entry 200 ".utf8))
    for start in stride(from: 0, to: older.count, by: size) where older[start] == 0x0d {
      guard Data(older[start..<(start + size)]).range(of: text) != nil else { continue }
      older.replaceSubrange(start..<(start + size), with: [UInt8](repeating: 0, count: size))
    }
    try Data(older).write(to: URL(fileURLWithPath: folder.database))
    let recovery = try #require(try folder.store().recovery)
    #expect(recovery.fromBackup > 2 && recovery.fromBackup + recovery.fromFile == 400, "\(recovery)")
    #expect(recovery.missing == 2)
  }
}
