import Foundation
import TemporaryFolders
import TestSupport
import Testing
import TrunkModel

@testable import EventStore

struct EventLogTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  @Test func appendedEventsSurviveReopening() async throws {
    let events = [Event.water(1, "one"), .water(2, "two")]
    do {
      let result = try await folder.store().append(events)
      #expect(result.outcomes == [.inserted(seq: 1), .inserted(seq: 2)])
      #expect(result.inserted.map(\.seq) == [1, 2])
      #expect(!result.isRewritten)
    }
    let store = try folder.store()
    #expect(try await store.events(afterSeq: 0).texts == events.map(\.raw))
    #expect(try await store.events(afterSeq: 1).texts == [events[1].raw])
    #expect(try await store.events(seqs: [2, 9, 1]).map(\.seq) == [2, 1])
    #expect(try await store.count() == 2)
    #expect(try await store.head().lastSeq == 2)
  }

  @Test func onlyTheOwnerCanReadTheFiles() async throws {
    let store = try folder.store()
    _ = try await store.append([.water(1)])
    #expect(try folder.mode("garden") == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.garden) {
      #expect(try folder.mode("garden/" + name) == 0o600, "\(name)")
    }
    #expect(FileManager.default.fileExists(atPath: folder.database + "-wal"))
  }

  @Test func openingRemovesThePermissionsOfOtherUsers() async throws {
    _ = try await folder.store().append([.water(1)])
    chmod(folder.garden, 0o755)
    chmod(folder.database, 0o644)
    let store = try folder.store()
    _ = try await store.append([.water(2)])
    #expect(try folder.mode("garden") == 0o700)
    for suffix in ["", "-wal", "-shm"] { #expect(try folder.mode("garden/garden.db" + suffix) == 0o600) }
  }

  @Test func ignoredEventsAreKeptByteForByte() async throws {
    let texts = [
      #"{ "type" : "moon_rose", "timestamp":"2026-01-01T00:00:00Z","x":[1e2, "é",null] }"#,
      #"{"type":"sprout_harvested","sproutId":"s","result":9,"client_id":"a"}"#,
      #"{}"#, #"{"a":"\u0000"}"#, "{\"type\":\"sprout_watered\",\"content\":\"e\u{301}\",\"timestamp\":\"soon\"}",
    ]
    let store = try folder.store()
    _ = try await store.append(texts.map(Event.json) + [.water(1)])
    #expect(try await store.events(afterSeq: 0).texts.prefix(5).map { Array($0.utf8) } == texts.map { Array($0.utf8) })
    #expect(try await store.ignoredCount() == 5)
    #expect(try await store.append(texts.map(Event.json)).outcomes == (1...5).map { .duplicate(of: $0) })
    #expect(try await store.count() == 6)
  }

  @Test func eventsAreReadInTheTotalOrder() async throws {
    let anonymous = try ["c", "a", "b"].map {
      try Event.json(
        #"{"type":"node_updated","nodeId":"\#($0)","timestamp":"\#(Instant.start.plus(50))"}"#)
    }
    let planted = try Event.json(
      """
      {"type":"leaf_created","leafId":"l","twigId":"t","name":"n","client_id":"z","timestamp":"\(Instant.start.plus(70))"}
      """)
    let events =
      anonymous + [.water(70, id: 2), .water(70, id: 1), planted, .water(10)]
      + [try .json(#"{"type":"unknown"}"#)]
    let store = try folder.store()
    _ = try await store.append(events)
    let all = try await store.events(afterKey: nil)
    #expect(all.texts == LoggedEvent.sorted(all.shuffled()).texts)
    #expect(all.map(\.seq) == [8, 7, 2, 3, 1, 6, 5, 4])
    for (index, logged) in all.enumerated().dropFirst() {
      guard let key = logged.event.orderKey else { continue }
      let later = try await store.events(afterKey: key)
      #expect(later.map(\.seq) == all[(index + 1)...].map(\.seq))
    }
  }

  @Test func undoRemovesEventsTogetherOrNotAtAll() async throws {
    let store = try folder.store()
    let (one, two, three) = (Event.water(1, "apple"), Event.water(2, "apple"), Event.water(3, "apple"))
    _ = try await store.append([one, two], undoableUntil: .start.plus(10))
    _ = try await store.append([three])
    let ids = [one, two, three].compactMap(\.clientID)
    await #expect(throws: StoreError.undoWindowOver(clientID: ids[2])) {
      try await store.undo(clientIDs: ids, now: .start)
    }
    await #expect(throws: StoreError.undoWindowOver(clientID: ids[0])) {
      try await store.undo(clientIDs: [ids[0]], now: .start.plus(10))
    }
    #expect(try await store.count() == 3)
    #expect(try await store.head().generation == 0)
    try await store.undo(clientIDs: Array(ids[..<2]), now: .start.plus(9))
    #expect(try await store.events(afterSeq: 0).texts == [three.raw])
    #expect(try await store.head().generation == 2)
    // A `seq` is never reused: a reader would mistake the new event for the old one.
    #expect(try await store.append([one]).outcomes == [.inserted(seq: 4)])
  }

  @Test func endingUndoWindowsPreventsUndo() async throws {
    let store = try folder.store()
    let event = Event.water(1)
    let ids = [event].compactMap(\.clientID)
    _ = try await store.append([event], undoableUntil: .start.plus(10))
    try await store.endUndoWindows()
    await #expect(throws: StoreError.undoWindowOver(clientID: ids[0])) {
      try await store.undo(clientIDs: ids, now: .start)
    }
  }

  @Test func appendingAnEventRemovesItsDraft() async throws {
    let key = DraftKey(kind: "water", entity: "sprout-1", day: "2026-01-01")
    let other = DraftKey(kind: "sun", entity: "twig", day: "")
    do {
      let store = try folder.store()
      try await store.save(Draft(key: key, text: "a", updated: .start))
      try await store.save(Draft(key: key, text: "ab", asked: "Why?", updated: .start.plus(1)))
      try await store.save(Draft(key: other, text: "b", updated: .start.plus(2)))
    }
    let store = try folder.store()
    #expect(try await store.draft(for: key) == Draft(key: key, text: "ab", asked: "Why?", updated: .start.plus(1)))
    #expect(try await store.drafts().map(\.key) == [other, key])
    _ = try await store.append([.water(1)], clearing: Draft(key: key, text: "other words", updated: .start))
    #expect(try await store.draft(for: key)?.text == "ab")
    let draft = Draft(key: key, text: "ab", asked: "Why?", updated: .start.plus(3))
    _ = try await store.append([.water(2)], undoableUntil: .start.plus(9), clearing: draft)
    #expect(try await store.draft(for: key) == nil)
    let ids = [try #require(Event.water(2).clientID)]
    await #expect(throws: StoreError.undoWindowOver(clientID: ids[0])) {
      try await store.undo(clientIDs: ids, now: .start.plus(10), restoring: draft)
    }
    #expect(try await store.draft(for: key) == nil)
    try await store.save(Draft(key: key, text: "begun since", updated: .start.plus(4)))
    try await store.undo(clientIDs: ids, now: .start.plus(5), restoring: draft)
    #expect(
      try await store.draft(for: key)
        == Draft(key: key, text: "ab\nbegun since", asked: "Why?", updated: .start.plus(3)))
    try await store.removeDraft(for: key)
    try await store.removeDraft(for: other)
    #expect(try await store.drafts().isEmpty)
  }

  @Test func metaValuesAreStoredAndRemoved() async throws {
    let store = try folder.store()
    #expect(try await store.value(.cursorTime) == nil)
    try await store.set("2026-02-09T14:32:07.123456+00:00", for: .cursorTime)
    try await store.set("1", for: .serverRowsFormat)
    #expect(try await folder.store().value(.cursorTime) == "2026-02-09T14:32:07.123456+00:00")
    try await store.set(nil, for: .cursorTime)
    #expect(try await store.value(.cursorTime) == nil)
    #expect(try await store.value(.serverRowsFormat) == "1")
  }
}

