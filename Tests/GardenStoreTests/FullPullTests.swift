import Garden
import Testing

@testable import GardenStore

/// All rows of the server take the place of what was confirmed.
@Suite struct FullPullTests {
  let folder: TemporaryFolder
  let store: GardenStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.store()
  }

  @Test func rowsOfTheSameEventAreCountedEachOnce() async throws {
    let named = Event.water(1, "text")
    let bare = try Event(
      json: #"{"type":"sprout_watered","sproutId":"sprout-1","content":"a","timestamp":"\#(named.instant!)"}"#)
    let other = try Event(
      json: #"{"type":"sprout_watered","sproutId":"sprout-1","content":"b","timestamp":"\#(named.instant!)"}"#)
    let all = [row(1, bare), row(2, named), row(3, other)]
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
      try await store.clear()
      _ = try await store.merge(order.map { all[$0] }, cursor: all[2].place)
      #expect(try await store.events(afterSeq: 0).texts == [named.raw])
      #expect(try await store.confirmedCount() == 3)
      let generation = try await store.generation()
      let pull = try await store.beginFullPull()
      try await store.stage(all, pull)
      #expect(try await store.replace(pull, cursor: all[2].place) == MergeResult())
      #expect(try await store.confirmedCount() == 3)
      #expect(try await store.generation() == generation)
    }
  }

  @Test func fullPullKeepsUnsentAndRefused() async throws {
    let old = rows(1..<6)
    _ = try await store.merge(old, cursor: old[4].place)
    _ = try await store.append([.water(20), .water(21)])
    try await store.quarantine(try await store.outbox(now: .start)[1], answer: "400")
    let pull = try await store.beginFullPull()
    try await store.stage(Array(old[1..<3]), pull)
    try await store.stage([row(9, .water(9))], pull)
    // Nothing has changed yet.
    #expect(try await store.count() == 7)
    #expect(try await store.preview(pull) == FullPullPreview(here: 5, there: 3, missing: 3))
    let result = try await store.replace(pull, cursor: row(9, .water(9)).place)
    #expect(result == MergeResult(new: 1, isRewritten: true))
    let seconds = try await store.events(afterSeq: 0).compactMap(\.event.instant?.milliseconds)
      .map { ($0 - Instant.start.milliseconds) / 1000 }.sorted()
    #expect(seconds == [2, 3, 9, 20, 21])
    let figures = try await store.syncFigures(now: .start)
    #expect(figures.pending == 1 && figures.quarantined == 1)
    #expect(try await store.hasValidCache())
    #expect(try await store.cursor()?.id == "row-000009")
    #expect(try await store.verify().searchDifferences.isEmpty)
  }

  @Test func whatIsConfirmedDuringAFullPullStays() async throws {
    _ = try await store.append([.water(1)])
    let pull = try await store.beginFullPull()
    try await store.stage([], pull)
    let entry = try await store.outbox(now: .start)[0]
    try await store.confirm([(entry, Landing(clientID: entry.clientID, id: "row-000001", createdAt: "x"))])
    _ = try await store.merge([row(2, .water(2))])
    _ = try await store.replace(pull, cursor: nil)
    #expect(try await store.count() == 2)
  }

  @Test func anotherFullPullMakesTheFirstVoid() async throws {
    let page = rows(1..<4)
    _ = try await store.merge(page, cursor: page[2].place)
    let first = try await store.beginFullPull()
    try await store.stage(page, first)
    let second = try await store.beginFullPull()
    await #expect(throws: FullPullFailure.superseded) { _ = try await store.replace(first, cursor: nil) }
    await #expect(throws: FullPullFailure.superseded) { try await store.stage(page, first) }
    try await store.stage(page, second)
    #expect(try await store.replace(second, cursor: page[2].place) == MergeResult())
    #expect(try await store.count() == 3)
  }

  @Test func missingEventsCanBeSentAgain() async throws {
    let page = rows(1..<4)
    _ = try await store.merge(page, cursor: page[2].place)
    let generation = try await store.generation()
    let pull = try await store.beginFullPull()
    try await store.stage([page[0]], pull)
    _ = try await store.replace(pull, cursor: page[0].place, keepsMissing: true)
    #expect(try await store.outbox(now: .start).map(\.event.raw) == page[1...].map(\.event.raw))
    #expect(try await store.count() == 3)
    #expect(try await store.generation() == generation)
  }

  @Test func rowsThatWereWrittenAnewAreRecognised() async throws {
    let page = rows(1..<4)
    _ = try await store.merge(page, cursor: page[2].place)
    // The same events, in the rows of each other and in one of its own.
    let anew = [row(2, page[0].event), row(1, page[1].event), row(7, page[2].event)]
    let pull = try await store.beginFullPull()
    try await store.stage(anew, pull)
    #expect(try await store.preview(pull).missing == 0)
    _ = try await store.replace(pull, cursor: anew[2].place)
    #expect(try await store.count() == 3)
    #expect(try await store.confirmedCount() == 3)
    #expect(try await store.merge(anew, cursor: anew[2].place) == MergeResult())
  }
}
