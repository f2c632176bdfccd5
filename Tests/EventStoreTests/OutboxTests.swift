import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

/// The outbox and the server's answers.
@Suite struct OutboxTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  @Test func aBatchIsOldestFirstAndBounded() async throws {
    let events = (1...7).map { Event.water(Int64(10 - $0), String(repeating: "x", count: 100)) }
    _ = try await store.append(events)
    let first = try await store.takeBatch(now: .start, limit: 3)
    #expect(first.map(\.raw) == events.prefix(3).map(\.raw))
    #expect(try await store.takeBatch(now: .start, bytes: 500).count == 2)
    #expect(try await store.takeBatch(now: .start, bytes: 1).count == 1)
  }

  @Test func undoableEventsWaitAndSentOnesCannotBeUndone() async throws {
    _ = try await store.append([.water(1)], undoableUntil: .start.plus(9))
    #expect(try await store.takeBatch(now: .start).isEmpty)
    var figures = try await store.syncFigures(now: .start)
    #expect(figures.pending == 1 && figures.sendable == 0 && figures.nextUndoWindowEnd == .start.plus(9))
    let taken = try await store.takeBatch(now: .start.plus(9))
    #expect(taken.count == 1)
    // Once sent, an event can't be undone even if the clock is set back.
    await #expect(throws: StoreError.undoWindowOver(clientID: taken[0].clientID)) {
      try await store.undo(clientIDs: [taken[0].clientID], now: .start)
    }
    // An undo window that ends in the far future comes from a clock that was set back since. It doesn't keep
    // the event from being sent, and until then, undoing works.
    _ = try await store.append([.water(2)], undoableUntil: .start.plus(86_400))
    figures = try await store.syncFigures(now: .start)
    #expect(figures.sendable == 2 && figures.nextUndoWindowEnd == nil)
    #expect(try await store.undoableEvents(now: .start).count == 1)
  }

  @Test func eventsCanBeConfirmedRejectedAndQueuedAgain() async throws {
    _ = try await store.append([.water(1), .water(2), .water(3)])
    let events = try await store.takeBatch(now: .start)
    try await store.confirm([
      (events[0], Receipt(clientID: events[0].clientID, id: "a", createdAt: "2026-01-01T00:00:00.5+00:00")),
      (events[1], Receipt(clientID: events[1].clientID, id: nil, createdAt: nil)),
    ])
    try await store.recordAttempt([events[2]], answer: "503 PGRST001: words")
    var items = try await store.outboxItems()
    #expect(items.map(\.attempts) == [1] && items[0].lastCode == "503 PGRST001" && items[0].state == .pending)
    try await store.reject(events[2], answer: "400 22P05: words")
    var figures = try await store.syncFigures(now: .start)
    #expect(figures.pending == 0 && figures.rejected == 1 && figures.latest == "2026-01-01T00:00:00.5+00:00")
    #expect(try await store.takeBatch(now: .start).isEmpty)
    #expect(try await store.confirmedCount() == 2)
    items = try await store.outboxItems()
    #expect(items.map(\.state) == [.rejected] && items[0].attempts == 2)
    try await store.requeue()
    figures = try await store.syncFigures(now: .start)
    #expect(figures.sendable == 1 && figures.rejected == 0)
    // The answers to earlier attempts are forgotten.
    items = try await store.outboxItems()
    #expect(items.map(\.attempts) == [0] && items[0].lastAnswer == nil)
  }

  @Test func sendingAgainForgetsTheRejection() async throws {
    _ = try await store.append([.water(1)])
    let event = try await store.takeBatch(now: .start)[0]
    try await store.reject(event, answer: "400 22P05: words")
    try await store.keepLocalOnly()
    try await store.sendAgain(seqs: [event.seq])
    let items = try await store.outboxItems()
    #expect(items.map(\.state) == [.pending] && items[0].attempts == 0 && items[0].lastAnswer == nil)
  }

  /// If the server has lost the row, the event gets a new row, and the old row's ID and time are forgotten.
  @Test func aResentEventGetsItsNewRow() async throws {
    _ = try await store.append([.water(1)])
    let event = try await store.takeBatch(now: .start)[0]
    for (id, time) in [("a", "2026-01-01T00:00:00+00:00"), ("b", "2026-02-02T00:00:00+00:00")] {
      try await store.confirm([(event, Receipt(clientID: event.clientID, id: id, createdAt: time))])
      #expect(try await store.localIdentities().map(\.position) == [Cursor(createdAt: time, id: id)])
      try await store.sendAgain(seqs: [event.seq])
      #expect(try await store.localIdentities().map(\.position) == [nil])
    }
  }

  /// Another program may have sent the event before this one records that its own attempt failed.
  @Test func anEventOnTheServerIsNeitherRejectedNorSentAgain() async throws {
    _ = try await store.append([.water(1)])
    let event = try await store.takeBatch(now: .start)[0]
    try await store.confirm([(event, Receipt(clientID: event.clientID, id: "a", createdAt: nil))])
    try await store.recordAttempt([event], answer: "503")
    try await store.reject(event, answer: "400 22P05")
    #expect(try await store.requeue([event.seq]) == 0)
    #expect(try await store.keepLocalOnly([event.seq]) == 0)
    #expect(try await store.outboxItems().isEmpty)
    #expect(try await store.confirmedCount() == 1)
    #expect(try await store.read { try $0.integer("SELECT attempts FROM events") } == 0)
  }

  /// Without numbers, only undecided events are sent again; local-only events must be named.
  @Test func aLocalOnlyEventIsSentOnlyByItsNumber() async throws {
    _ = try await store.append([.water(1), .water(2)])
    let events = try await store.takeBatch(now: .start)
    for event in events { try await store.reject(event, answer: "400 22P05: words") }
    #expect(try await store.outboxItems().map(\.lastAnswer) == ["400 22P05: words", "400 22P05: words"])
    #expect(try await store.keepLocalOnly([events[0].seq]) == 1)
    #expect(try await store.outboxItems().map(\.state) == [.rejected, .localOnly])
    #expect(try await store.requeue() == 1)
    #expect(try await store.outboxItems().map(\.state) == [.pending, .localOnly])
    #expect(try await store.requeue([events[0].seq]) == 1)
    #expect(try await store.outboxItems().map(\.state) == [.pending, .pending])
    #expect(try await store.read { try $0.integer("SELECT sum(local_only) FROM events") } == 0)
  }

  /// A row belongs to one event. A second event that claims it gets no row ID.
  @Test func twoEventsDoNotShareARow() async throws {
    _ = try await store.append([.water(1), .water(2)])
    let receipts = try await store.takeBatch(now: .start).map { event in
      (event, Receipt(clientID: event.clientID, id: "a", createdAt: "2026-01-01T00:00:00+00:00"))
    }
    try await store.confirm(receipts)
    #expect(try await store.localIdentities().map { $0.position?.id } == ["a", nil])
    #expect(try await store.syncFigures(now: .start).pending == 0)
  }

  /// Many waiting events don't crowd out the rejected ones.
  @Test func theLimitAppliesToEachState() async throws {
    _ = try await store.append((0..<8).map { .water($0) })
    let events = try await store.takeBatch(now: .start)
    for event in events.suffix(3) { try await store.reject(event, answer: "400 22P05") }
    #expect(try await store.outboxItems(limit: 2).map(\.seq) == [0, 1, 5, 6].map { events[$0].seq })
    #expect(
      try await store.outboxItems().map { $0.state == .rejected } == [
        false, false, false, false, false, true, true, true,
      ])
  }

  @Test func skippedEventsStayPending() async throws {
    _ = try await store.append((0..<6).map { .water($0) })
    let seqs = try await store.takeBatch(now: .start).map(\.seq)
    let others: Set = [seqs[0], seqs[2]]
    #expect(try await store.takeBatch(now: .start, limit: 3, without: others).map(\.seq) == [1, 3, 4].map { seqs[$0] })
    var figures = try await store.syncFigures(now: .start, without: others)
    #expect(figures.pending == 6 && figures.sendable == 4)
    // Another program has sent one of the skipped events in between.
    let event = try await store.takeBatch(now: .start)[0]
    try await store.confirm([(event, Receipt(clientID: event.clientID, id: "a", createdAt: "2026-01-01T00:00:00Z"))])
    figures = try await store.syncFigures(now: .start, without: others)
    #expect(figures.pending == 5 && figures.sendable == 4)
  }
}