struct DuplicateTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder.forGarden() }

  private func water(_ content: String, _ clientID: String?, second: Int = 1, sprout: String = "s") throws -> Event {
    let id = clientID.map { #","client_id":"\#($0)""# } ?? ""
    return try .json(
      """
      {"type":"sprout_watered","sproutId":"\(sprout)","content":"\(content)",\
      "timestamp":"2026-01-01T00:00:0\(second).000Z"\(id)}
      """)
  }

  @Test func anEqualClientIDKeepsTheExistingText() async throws {
    let store = try folder.store()
    let (a, b) = (try water("a", "1"), try water("b", "1"))
    #expect(try await store.append([b]).outcomes == [.inserted(seq: 1)])
    let result = try await store.append([a, b])
    #expect(result.outcomes == [.conflict(with: 1), .duplicate(of: 1)])
    #expect(!result.isRewritten && result.inserted.isEmpty)
    #expect(result.conflicts.map(\.here.raw) == [b.raw] && result.conflicts.map(\.other.raw) == [a.raw])
    #expect(try await store.events(afterSeq: 0).texts == [b.raw])
    #expect(try await store.superseded().map(\.event.raw) == [a.raw])
  }

  @Test func anEventWithAnIDDisplacesOneWithout() async throws {
    let store = try folder.store()
    let (anonymous, named) = (try water("a", nil), try water("b", "1"))
    let result = try await store.append([anonymous, named])
    #expect(result.outcomes == [.inserted(seq: 1), .replaced(seq: 2)])
    #expect(try await store.append([anonymous]).outcomes == [.conflict(with: 2)])
    let same = try water("b", nil)
    #expect(try await store.append([same]).outcomes == [.duplicate(of: 2)])
    #expect(try await store.events(afterSeq: 0).texts == [named.raw])
  }

  @Test func undoingAnEventRestoresTheOneItDisplaced() async throws {
    let store = try folder.store()
    let (anonymous, named) = (try water("a", nil), try water("b", "1"))
    _ = try await store.append([anonymous])
    _ = try await store.append([named], undoableUntil: .start)
    try await store.undo(clientIDs: ["1"], now: .start.plus(-1))
    #expect(try await store.events(afterSeq: 0).texts == [anonymous.raw])
  }

  @Test func aMalformedEventDisplacesNoUnderstoodOne() async throws {
    let store = try folder.store()
    let (anonymous, version) = (try water("a", nil), try water("b", "1"))
    let malformed = try Event.json(
      #"{"type":"sprout_watered","sproutId":"s","timestamp":"\#(anonymous.instant?.description ?? "")","client_id":"2"}"#
    )
    _ = try await store.importEvents([anonymous, version.with(clientID: "9")])
    _ = try await store.importEvents([anonymous])
    _ = try await store.merge([row(1, malformed)])
    #expect(try await store.events(afterSeq: 0).texts.contains(malformed.raw))
    // The server has a malformed version of a local event.
    let local = try water("mine", "3", second: 2)
    _ = try await store.append([local])
    let broken = try malformed.with(clientID: "3")
    let all = [row(1, malformed), row(2, broken)]
    #expect(try await !store.merge(all).isRewritten)
    #expect(try await store.events(afterSeq: 0).texts.contains(local.raw))
    #expect(try await store.syncFigures(now: .start).pending == 1)
    #expect(try await store.superseded().map(\.event.raw).contains(broken.raw))
    var pull = try await store.beginFullPull()
    try await store.stage(all, &pull)
    #expect(try await store.preview(pull).replaced == 0)
    _ = try await store.replace(pull, cursor: all[1].position)
    #expect(try await store.events(afterSeq: 0).texts.contains(local.raw))
    // An understood version from the server replaces the malformed one.
    let repaired = try water("mine", "2")
    #expect(try await store.merge([row(3, repaired)]).isRewritten)
    #expect(try await store.events(afterSeq: 0).texts.contains(repaired.raw))
  }

  /// Server rows may arrive in any order: the log then holds the same events as `withoutDuplicates` keeps of the whole
  /// set.
  @Test(arguments: 0..<60) func orderOfArrivalDoesNotMatter(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    var events: [Event] = []
    for _ in 0..<14 {
      events.append(
        try water(
          ["a", "b", "c"].randomElement(using: &random) ?? "a",
          ["1", "2", nil, nil].randomElement(using: &random) ?? nil,
          second: Int.random(in: 1...2, using: &random), sprout: Bool.random(using: &random) ? "s" : "t"))
      if Bool.random(using: &random) {
        let id = Bool.random(using: &random) ? "" : #","client_id":"3""#
        events.append(try .json(#"{"type":"odd","x":\#(Int.random(in: 1...2, using: &random))\#(id)}"#))
      }
      if Bool.random(using: &random) {
        // A malformed event of the same entity and instant, or a malformed version of another event.
        let id = ["", #","client_id":"1""#, #","client_id":"4""#].randomElement(using: &random) ?? ""
        events.append(
          try .json(#"{"type":"sprout_watered","sproutId":"s","timestamp":"2026-01-01T00:00:01.000Z"\#(id)}"#))
      }
    }
    let expected = Set(events.withoutDuplicates().map(\.canonicalText))
    let rows = events.enumerated().map { row($0, $1) }
    let store = try folder.store()
    for batch in 0..<3 {
      _ = try await store.merge(rows.shuffled(using: &random))
      let texts = try await store.events(afterKey: nil).map(\.event.canonicalText)
      #expect(Set(texts) == expected, "seed \(seed), batch \(batch)")
      #expect(texts.count == expected.count)
    }
  }
}
