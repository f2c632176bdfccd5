import Foundation
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

/// Two versions of one event: a file never replaces what the user wrote, and the losing version is kept as superseded.
struct ConflictTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  private func texts() async throws -> [String] {
    try await store.events(afterSeq: 0).map { $0.event.journalText.first ?? "" }
  }

  private func superseded(_ store: EventStore) async throws -> [String] {
    try await store.superseded().map { $0.event.journalText.first ?? "" }
  }

  private func anonymous(_ text: String) throws -> Event {
    try .json(
      #"{"type":"sprout_watered","sproutId":"sprout-1","content":"\#(text)","timestamp":"\#(Instant.start.plus(1))"}"#)
  }

  @Test func importKeepsExistingTexts() async throws {
    _ = try await store.append([.water(1, "my words")])
    let file: [Event] = [.water(1, "AAAA"), .water(2, "new"), .water(1, "my words"), .water(2, "new, too")]
    let preview = try await store.importPreview(file)
    #expect(preview.new == 1 && preview.duplicates == 1)
    #expect(preview.conflicts.map { $0.here.journalText.first } == ["my words", "new"])
    #expect(preview.conflicts.map { $0.other.journalText.first } == ["AAAA", "new, too"])
    #expect(try await store.superseded().isEmpty)
    let result = try await store.importEvents(file)
    #expect(!result.isRewritten && result.conflicts.count == 2)
    #expect(try await texts() == ["my words", "new"])
    #expect(try await superseded(store) == ["AAAA", "new, too"])
    let empty = try ImportPreview(intoEmptyLog: file)
    #expect(empty.new == 2 && empty.duplicates == 0 && empty.conflicts.count == 2)
  }

  @Test func importKeepsTheTextOfAnEventWithoutAnID() async throws {
    let here = try anonymous("my words")
    _ = try await store.importEvents([here])
    let result = try await store.importEvents([.water(1, "AAAA"), try anonymous("BBBB")])
    #expect(result.conflicts.map(\.here.raw) == [here.raw, here.raw])
    #expect(try await store.events(afterSeq: 0).texts == [here.raw])
    #expect(try await Set(superseded(store)) == ["AAAA", "BBBB"])
    // The same text with a `client_id` is the same event.
    #expect(try await store.importEvents([.water(1, "my words")]).conflicts.isEmpty)
    #expect(try await texts() == ["my words"])
  }

  /// No sequence of imports changes or hides the text of an existing event.
  @Test(arguments: 0..<40) func importsNeverChangeExistingEvents(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    func event() throws -> Event {
      let text = ["a", "b", "c"].randomElement(using: &random) ?? "a"
      if Int.random(in: 0..<4, using: &random) == 0 { return try anonymous(text) }
      return .water(
        Int64.random(in: 1...2, using: &random), text, id: UInt32.random(in: 1...3, using: &random))
    }
    // The instant and text of each event, because an import may add a `client_id` to an event.
    func textCounts() async throws -> [String: Int] {
      let events = try await store.events(afterSeq: 0).map(\.event)
      return Dictionary(events.map { ("\($0.instant as Any) \($0.journalText.first ?? "")", 1) }, uniquingKeysWith: +)
    }
    _ = try await store.merge(try (0..<3).map { row($0, try event()) })
    for _ in 0..<8 {
      let before = try await textCounts()
      let named = try await store.events(afterSeq: 0).filter { $0.event.clientID != nil }.map(\.event.raw)
      let file = try (0..<Int.random(in: 1...6, using: &random)).map { _ in try event() }
      let preview = try await store.importPreview(file)
      let result = try await store.importEvents(file)
      #expect(preview.conflicts.count == result.conflicts.count && preview.new == result.inserted.count)
      let after = try await textCounts()
      for (text, count) in before { #expect(after[text, default: 0] >= count, "seed \(seed): \(text)") }
      let texts = try await Set(store.events(afterSeq: 0).texts)
      #expect(texts.isSuperset(of: named), "seed \(seed)")
      let kept = try await Set(store.superseded().map(\.event.canonicalText))
      #expect(kept.isSuperset(of: result.conflicts.map(\.other.canonicalText)), "seed \(seed)")
    }
  }

  @Test(arguments: [("a", "z"), ("z", "a")])
  func theServersVersionReplacesALocalOne(local: String, remote: String) async throws {
    _ = try await store.append([.water(1, local)])
    let result = try await store.merge([row(1, .water(1, remote))])
    #expect(result.isRewritten)
    #expect(try await texts() == [remote])
    #expect(try await superseded(store) == [local])
    #expect(try await store.superseded().first?.current?.journalText.first == remote)
    #expect(try await store.syncFigures(now: .start).pending == 0)
  }

  /// The server acknowledged the event, but its text was never fetched.
  @Test func theServersVersionReplacesASentOneThatWasNeverFetched() async throws {
    _ = try await store.append([.water(1, "a")])
    let event = try #require(try await store.takeBatch(now: .start).first)
    try await store.confirm([(event, Receipt(clientID: event.clientID, id: nil, createdAt: nil))])
    _ = try await store.merge([row(1, .water(1, "z"))])
    #expect(try await texts() == ["z"])
    #expect(try await superseded(store) == ["a"])
  }

  @Test(arguments: [["a", "b"], ["b", "a"]]) func twoServerVersionsConverge(order: [String]) async throws {
    for text in order { _ = try await store.merge([row(text == "a" ? 1 : 2, .water(1, text))]) }
    #expect(try await texts() == ["a"])
    #expect(try await superseded(store) == ["b"])
  }

  @Test func aFullPullKeepsReplacedAndRemovedEventsAsSuperseded() async throws {
    _ = try await store.merge([row(1, .water(1, "old")), row(2, .water(2, "gone"))])
    var pull = try await store.beginFullPull()
    try await store.stage([row(1, .water(1, "new"))], &pull)
    _ = try await store.replace(pull, cursor: nil)
    #expect(try await texts() == ["new"])
    #expect(try await Set(superseded(store)) == ["old", "gone"])
    #expect(try await store.superseded().first { $0.current == nil }?.event.journalText.first == "gone")
  }

  @Test func supersededVersionsSurviveBackupAndRecovery() async throws {
    _ = try await store.append([.water(1, "here")])
    _ = try await store.importEvents([.water(1, "other")])
    let backup = try await store.backUp(to: folder.path, now: .start, zone: .utc).path
    let contents = try ExportFile.decodeContents(String(contentsOfFile: backup, encoding: .utf8))
    #expect(contents.events.count == 1 && contents.superseded.map { $0.journalText.first } == ["other"])
    let second = try EventStore(folder: folder.path + "/second", options: ConnectionOptions())
    _ = try await second.importEvents(contents.events, superseded: contents.superseded)
    #expect(try await superseded(second) == ["other"])
    #expect(try await second.verify().superseded == 1)
    try await second.clear()
    #expect(try await superseded(second).isEmpty)
  }

  @Test func supersededVersionsAreListedOnceWhenAnExportIsImportedAgain() async throws {
    _ = try await store.append([.water(1, "here")])
    _ = try await store.importEvents([.water(1, "other"), .water(1, "third")])
    let export = ExportFile.encode(try await store.contents(), exportedAt: .start)
    let contents = try ExportFile.decodeContents(export)
    _ = try await store.importEvents(contents.events, superseded: contents.superseded)
    #expect(try await superseded(store) == ["other", "third"])
    #expect(ExportFile.encode(try await store.contents(), exportedAt: .start) == export)
  }

  @Test func recoveryKeepsSupersededVersions() async throws {
    do {
      let other = try EventStore(folder: folder.path + "/damaged", options: ConnectionOptions())
      _ = try await other.append([.water(1, "here")])
      _ = try await other.importEvents([.water(1, "other")])
    }
    let path = folder.path + "/damaged/garden.db"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    bytes[0] = 0
    try bytes.write(to: URL(fileURLWithPath: path))
    let opened = try EventStore(folder: folder.path + "/damaged", options: ConnectionOptions())
    #expect(opened.recovery?.fromFile == 1)
    #expect(try await superseded(opened) == ["other"])
  }

  /// A garden that another program has just removed must not get entries that no program shows.
  @Test func importsIntoAClearedGardenFail() async throws {
    let clears = try await store.clearCount()
    let copy = try await store.writeCopy(below: folder.path + "/copies", at: .start)
    let comparison = try await store.compare(with: [copy])
    try await store.clear()
    await #expect(throws: StoreError.cleared) {
      _ = try await store.importEvents([.water(1)], unlessClearedSince: clears)
    }
    await #expect(throws: StoreError.cleared) { _ = try await store.restore(comparison, unlessClearedSince: clears) }
    #expect(try await store.count() == 0)
    #expect(try await store.importEvents([.water(1)]).inserted.count == 1)
  }

  /// To Swift, these two are equal. To the server, they are two events.
  @Test func identitiesAreComparedByTheirBytes() async throws {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    _ = try await store.append([try .json(#"{"type":"odd","client_id":"\#(composed)"}"#)])
    let known = try await store.knownIdentities()
    #expect(known.contains(ExactID(composed)) && !known.contains(ExactID(decomposed)))
  }
}
