import Foundation
import SQLiteKit
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

/// A changed bit in the first page, which locates everything else, costs no entry and doesn't lock the garden.
struct FirstPageTests {
  private static let pageSize = ConnectionOptions.pageSizes[0]
  private static let draft = Draft(
    key: DraftKey(kind: "water", entity: "s", day: ""), text: "half a sen", updated: .start)
  private static let shards = 4
  private static let seed = UInt64.random(in: 0...UInt64.max)

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  /// A garden whose log has several pages, closed, so that everything is in the main file.
  private func fill() async throws -> [String] {
    let events = (1...40).map { Event.water($0, "entry number \($0) " + String(repeating: "x", count: 500)) }
    let store = try folder.store()
    _ = try await store.append(events)
    try await store.save(Self.draft)
    try await store.bind(to: "https://a.example.org")
    return events.map(\.raw)
  }

  /// Opens a garden with this file.
  private func open(_ bytes: [UInt8], in name: String) throws -> EventStore {
    let copy = folder.path + "/" + name
    try FileManager.default.copyItem(atPath: folder.garden, toPath: copy)
    try Data(bytes).write(to: URL(fileURLWithPath: copy + "/garden.db"))
    return try EventStore(folder: copy, options: ConnectionOptions())
  }

  /// The places of the bits to change: some in the header of the file, and in the definitions and the list of their
  /// places, or all with `SOAK=1`, which takes an hour.
  private func bits(of page: ArraySlice<UInt8>, _ random: inout SeededRandom) -> [Int] {
    let count = Int(page[103]) << 8 | Int(page[104])
    let start = Int(page[105]) << 8 | Int(page[106])
    let header = Array(0..<(100 * 8))
    let rest = Array((100 * 8)..<((108 + 2 * count) * 8)) + Array((start * 8)..<(Self.pageSize * 8))
    if ProcessInfo.processInfo.environment["SOAK"] != nil { return header + rest }
    return Array(header.shuffled(using: &random).prefix(200) + rest.shuffled(using: &random).prefix(100))
  }

  /// Opens the garden, and again if a thorough check finds more.
  private func openAfterVerifying(_ bytes: [UInt8], in name: String) async throws -> EventStore {
    do {
      let store = try open(bytes, in: name)
      if try await store.verify().isSound { return store }
    }
    return try EventStore(folder: folder.path + "/" + name, options: ConnectionOptions())
  }

  @Test(arguments: 0..<shards) func noChangedBitLosesAnEntryOrLocksTheGarden(shard: Int) async throws {
    let texts = try await fill()
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder.database)))
    // The shards share the seed, so that together they change all of its bits.
    let seed = Self.seed
    var random = SeededRandom(seed: seed)
    for bit in bits(of: bytes.prefix(Self.pageSize), &random) where bit % Self.shards == shard {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      let place = Comment(rawValue: "bit \(bit % 8) of byte \(bit / 8), seed \(seed)")
      let name = "bit-\(bit)"
      do {
        let store = try await openAfterVerifying(changed, in: name)
        #expect(try await store.events(afterKey: nil).texts == texts, place)
        #expect(try await store.draft(for: Self.draft.key) == Self.draft, place)
        #expect(try await store.value(.server) == "https://a.example.org", place)
        _ = try await store.append([.water(900)])
        #expect(try await store.count() == texts.count + 1, place)
        #expect(try await store.verify().isSound, place)
        #expect((store.recovery?.unreadable ?? 0) == 0 && (store.recovery?.missing ?? 0) == 0, place)
      } catch {
        Issue.record(error, place)
      }
      try FileManager.default.removeItem(atPath: folder.path + "/" + name)
    }
  }

  /// A garden whose log continues below another page shows all entries only if that page is looked for.
  @Test func aTableThatIsReadFromAPartOfItsPagesIsRecovered() async throws {
    _ = try await folder.store().append((1...200).map { .water($0, String(repeating: "x", count: 300)) })
    // The first leaf of the log, in place of its root.
    try folder.run(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT min(pageno) FROM dbstat WHERE name = 'events' AND pagetype = 'leaf')
        WHERE name = 'events'
      """)
    let store = try folder.store()
    #expect(store.recovery?.fromFile == 200)
    #expect(try await store.count() == 200)
  }

  @Test func theDatabaseOfAnotherProgramStaysAsItIs() async throws {
    try PrivateFiles.makeFolder(folder.garden)
    try PrivateFiles.makeFile(folder.database)
    try folder.run("CREATE TABLE places (url TEXT); PRAGMA user_version = 75")
    let before = try Data(contentsOf: URL(fileURLWithPath: folder.database))
    #expect(throws: StoreError.notAGarden(path: folder.database)) { try folder.store() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.garden).contains("garden.db"))
    let database = try Database(path: folder.database, mode: .readOnly, busyTimeout: 0)
    #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 1 && before.count > 0)
  }

  /// Tables and indexes of the user's own tools, such as the statistics of `ANALYZE`, are no damage.
  @Test func moreTablesAreNoDamage() async throws {
    _ = try await folder.store().append([.water(1)])
    try folder.run("ANALYZE; CREATE INDEX mine ON events (entity); VACUUM")
    let store = try folder.store()
    #expect(store.recovery == nil)
    #expect(try await store.verify().isSound)
    #expect(try await store.read { try SchemaRecord(database: $0).isUnchanged() })
  }

  /// Without its main file, SQLite would delete the write-ahead log.
  @Test func aLogBesideAnEmptyFileIsRecovered() async throws {
    let outcome = try Writer(["append", folder.garden, "100000"]).outcome(killedAfter: 10)
    try Data().write(to: URL(fileURLWithPath: folder.database))
    for name in ["garden.lock", "garden.mark"] {
      try FileManager.default.removeItem(atPath: folder.garden + "/" + name)
    }
    let store = try folder.store()
    let here = try await Set(store.events(afterSeq: 0).compactMap(\.event.clientID))
    #expect(store.recovery != nil && here.isSuperset(of: outcome.acknowledged))
  }
}
