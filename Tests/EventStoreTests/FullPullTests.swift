import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

/// Full downloads replace all confirmed events with the server's rows.
@Suite struct FullPullTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  @Test func eachRowOfTheSameEventIsCounted() async throws {
    let named = Event.water(1, "text")
    let bare = try Event(
      json: #"{"type":"sprout_watered","sproutId":"sprout-1","content":"a","timestamp":"\#(named.instant!)"}"#)
    let other = try Event(
      json: #"{"type":"sprout_watered","sproutId":"sprout-1","content":"b","timestamp":"\#(named.instant!)"}"#)
    let all = [row(1, bare), row(2, named), row(3, other)]
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
      try await store.clear()
      _ = try await store.merge(order.map { all[$0] }, cursor: all[2].position)
      #expect(try await store.events(afterSeq: 0).texts == [named.raw])
      #expect(try await store.confirmedCount() == 3)
      let generation = try await store.head().generation
      var pull = try await store.beginFullPull()
      try await store.stage(all, &pull)
      #expect(try await store.replace(pull, cursor: all[2].position) == MergeResult())
      #expect(try await store.confirmedCount() == 3)
      #expect(try await store.head().generation == generation)
    }
  }

  @Test func fullPullKeepsUnsentAndRejectedEvents() async throws {
    let old = rows(1..<6)
    _ = try await store.merge(old, cursor: old[4].position)
    _ = try await store.append([.water(20), .water(21)])
    try await store.reject(try await store.takeBatch(now: .start)[1], answer: "400")
    var pull = try await store.beginFullPull()
    try await store.stage(Array(old[1..<3]), &pull)
    try await store.stage([row(9, .water(9))], &pull)
    // The log is unchanged until `replace`.
    #expect(try await store.count() == 7)
    #expect(try await store.preview(pull) == FullPullPreview(local: 5, server: 3, missing: 3))
    let result = try await store.replace(pull, cursor: row(9, .water(9)).position)
    #expect(result == MergeResult(new: 1, isRewritten: true, removed: 3))
    let seconds = try await store.events(afterSeq: 0).compactMap(\.event.instant?.milliseconds)
      .map { ($0 - Instant.start.milliseconds) / 1000 }.sorted()
    #expect(seconds == [2, 3, 9, 20, 21])
    let figures = try await store.syncFigures(now: .start)
    #expect(figures.pending == 1 && figures.rejected == 1)
    #expect(try await store.hasValidServerRows())
    #expect(try await store.cursor()?.id == "row-000009")
    #expect(try await store.verify().searchDifferences.isEmpty)
  }

