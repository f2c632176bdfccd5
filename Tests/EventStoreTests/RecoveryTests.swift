import Foundation
import Glibc
import SQLiteKit
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

/// Recovery of damaged files: everything that can be read is kept.
struct RecoveryTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  private func open(busyTimeout: Int32 = 10_000) throws -> EventStore {
    try EventStore(folder: folder.garden, options: ConnectionOptions(busyTimeout: busyTimeout))
  }

  /// Fills a store and closes it, so that everything is in the main file.
  private func fill(_ count: Int64) async throws -> [Event] {
    let events = (1...count).map {
      Event.water($0, "entry number \($0) " + String(repeating: "x", count: Int($0 % 90)))
    }
    _ = try await folder.store().append(events)
    return events
  }

  private func change(_ body: (inout [UInt8]) -> Void) throws {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.database)))
    body(&bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: folder.database))
  }

  /// Opens the store, verifies it and, if it is damaged, opens it again, which recovers it.
  private func openAfterVerifying() async throws -> EventStore {
    do {
      let store = try open()
      if store.recovery != nil { return store }
      if try await store.verify().isSound { return store }
    }
    return try open()
  }

  private func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.garden).sorted()
  }

  @Test(arguments: [false, true], ConnectionOptions.pageSizes)
  func aFileWithADamagedHeaderIsRecovered(withBackup: Bool, pageSize: Int) async throws {
    try PrivateFiles.makeFolder(folder.garden)
    _ = try ConnectionOptions(pageSize: pageSize).open(folder.database)
    let events = try await fill(500)
    if withBackup {
      _ = try await folder.store().backUp(to: folder.garden, now: .start, zone: .utc)
      _ = try await folder.store().append([.water(900)])
    }
    try change { bytes in for index in 0..<pageSize { bytes[index] = 0xaa } }
    let damaged = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    let store = try open()
    let recovery = try #require(store.recovery)
    #expect(recovery.damagedFile == folder.database + ".damaged-1")
    #expect(try Data(contentsOf: URL(fileURLWithPath: recovery.damagedFile)) == damaged)
    let all = withBackup ? events + [.water(900)] : events
    #expect(try await store.events(afterKey: nil).texts == all.map(\.raw))
    #expect(recovery.fromFile + recovery.fromBackup == all.count && recovery.unreadable == 0)
    #expect(try await store.verify().isSound)
    #expect(try await store.find("entry number 77").count == 1)
    #expect(try open().recovery == nil)
  }

  /// The page size is found even if the first page and the first and last leaf of the log are destroyed.
  @Test(arguments: ConnectionOptions.pageSizes, [0, 500])
  func aFileWithADamagedHeaderAndDamagedLeavesIsRecovered(pageSize: Int, count: Int64) async throws {
    try PrivateFiles.makeFolder(folder.garden)
    _ = try ConnectionOptions(pageSize: pageSize).open(folder.database)
    if count > 0 { _ = try await fill(count) }
    let key = DraftKey(kind: "water", entity: "s", day: "")
    do {
      let store = try folder.store()
      try await store.bind(to: "https://a.example.org")
      try await store.save(Draft(key: key, text: "half a sen", updated: .start))
    }
    try change { bytes in
      var pages = [0]
      // The first and the last leaf page of the log.
      for number in [1, count] where count > 0 {
        let text = Array("entry number \(number) ".utf8)
        let place = (0..<(bytes.count - text.count)).first { place in
          bytes[place..<(place + text.count)].elementsEqual(text) && bytes[place / pageSize * pageSize] == 0x0d
        }
        if let place { pages.append(place / pageSize) }
      }
      #expect(pages.count == (count > 0 ? 3 : 1))
      for page in pages {
        for index in (page * pageSize)..<((page + 1) * pageSize) { bytes[index] = 0xaa }
      }
    }
    let store = try open()
    let recovery = try #require(store.recovery)
    #expect(try await store.draft(for: key)?.text == "half a sen")
    #expect(try await store.value(.server) == "https://a.example.org")
    #expect(recovery.fromFile >= count - 2 * Int64(pageSize) / 100 && (count > 0 || recovery.unreadable == 0))
  }

  @Test(arguments: 0..<15) func randomDamageLosesNothingReadable(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let events = try await fill(1500)
    let hasBackup = seed.isMultiple(of: 2)
    if hasBackup { _ = try await folder.store().backUp(to: folder.garden, now: .start, zone: .utc) }
    try change { bytes in
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let start = Int.random(in: 0..<(bytes.count - 600), using: &random)
        for index in start..<(start + Int.random(in: 1...600, using: &random)) {
          bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
      }
    }
    // The damage is found when opening, found by `verify`, or hits unused space.
    let store = try await openAfterVerifying()
    let texts = try await store.events(afterKey: nil).map(\.event.canonicalText)
    #expect(try await store.verify().isSound)
    let hasOtherEvents = !Set(texts).isSubset(of: events.map(\.canonicalText))
    #expect(!hasOtherEvents)
    if hasBackup { #expect(texts.count == events.count) }
    if let recovery = store.recovery {
      #expect(recovery.fromFile + recovery.fromBackup == texts.count)
      // A leaf page holds a few dozen events.
      #expect(recovery.fromFile > events.count - 400, "\(recovery)")
    } else {
      #expect(texts.count == events.count)
    }
  }

  @Test func aTruncatedFileIsRecovered() async throws {
    let events = try await fill(1000)
    try change { $0.removeLast($0.count / 3) }
    let store = try await openAfterVerifying()
    let recovery = try #require(store.recovery)
    #expect(recovery.fromFile > 100, "\(recovery)")
    let texts = try await store.events(afterKey: nil).texts
    #expect(Set(texts).isSubset(of: events.map(\.raw)) && texts.count == recovery.fromFile)
  }

  /// A recovery in a program without a window is reported by the next window. The report is kept until the user has
  /// seen it.
  @Test func aRecoveryIsReportedUntilItWasSeen() async throws {
    _ = try await fill(100)
    func recovered() async throws -> Recovery {
      try change { bytes in for index in 0..<100 { bytes[index] = 0xaa } }
      return try #require(try open().recovery)
    }
    let first = try await recovered()
    #expect(try await open().head().recoveries == [first])
    let second = try await recovered()
    #expect(second.damagedFile != first.damagedFile)
    let store = try open()
    #expect(try await store.head().recoveries == [first, second])
    try await store.markSeen([first])
    #expect(try await open().head().recoveries == [second])
    try await store.markSeen([second])
    #expect(try await open().head().recoveries == [])
  }

  @Test func anEmptiedFileIsNotMistakenForANewOne() async throws {
    let events = try await fill(10)
    _ = try await folder.store().backUp(to: folder.garden, now: .start, zone: .utc)
    try change { $0 = [] }
    let store = try open()
    #expect(store.recovery?.fromBackup == 10)
    #expect(try await store.events(afterKey: nil).texts.count == events.count)
  }

  @Test func aChangedTextIsDetectedByItsHash() async throws {
    _ = try await fill(300)
    try change { bytes in
      let text = Array("entry number 123".utf8)
      for index in 0..<(bytes.count - text.count) where bytes[index..<(index + text.count)].elementsEqual(text) {
        bytes[index] = UInt8(ascii: "E")
      }
    }
    let store = try open()
    #expect(store.recovery == nil)
    let verification = try await store.verify()
    #expect(verification.damagedEvents == [123])
  }

  @Test func uploadStatesAndDraftsAreRecovered() async throws {
    let key = DraftKey(kind: "water", entity: "s", day: "d")
    do {
      let store = try folder.store()
      _ = try await store.append([.water(1), .water(2)], undoableUntil: .start.plus(50))
      try await store.save(Draft(key: key, text: "half a sen", asked: "Why?", updated: .start))
    }
    try folder.run("UPDATE events SET upload = 1, server_id = 'x', server_created_at = 'y' WHERE seq = 1")
    try folder.run("UPDATE events SET sha256 = zeroblob(32) WHERE seq = 2")
    #expect(try await !folder.store().verify().isSound)
    let store = try open()
    #expect(store.recovery?.fromFile == 1 && store.recovery?.unreadable == 1 && store.recovery?.drafts == 1)
    #expect(try await store.draft(for: key) == Draft(key: key, text: "half a sen", asked: "Why?", updated: .start))
    let record = try await store.read {
      try EventLog(database: $0).row(clientID: Event.water(1).clientID ?? "")?.record
    }
    #expect(record?.state == .confirmed && record?.serverID == "x" && record?.serverCreatedAt == "y")
  }

  @Test func decisionsAboutEntriesAreRecovered() async throws {
    _ = try await fill(2)
    try folder.run("UPDATE events SET upload = 2, local_only = 1 WHERE seq = 2")
    try folder.run("INSERT INTO former_ids (identity, client_id) VALUES ('a', 'b')")
    try change { $0[0] = 0 }
    let store = try open()
    #expect(store.recovery?.fromFile == 2)
    #expect(try await store.read { try $0.integer("SELECT sum(seq) FROM events WHERE local_only = 1") } == 2)
    #expect(try await store.read { try $0.integer("SELECT count(*) FROM former_ids WHERE client_id = 'b'") } == 1)
  }

  /// The backup has the event under its former `client_id`, and so may the file without its write-ahead log.
  @Test(arguments: [false, true]) func anEventWithANewIDIsRecoveredOnce(isInLog: Bool) async throws {
    let copy = folder.path + "/copy"
    let event: Event
    do {
      let store = try folder.store()
      _ = try await store.append([.water(1, "my words"), .water(2)])
      _ = try await store.backUp(to: folder.garden, now: .start, zone: .utc)
      let outgoing = try #require(try await store.takeBatch(now: .start).first)
      // Everything below is in the write-ahead log, whose first frame is damaged later.
      try folder.run("PRAGMA wal_checkpoint(TRUNCATE)")
      if isInLog { _ = try await store.append([.water(3)]) }
      let successor = try #require(try await store.successor(of: outgoing, for: "user"))
      try await store.replace(outgoing, with: successor, Receipt(clientID: successor.clientID, id: "x", createdAt: "y"))
      event = successor.content
      // Copy the files, because closing would empty the write-ahead log.
      if isInLog { try FileManager.default.copyItem(atPath: folder.garden, toPath: copy) }
    }
    if isInLog {
      var log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: copy + "/garden.db-wal")))
      log[32 + 24 + 200] ^= 0xff
      try Data(log).write(to: URL(fileURLWithPath: copy + "/garden.db-wal"))
    } else {
      try FileManager.default.moveItem(atPath: folder.garden, toPath: copy)
      var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: copy + "/garden.db")))
      bytes[0] = 0
      try Data(bytes).write(to: URL(fileURLWithPath: copy + "/garden.db"))
    }
    let store = try EventStore(folder: copy, options: ConnectionOptions())
    let recovery = try #require(store.recovery)
    #expect(recovery.fromBackup == 0)
    let ids = try await store.events(afterKey: nil).map(\.event.clientID)
    #expect(Array(ids.prefix(2)) == [event.clientID, Event.water(2).clientID] && ids.count == (isInLog ? 3 : 2))
  }

  /// Its hash is right, as if a program had written it so.
  @Test(arguments: ["{not json", "5", ""], ["events", "superseded"])
  func aTextThatIsNoEventIsDamage(text: String, table: String) async throws {
    _ = try await fill(20)
    _ = try await folder.store().importEvents([.water(1, "another text")])
    #expect(try await folder.store().verify().isSound)
    do {
      let database = try Database(path: folder.database, mode: .readWrite, busyTimeout: 1000)
      try database.execute(
        "UPDATE \(table) SET raw = ?, sha256 = ? WHERE rowid = 1", .text(text), .blob(SHA256().digest(of: text)))
    }
    // Reading finds it, and the next opening recovers the rest.
    await #expect(throws: StoreError.damaged(path: folder.database)) { try await folder.store().contents() }
    let recovery = try #require(try open().recovery)
    #expect(recovery.unreadable == 1 && recovery.fromFile == (table == "events" ? 19 : 20))
    let store = try open()
    #expect(try await store.verify().isSound && store.recovery == nil)
    #expect(try await store.count() == recovery.fromFile)
  }

  /// The definitions of the tables are readable, but lead nowhere.
  @Test(arguments: [4096, 8192]) func aFileWithoutTheRestOfItsPagesIsDamaged(kept: Int) async throws {
    _ = try await fill(20)
    _ = try await folder.store().backUp(to: folder.garden, now: .start, zone: .utc)
    try change { bytes in for index in kept..<bytes.count { bytes[index] = 0 } }
    let store = try open()
    #expect(store.recovery?.fromBackup == 20)
    #expect(try await store.count() == 20)
  }

  /// A damaged version doesn't affect the others and is counted.
  @Test func supersededVersionsAreRecoveredOneByOne() async throws {
    do {
      let store = try folder.store()
      _ = try await store.append([.water(1, "here")])
      _ = try await store.importEvents((1...9).map { .water(1, "version \($0)") })
    }
    try folder.run(
      """
      UPDATE superseded SET raw = '{"type":"broken"}' WHERE id = 4;
      UPDATE events SET sha256 = zeroblob(32) WHERE seq = 1;
      INSERT INTO displaced (entity, type, instant, upload, raw) VALUES ('s', 'odd', 1, 0, 'no event')
      """)
    #expect(try await !folder.store().verify().isSound)
    let store = try open()
    #expect(store.recovery?.unreadable == 3)
    let texts = try await store.superseded().map { $0.event.journalText.first ?? "" }
    #expect(texts == (1...9).filter { $0 != 4 }.map { "version \($0)" })
  }

  private enum Damage: CaseIterable {
    case header, event, meta
  }

  @Test(arguments: Damage.allCases) private func theAccountIsRecovered(damage: Damage) async throws {
    _ = try await fill(50)
    do {
      let store = try folder.store()
      try await store.bind(to: "https://a.example.org", account: "ada")
      try await store.set("{}", for: .profile)
      try await store.set("7", for: .localEvents)
      try await store.set("digest", for: .owner)
      try await store.set("20260101-000000", for: .restoreAnswered)
      try await store.set("20260102-000000", for: .draftsRestored)
      try await store.set("begun", for: .initialSync)
      _ = try await store.merge([row(1, .water(900))], cursor: row(1, .water(900)).position)
      try await store.set(EventStore.serverRowsFormat, for: .serverRowsFormat)
    }
    let database = try Database(path: folder.database, mode: .readOnly, busyTimeout: 1000)
    let size = Int(try database.integer("PRAGMA page_size"))
    let page = Int(
      try database.integer(
        "SELECT rootpage FROM sqlite_schema WHERE name = ?", .text(damage == .meta ? "meta" : "events")))
    try change { bytes in
      let start = damage == .header ? 0 : (page - 1) * size
      for index in start..<(start + size) { bytes[index] = 0xaa }
    }
    let store = try await openAfterVerifying()
    #expect(store.recovery != nil)
    #expect(try await !store.hasValidServerRows())
    #expect(try await store.cursor() == nil)
    #expect(try await store.syncFigures(now: .start).latest == nil)
    guard damage != .meta else { return #expect(try await store.count() == 51) }
    #expect(try await store.value(.profile) == "{}")
    #expect(try await store.value(.localEvents) == "7")
    #expect(try await store.value(.owner) == "digest")
    #expect(try await store.value(.restoreAnswered) == "20260101-000000")
    #expect(try await store.value(.draftsRestored) == "20260102-000000")
    #expect(try await store.value(.initialSync) == "begun")
    await #expect(throws: StoreError.otherServer(address: "https://a.example.org")) {
      try await store.bind(to: "https://b.example.org")
    }
    await #expect(throws: StoreError.otherAccount(path: store.path)) {
      try await store.bind(to: "https://a.example.org", account: "eve")
    }
  }

  /// A server at a new address may be an older copy, so after a recovery, events that it lacks must still not be
  /// removed.
  @Test func aServerMoveIsRecovered() async throws {
    _ = try await fill(5)
    do {
      let store = try folder.store()
      try await store.bind(to: "https://a.example.org")
      try await store.bind(to: "https://b.example.org", hasMoved: true)
    }
    try change { $0[0] = 0 }
    let store = try open()
    #expect(store.recovery != nil)
    #expect(try await store.hasServerMoved())
  }

  /// In older files, drafts had no question, and the sun's question was a separate draft.
  @Test(arguments: [false, true]) func draftsOfAnOlderFileAreConverted(isDamaged: Bool) async throws {
    try PrivateFiles.makeFolder(folder.garden)
    do {
      let database = try ConnectionOptions(migrations: Array(Schema.migrations.prefix(4))).open(folder.database)
        .database
      for (kind, entity, text) in [("sun", "", "A thought"), ("sun", "asked", "twig\nWhy?"), ("water", "s", "half")] {
        try database.execute(
          "INSERT INTO drafts (kind, entity, day, updated, text) VALUES (?, ?, '', 5, ?)", .text(kind), .text(entity),
          .text(text))
      }
    }
    if isDamaged { GardenFile.markSuspect(folder.garden) }
    if isDamaged {
      try folder.run("PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = 'x' WHERE name = 'meta'")
    }
    let store = try open()
    #expect((store.recovery != nil) == isDamaged)
    let drafts = try await store.drafts()
    let water = Draft(
      key: DraftKey(kind: "water", entity: "s", day: ""), text: "half", updated: Instant(milliseconds: 5))
    #expect(drafts.contains(water))
    #expect(drafts.first { $0.key.entity == "" }?.text == "A thought")
    if !isDamaged { #expect(drafts.count == 2 && drafts.contains { $0.asked == "twig\nWhy?" }) }
  }

  @Test func aSecondDamagedFileGetsAnotherName() async throws {
    for _ in 0..<2 {
      _ = try await fill(5)
      try change { $0[0] = 0 }
      _ = try open()
    }
    #expect(try files().filter { $0.contains("damaged") }.count == 2)
  }

  @Test func aDamagedFileInUseIsNotSetAside() async throws {
    let other = try folder.store()
    _ = try await other.append([.water(1)])
    try folder.run("PRAGMA wal_checkpoint(TRUNCATE)")
    // A file that another program uses is left alone, even if only this program finds it damaged.
    try change { $0.replaceSubrange(0..<100, with: Array(repeating: 7, count: 100)) }
    do {
      _ = try open(busyTimeout: 50)
      Issue.record("opened")
    } catch {
      #expect(error as? StoreError == .damagedAndInUse(path: folder.database))
    }
    #expect(try files().filter { $0.contains("damaged") }.isEmpty)
    withExtendedLifetime(other) {}
  }

  /// The new file is complete and the damaged one is moved, but not its log.
  @Test func theLogOfADamagedFileIsNotAppliedToTheNewOne() async throws {
    let events = try await fill(20)
    rename(folder.database, folder.database + ".recovered")
    let log = Data("the log of the damaged file".utf8)
    try Data("damaged".utf8).write(to: URL(fileURLWithPath: folder.database + ".damaged-1"))
    try log.write(to: URL(fileURLWithPath: folder.database + "-wal"))
    #expect(try await open().events(afterKey: nil).texts == events.map(\.raw))
    #expect(try Data(contentsOf: URL(fileURLWithPath: folder.database + ".damaged-1-wal")) == log)
  }

  @Test func anInterruptedRecoveryIsFinished() async throws {
    let events = try await fill(20)
    rename(folder.database, folder.database + ".recovered")
    try Data("left over".utf8).write(to: URL(fileURLWithPath: folder.database + ".unfinished"))
    #expect(try await open().events(afterKey: nil).texts == events.map(\.raw))
  }
}
