import Garden
import Storage
import Testing

@testable import GardenStore

/// What the log does with rows of the server.
@Suite struct ServerRowTests {
  let folder: TemporaryFolder
  let store: GardenStore

  init() throws {
    folder = try TemporaryFolder()
    store = try folder.store()
  }

  private func row(_ number: Int, _ event: Event) -> ServerRow {
    let digits = String(number)
    let padded = String(repeating: "0", count: 6 - digits.count) + digits
    return ServerRow(id: "row-\(padded)", createdAt: "2026-02-09T14:32:07.\(padded)+00:00", event: event)
  }

  private func rows(_ range: Range<Int>) -> [ServerRow] { range.map { row($0, .water(Int64($0), "text \($0)")) } }

  @Test func outboxIsOldestFirstAndBounded() async throws {
    let events = (1...7).map { Event.water(Int64(10 - $0), String(repeating: "x", count: 100)) }
    _ = try await store.append(events)
    let first = try await store.outbox(now: .start, limit: 3)
    #expect(first.map(\.event.raw) == events.prefix(3).map(\.raw))
    #expect(try await store.outbox(now: .start, bytes: 500).count == 2)
    #expect(try await store.outbox(now: .start, bytes: 1).count == 1)
  }

  @Test func heldEventsWaitAndTakenOnesStay() async throws {
    _ = try await store.append([.water(1)], heldUntil: .start.plus(9))
    #expect(try await store.outbox(now: .start).isEmpty)
    var figures = try await store.syncFigures(now: .start)
    #expect(figures.pending == 1 && figures.sendable == 0 && figures.nextHoldEnd == .start.plus(9))
    let taken = try await store.outbox(now: .start.plus(9))
    #expect(taken.count == 1)
    // The clock is set back: what was taken can't be undone any more.
    await #expect(throws: StoreError.holdOver(clientID: taken[0].clientID)) {
      try await store.removeHeld(clientIDs: [taken[0].clientID], now: .start)
    }
    // A hold that ends in the far future was written by a clock that was set back since.
    _ = try await store.append([.water(2)], heldUntil: .start.plus(86_400))
    figures = try await store.syncFigures(now: .start)
    #expect(figures.sendable == 2 && figures.nextHoldEnd == nil)
  }

  @Test func confirmQuarantineAndRequeue() async throws {
    _ = try await store.append([.water(1), .water(2), .water(3)])
    let entries = try await store.outbox(now: .start)
    try await store.confirm([
      (entries[0], Landing(clientID: entries[0].clientID, id: "a", createdAt: "2026-01-01T00:00:00.5+00:00")),
      (entries[1], Landing(clientID: entries[1].clientID, id: nil, createdAt: nil)),
    ])
    try await store.noteAttempt([entries[2]], answer: "503 PGRST001: words")
    var items = try await store.outboxItems()
    #expect(items.map(\.attempts) == [1] && items[0].lastCode == "503 PGRST001" && !items[0].isQuarantined)
    try await store.quarantine(entries[2], answer: "400 22P05: words")
    var figures = try await store.syncFigures(now: .start)
    #expect(figures.pending == 0 && figures.quarantined == 1 && figures.latest == "2026-01-01T00:00:00.5+00:00")
    #expect(try await store.outbox(now: .start).isEmpty)
    #expect(try await store.confirmedCount() == 2)
    items = try await store.outboxItems()
    #expect(items.map(\.isQuarantined) == [true] && items[0].attempts == 2)
    try await store.requeue()
    figures = try await store.syncFigures(now: .start)
    #expect(figures.sendable == 1 && figures.quarantined == 0)
  }

  @Test func aLogBelongsToOneServer() async throws {
    _ = try await store.append([.water(1)])
    try await store.set(GardenStore.cacheVersion, for: .cacheVersion)
    try await store.bind(to: "https://a.example.org")
    try await store.bind(to: "https://a.example.org")
    await #expect(throws: StoreError.otherServer(address: "https://a.example.org")) {
      try await store.bind(to: "https://b.example.org")
    }
    #expect(try await store.hasValidCache())
    // The same one at a new address: what is here is compared with it again.
    #expect(try await !store.hasServerMoved())
    try await store.bind(to: "https://b.example.org", hasMoved: true)
    #expect(try await !store.hasValidCache())
    #expect(try await store.hasServerMoved())
    #expect(try await store.syncFigures(now: .start).pending == 1)
    await #expect(throws: StoreError.otherServer(address: "https://b.example.org")) {
      try await store.bind(to: "https://a.example.org")
    }
    // After signing out nothing of any server is left.
    try await store.clear()
    try await store.bind(to: "https://a.example.org")
  }

  /// However much waits, what was refused is not crowded out.
  @Test func ofEachKindSoMany() async throws {
    _ = try await store.append((0..<8).map { .water($0) })
    let entries = try await store.outbox(now: .start)
    for entry in entries.suffix(3) { try await store.quarantine(entry, answer: "400 22P05") }
    #expect(try await store.outboxItems(limit: 2).map(\.seq) == [0, 1, 5, 6].map { entries[$0].seq })
    #expect(
      try await store.outboxItems().map(\.isQuarantined) == [false, false, false, false, false, true, true, true])
  }

  @Test func whatIsPassedOverWaits() async throws {
    _ = try await store.append((0..<6).map { .water($0) })
    let seqs = try await store.outbox(now: .start).map(\.seq)
    let others: Set = [seqs[0], seqs[2]]
    #expect(try await store.outbox(now: .start, limit: 3, without: others).map(\.seq) == [1, 3, 4].map { seqs[$0] })
    var figures = try await store.syncFigures(now: .start, without: others)
    #expect(figures.pending == 6 && figures.sendable == 4)
    // Some other program has sent one of them meanwhile.
    let entry = try await store.outbox(now: .start)[0]
    try await store.confirm([(entry, Landing(clientID: entry.clientID, id: "a", createdAt: "2026-01-01T00:00:00Z"))])
    figures = try await store.syncFigures(now: .start, without: others)
    #expect(figures.pending == 5 && figures.sendable == 4)
  }

  @Test func mergeConfirmsOwnEchoesAndMovesTheCursorWithThem() async throws {
    _ = try await store.append([.water(1)])
    let generation = try await store.generation()
    let page = [row(1, .water(1)), row(2, .water(2, "theirs"))]
    #expect(try await store.merge(page, cursor: page[1].place) == MergeResult(new: 1))
    #expect(try await store.cursor() == page[1].place)
    #expect(try await store.count() == 2)
    #expect(try await store.syncFigures(now: .start).pending == 0)
    #expect(try await store.confirmedCount() == 2)
    // Nothing new: nothing written, and no other program is woken.
    let before = try await store.read { try $0.integer("SELECT total_changes()") }
    #expect(try await store.merge(page, cursor: page[1].place) == MergeResult())
    #expect(try await store.read { try $0.integer("SELECT total_changes()") } == before)
    #expect(try await store.generation() == generation)
  }

  @Test func theFirstDownloadIsMergedAsItComes() async throws {
    _ = try await store.append([.water(900)])
    #expect(try await store.beginFirstPull())
    #expect(try await store.hasValidCache())
    #expect(try await store.cursor() == nil)
    let page = rows(0..<3)
    _ = try await store.merge(page, cursor: page[2].place)
    // From now on something could be lost.
    #expect(try await !store.beginFirstPull())
    #expect(try await store.cursor() == page[2].place)
    #expect(try await store.syncFigures(now: .start).pending == 1)
  }

  @Test func whatWasClearedIsNotBroughtBack() async throws {
    let page = rows(0..<3)
    let clears = try await store.clearCount()
    let pull = try await store.beginFullPull()
    try await store.stage(page, pull)
    let other = try folder.store()
    try await other.clear()
    await #expect(throws: StoreError.cleared) { _ = try await store.beginFirstPull(unlessClearedSince: clears) }
    await #expect(throws: StoreError.cleared) {
      _ = try await store.merge(page, cursor: page[2].place, unlessClearedSince: clears)
    }
    await #expect(throws: FullPullFailure.superseded) { try await store.stage(page, pull) }
    #expect(try await store.count() == 0)
    #expect(try await store.cursor() == nil)
    let now = try await store.clearCount()
    #expect(try await store.merge(page, cursor: page[2].place, unlessClearedSince: now).new == 3)
  }

  /// The same event in two rows is one event.
  @Test func knownRowsStayOne() async throws {
    let page = rows(0..<3)
    _ = try await store.merge(page, cursor: page[2].place)
    // Both rows are counted.
    #expect(try await store.merge([row(7, page[0].event)]) == MergeResult())
    #expect(try await store.count() == 3)
    #expect(try await store.confirmedCount() == 4)
    #expect(try await store.merge([row(7, page[0].event), page[1]]) == MergeResult())
    #expect(try await store.confirmedCount() == 4)
  }

  /// A look at every event for each known row would take minutes, which no test of few rows feels.
  @Test func rowsAreFoundByTheIndexOfTheirIDs() async throws {
    let plan = try await store.read { database in
      try database.all("EXPLAIN QUERY PLAN SELECT seq FROM events WHERE \(EventLog.hasServerID)", .text("a")) {
        $0.text(3)
      }
    }
    #expect(plan == ["SEARCH events USING INDEX events_server_id (<expr>=?)"])
  }

  @Test func theLatestTimeStays() async throws {
    let page = rows(0..<6)
    _ = try await store.merge(Array(page[3...]))
    _ = try await store.merge(Array(page[..<3]))
    #expect(try await store.syncFigures(now: .start).latest == page[5].createdAt)
    let pull = try await store.beginFullPull()
    try await store.stage(Array(page[..<2]), pull)
    _ = try await store.replace(pull, cursor: page[1].place)
    #expect(try await store.syncFigures(now: .start).latest == page[1].createdAt)
    try await store.clear()
    #expect(try await store.syncFigures(now: .start).latest == nil)
  }

  /// The index takes a long download in when somebody searches, and not what is in it already.
  @Test func aLongDownloadIsFound() async throws {
    let page = rows(0..<5000)
    _ = try await store.merge(page, cursor: page[4999].place)
    _ = try await store.append([.water(5001, "text of here")])
    #expect(try await store.value(.firstUnsearchable) == "1")
    #expect(try await store.verify().searchDifferences.isEmpty)
    let reader = try folder.store()
    #expect(try await reader.search("4321").map(\.seq) == [4322])
    #expect(try await store.value(.firstUnsearchable) == nil)
    #expect(try await store.search("text", limit: 6000).count == 5001)
    #expect(try await store.verify().searchDifferences.isEmpty)
    // What is gone before it was in the index stays away.
    let more = rows(6000..<7500)
    _ = try await store.merge(more)
    try await store.rebuildSearchIndex()
    #expect(try await store.value(.firstUnsearchable) == nil)
    #expect(try await store.search("7499").count == 1)
  }

  @Test func spellingsOfTheSameEventAreTheSame() async throws {
    let event = Event.water(1, "text")
    _ = try await store.append([event])
    // As jsonb gives it back.
    let echo = try Event(json: JSON(event.raw).canonicalText)
    #expect(echo.raw != event.raw)
    let page = [row(1, echo)]
    #expect(try await store.merge(page, cursor: page[0].place).isRewritten == false)
    let pull = try await store.beginFullPull()
    try await store.stage(page, pull)
    #expect(try await store.preview(pull) == FullPullPreview(here: 1, there: 1, missing: 0))
    #expect(try await store.replace(pull, cursor: page[0].place) == MergeResult())
    #expect(try await store.events(afterSeq: 0).texts == [event.raw])
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

  @Test func clearForgetsAll() async throws {
    _ = try await store.merge([row(1, .water(1, "verystrangeword"))], cursor: Cursor(createdAt: "a", id: "b"))
    try await store.save(Draft(key: DraftKey(kind: "water", entity: "a", day: ""), text: "draft", updated: .start))
    let generation = try await store.generation()
    try await store.clear()
    #expect(try await store.count() == 0)
    #expect(try await store.cursor() == nil)
    #expect(try await store.drafts().isEmpty)
    #expect(try await store.generation() > generation)
    #expect(try await store.search("verystrangeword").isEmpty)
    let bytes = try PrivateFiles.read(folder.database)
    #expect(bytes.firstRange(of: Array("verystrangeword".utf8)) == nil)
    // New numbers go on from the old ones.
    _ = try await store.append([.water(2)])
    #expect(try await store.lastSeq() == 2)
  }

  @Test func clearTakesNoMoreThanWasAgreedTo() async throws {
    _ = try await store.merge([row(1, .water(1))])
    _ = try await store.append([.water(2)])
    _ = try await store.append([.water(3)], heldUntil: .start.plus(9))
    try await store.quarantine(try await store.outbox(now: .start)[0], answer: "400")
    try await store.set("kept", for: .localEvents)
    await #expect(throws: StoreError.unsent(count: 2)) { try await store.checkClearing(unsentAtMost: 1) }
    await #expect(throws: StoreError.unsent(count: 2)) { try await store.clear(unsentAtMost: 1) }
    let state = try await store.state()
    _ = try await store.append([.water(4)])
    #expect(try await !store.clear(ifStill: state))
    #expect(try await store.count() == 4)
    #expect(try await store.clear(ifStill: store.state()))
    #expect(try await store.count() == 0)
    // Who was asked once is not asked again.
    #expect(try await store.value(.localEvents) == "kept")
    _ = try await store.append([.water(5)])
    try await store.clear(unsentAtMost: 1)
    #expect(try await store.count() == 0)
  }
}