  @Test func aDisplacedTextStaysSupersededWhenItsRowIsGone() async throws {
    let named = Event.water(1, "text")
    let bare = try Event(
      json: #"{"type":"sprout_watered","sproutId":"sprout-1","content":"other","timestamp":"\#(named.instant!)"}"#)
    _ = try await store.merge([row(1, bare), row(2, named)], cursor: row(2, named).position)
    #expect(try await store.superseded().map(\.event.raw) == [bare.raw])
    var pull = try await store.beginFullPull()
    try await store.stage([row(2, named)], &pull)
    _ = try await store.replace(pull, cursor: row(2, named).position)
    #expect(try await store.superseded().map(\.event.raw) == [bare.raw])
  }

  @Test func eventsConfirmedDuringAFullPullStay() async throws {
    _ = try await store.append([.water(1)])
    var pull = try await store.beginFullPull()
    try await store.stage([], &pull)
    let event = try await store.takeBatch(now: .start)[0]
    try await store.confirm([(event, Receipt(clientID: event.clientID, id: "row-000001", createdAt: "x"))])
    _ = try await store.merge([row(2, .water(2))])
    _ = try await store.replace(pull, cursor: nil)
    #expect(try await store.count() == 2)
  }

  @Test func anotherFullPullMakesTheFirstVoid() async throws {
    let page = rows(1..<4)
    _ = try await store.merge(page, cursor: page[2].position)
    var first = try await store.beginFullPull()
    try await store.stage(page, &first)
    var second = try await store.beginFullPull()
    await #expect(throws: FullPullFailure.otherDownload) { _ = try await store.replace(first, cursor: nil) }
    await #expect(throws: FullPullFailure.otherDownload) { try await store.stage(page, &first) }
    try await store.stage(page, &second)
    #expect(try await store.replace(second, cursor: page[2].position) == MergeResult())
    #expect(try await store.count() == 3)
  }

  @Test func missingEventsCanBeSentAgain() async throws {
    let page = rows(1..<4)
    _ = try await store.merge(page, cursor: page[2].position)
    let generation = try await store.head().generation
    var pull = try await store.beginFullPull()
    try await store.stage([page[0]], &pull)
    _ = try await store.replace(pull, cursor: page[0].position, keepsMissing: true)
    #expect(try await store.takeBatch(now: .start).map(\.raw) == page[1...].map(\.event.raw))
    #expect(try await store.count() == 3)
    #expect(try await store.head().generation == generation)
  }

  @Test func reuploadedEventsAreRecognised() async throws {
    let page = rows(1..<4)
    _ = try await store.merge(page, cursor: page[2].position)
    // The same events: two have swapped rows, one is in a new row.
    let again = [row(2, page[0].event), row(1, page[1].event), row(7, page[2].event)]
    var pull = try await store.beginFullPull()
    try await store.stage(again, &pull)
    #expect(try await store.preview(pull).missing == 0)
    _ = try await store.replace(pull, cursor: again[2].position)
    #expect(try await store.count() == 3)
    #expect(try await store.confirmedCount() == 3)
    #expect(try await store.merge(again, cursor: again[2].position) == MergeResult())
  }

  private func stagedCount() async throws -> Int {
    try await store.read { try StagedRows(database: $0).count() }
  }

  @Test func onlyRowsThatDifferAreStaged() async throws {
    let page = rows(1..<6)
    _ = try await store.merge(page, cursor: page[4].position)
    var pull = try await store.beginFullPull()
    let before = try await store.read { try $0.integer("SELECT total_changes()") }
    try await store.stage(Array(page[..<4]), &pull)
    #expect(try await store.read { try $0.integer("SELECT total_changes()") } == before)
    // The member order of jsonb, a repeated row, a row that was changed by hand, and a new row.
    let echo = row(4, try Event(json: JSON(page[3].event.raw).canonicalText))
    try await store.stage([echo, row(5, .water(5, "verynew")), row(6, .water(6))], &pull)
    #expect(try await stagedCount() == 2)
    #expect(try await store.preview(pull) == FullPullPreview(local: 5, server: 6, missing: 0, replaced: 1))
    let result = try await store.replace(pull, cursor: row(6, .water(6)).position)
    #expect(result == MergeResult(new: 2, isRewritten: true, replaced: 1))
    let texts = page[..<4].map(\.event.raw) + [Event.water(5, "verynew").raw, Event.water(6).raw]
    #expect(try await store.events(afterKey: nil).texts == texts)
    #expect(try await store.find("verynew").count == 1)
    #expect(try await store.confirmedCount() == 6)
    #expect(try await stagedCount() == 0)
  }

  /// Rows of an abandoned download must not count for the next one: they may have been removed in between.
  @Test func anAbandonedFullPullDoesNotAffectTheNextOne() async throws {
    let page = rows(1..<4)
    _ = try await store.merge(page, cursor: page[2].position)
    var broken = try await store.beginFullPull()
    try await store.stage(page + [row(4, .water(4))], &broken)
    try await store.abandon(broken)
    var pull = try await folder.store().beginFullPull()
    try await store.stage([page[0], page[2]], &pull)
    #expect(try await store.preview(pull) == FullPullPreview(local: 3, server: 2, missing: 1))
    #expect(
      try await store.replace(pull, cursor: page[2].position) == MergeResult(new: 0, isRewritten: true, removed: 1))
    #expect(try await store.events(afterKey: nil).texts == [page[0], page[2]].map(\.event.raw))
  }

  /// An event that equalled its row is displaced before the end of the download, and its row was not staged.
  @Test func removingAnUnchangedEventOutdatesAFullPull() async throws {
    let named = Event.water(1, "text")
    let bare = try Event(
      json: #"{"type":"sprout_watered","sproutId":"sprout-1","content":"a","timestamp":"\#(named.instant!)"}"#)
    let page = [row(1, bare), row(2, .water(2))]
    _ = try await store.merge(page, cursor: page[1].position)
    var pull = try await store.beginFullPull()
    try await store.stage(page, &pull)
    _ = try await folder.store().merge([row(3, named)])
    await #expect(throws: FullPullFailure.outdated) { _ = try await store.preview(pull) }
    await #expect(throws: FullPullFailure.outdated) { _ = try await store.replace(pull, cursor: page[1].position) }
    #expect(try await store.confirmedCount() == 3)
    pull = try await store.beginFullPull()
    try await store.stage(page + [row(3, named)], &pull)
    #expect(try await store.replace(pull, cursor: row(3, named).position) == MergeResult())
    #expect(try await store.confirmedCount() == 3)
    // The displaced event returns if the other one is removed.
    pull = try await store.beginFullPull()
    try await store.stage(page, &pull)
    _ = try await store.replace(pull, cursor: page[1].position)
    #expect(try await store.events(afterKey: nil).texts == page.map(\.event.raw))
  }
}
