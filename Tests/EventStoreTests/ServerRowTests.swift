import SQLiteKit
import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

/// Merging server rows into the log.
@Suite struct ServerRowTests {
  let folder: TemporaryFolder
  let store: EventStore

  init() throws {
    folder = try TemporaryFolder.forGarden()
    store = try folder.store()
  }

  @Test func aLogBelongsToOneServer() async throws {
    _ = try await store.append([.water(1)])
    try await store.set(EventStore.serverRowsFormat, for: .serverRowsFormat)
    try await store.bind(to: "https://a.example.org")
    try await store.bind(to: "https://a.example.org")
    await #expect(throws: StoreError.otherServer(address: "https://a.example.org")) {
      try await store.bind(to: "https://b.example.org")
    }
    #expect(try await store.hasValidServerRows())
    // The same server at a new address: the log must be compared with it again.
    #expect(try await !store.hasServerMoved())
    try await store.bind(to: "https://b.example.org", hasMoved: true)
    #expect(try await !store.hasValidServerRows())
    #expect(try await store.hasServerMoved())
    #expect(try await store.syncFigures(now: .start).pending == 1)
    await #expect(throws: StoreError.otherServer(address: "https://b.example.org")) {
      try await store.bind(to: "https://a.example.org")
    }
    // After signing out, the log belongs to no server.
    try await store.clear()
    try await store.bind(to: "https://a.example.org")
  }

  /// The file was copied into the folder of another account, which must not get its entries.
  @Test func aLogBelongsToOneAccount() async throws {
    _ = try await store.append([.water(1)])
    let (server, other) = ("https://a.example.org", "https://b.example.org")
    try await store.bind(to: server)
    try await store.bind(to: server, account: "ada")
    try await store.bind(to: server, account: "ada")
    for address in [server, other] {
      await #expect(throws: StoreError.otherAccount(path: store.path)) {
        try await store.bind(to: address, account: "eve", hasMoved: true)
      }
    }
    #expect(try await store.value(.server) == server)
    try await store.bind(to: other, account: "ada", hasMoved: true)
    // After signing out, the log belongs to no account.
    try await store.clear()
    try await store.bind(to: server, account: "eve")
  }

  @Test func mergeConfirmsOwnEventsAndMovesTheCursor() async throws {
    _ = try await store.append([.water(1)])
    let generation = try await store.head().generation
    let page = [row(1, .water(1)), row(2, .water(2, "theirs"))]
    #expect(try await store.merge(page, cursor: page[1].position) == MergeResult(new: 1))
    #expect(try await store.cursor() == page[1].position)
    #expect(try await store.count() == 2)
    #expect(try await store.syncFigures(now: .start).pending == 0)
    #expect(try await store.confirmedCount() == 2)
    // If all rows are known, nothing is written and no other program is notified.
    let before = try await store.read { try $0.integer("SELECT total_changes()") }
    #expect(try await store.merge(page, cursor: page[1].position) == MergeResult())
    #expect(try await store.read { try $0.integer("SELECT total_changes()") } == before)
    #expect(try await store.head().generation == generation)
  }

  @Test func rowsOfTheFirstDownloadAreMergedOnArrival() async throws {
    _ = try await store.append([.water(900)])
    #expect(try await store.beginInitialPull())
    #expect(try await store.hasValidServerRows())
    #expect(try await store.cursor() == nil)
    let page = rows(0..<3)
    _ = try await store.merge(page, cursor: page[2].position)
    // The log now has server rows, which a first download must not replace.
    #expect(try await !store.beginInitialPull())
    #expect(try await store.cursor() == page[2].position)
    #expect(try await store.syncFigures(now: .start).pending == 1)
  }

  @Test func downloadsDoNotRestoreAClearedGarden() async throws {
    let page = rows(0..<3)
    let clears = try await store.clearCount()
    var pull = try await store.beginFullPull()
    try await store.stage(page, &pull)
    let other = try folder.store()
    try await other.clear()
    await #expect(throws: StoreError.cleared) { _ = try await store.beginInitialPull(unlessClearedSince: clears) }
    await #expect(throws: StoreError.cleared) { _ = try await store.beginFullPull(unlessClearedSince: clears) }
    await #expect(throws: StoreError.cleared) {
      _ = try await store.merge(page, cursor: page[2].position, unlessClearedSince: clears)
    }
    await #expect(throws: FullPullFailure.otherDownload) { try await store.stage(page, &pull) }
    #expect(try await store.count() == 0)
    #expect(try await store.cursor() == nil)
    let now = try await store.clearCount()
    #expect(try await store.merge(page, cursor: page[2].position, unlessClearedSince: now).new == 3)
  }

  /// The same event in two rows is one event.
  @Test func anEventInTwoRowsIsStoredOnce() async throws {
    let page = rows(0..<3)
    _ = try await store.merge(page, cursor: page[2].position)
    // Both rows are counted.
    #expect(try await store.merge([row(7, page[0].event)]) == MergeResult())
    #expect(try await store.count() == 3)
    #expect(try await store.confirmedCount() == 4)
    #expect(try await store.merge([row(7, page[0].event), page[1]]) == MergeResult())
    #expect(try await store.confirmedCount() == 4)
  }

  /// A row of the server's table was changed by hand.
  @Test(arguments: [false, true]) func anotherEventInAKnownRowReplacesTheOldOne(isAnonymous: Bool) async throws {
    let page = rows(1..<4)
    _ = try await store.beginInitialPull()
    _ = try await store.merge(page, cursor: page[2].position)
    let other =
      try isAnonymous ? Event(json: #"{"type":"odd","content":"b"}"#) : .water(20, "verynew")
    #expect(try await store.merge([page[0], row(2, other)]) == MergeResult(new: 1, isRewritten: true))
    let texts = [page[0].event, page[2].event, other].map(\.raw)
    #expect(try await store.events(afterSeq: 0).texts == texts)
    #expect(try await store.confirmedCount() == 3)
    #expect(try await store.merge([row(2, other)]) == MergeResult())
    #expect(try await store.verify().searchDifferences.isEmpty)
    #expect(try await store.hasValidServerRows())
  }

  /// The removed event may also be in a merged row, so everything is fetched again.
  @Test func replacingAnEventInvalidatesMergedRows() async throws {
    let page = rows(1..<4)
    _ = try await store.beginInitialPull()
    _ = try await store.merge(page + [row(7, page[0].event)], cursor: page[2].position)
    let other = row(1, .water(20))
    #expect(try await store.merge([other]) == MergeResult(new: 1, isRewritten: true))
    #expect(try await !store.hasValidServerRows())
    let all = [other, page[1], page[2], row(7, page[0].event)]
    var pull = try await store.beginFullPull()
    try await store.stage(all, &pull)
    _ = try await store.replace(pull, cursor: all[3].position)
    #expect(Set(try await store.events(afterSeq: 0).texts) == Set(all.map(\.event.raw)))
    #expect(try await store.confirmedCount() == 4)
    // After a server has moved, everything is compared anyway, and the move is not forgotten.
    _ = try await store.merge([row(8, page[0].event)])
    try await store.set(EventStore.movedServer, for: .serverRowsFormat)
    _ = try await store.merge([row(2, .water(21))])
    #expect(try await store.hasServerMoved())
  }

  /// A merged row that was changed by hand is no longer known.
  @Test func aChangedMergedRowIsMergedAgain() async throws {
    let page = rows(1..<4)
    _ = try await store.beginInitialPull()
    let repeating = row(7, page[0].event)
    _ = try await store.merge(page + [repeating], cursor: repeating.position)
    let new = row(7, .water(20, "verynew"))
    #expect(try await store.merge([page[0], new]) == MergeResult(new: 1))
    #expect(try await store.find("verynew").count == 1)
    #expect(try await store.confirmedCount() == 4)
    #expect(try await store.merge([page[0], new]) == MergeResult())
    // The change is reverted.
    #expect(try await store.merge([repeating]) == MergeResult(new: 0, isRewritten: true))
    #expect(try await store.events(afterSeq: 0).texts == page.map(\.event.raw))
    #expect(try await store.merge([repeating]) == MergeResult())
  }

  /// The same for a row in `displaced`.
  @Test func aChangedDisplacedRowIsMergedAgain() async throws {
    let named = Event.water(1, "text")
    let bare = try Event(
      json: #"{"type":"sprout_watered","sproutId":"sprout-1","content":"a","timestamp":"\#(named.instant!)"}"#)
    _ = try await store.merge([row(1, named), row(2, bare)])
    #expect(try await store.merge([row(2, bare)]) == MergeResult())
    #expect(try await store.merge([row(2, .water(20))]) == MergeResult(new: 1))
    #expect(try await store.events(afterSeq: 0).texts == [named.raw, Event.water(20).raw])
    #expect(try await store.confirmedCount() == 2)
  }

  /// Scanning all events for each known row would take minutes in a large garden, which a small test doesn't show.
  @Test func rowsAreFoundByTheIndexOfTheirIDs() async throws {
    let plan = try await store.read { database in
      try database.all("EXPLAIN QUERY PLAN SELECT seq FROM events WHERE \(EventLog.hasServerID)", .text("a")) {
        $0.text(3)
      }
    }
    #expect(plan == ["SEARCH events USING INDEX events_server_id (<expr>=?)"])
  }

  @Test func theLatestTimeIsThatOfTheNewestRow() async throws {
    let page = rows(0..<6)
    _ = try await store.merge(Array(page[3...]))
    _ = try await store.merge(Array(page[..<3]))
    #expect(try await store.syncFigures(now: .start).latest == page[5].createdAt)
    var pull = try await store.beginFullPull()
    try await store.stage(Array(page[..<2]), &pull)
    _ = try await store.replace(pull, cursor: page[1].position)
    #expect(try await store.syncFigures(now: .start).latest == page[1].createdAt)
    try await store.clear()
    #expect(try await store.syncFigures(now: .start).latest == nil)
  }

  /// The first search indexes a long download, but not the events that are already indexed.
  @Test func aLongDownloadIsSearchable() async throws {
    let page = rows(0..<5000)
    _ = try await store.merge(page, cursor: page[4999].position)
    _ = try await store.append([.water(5001, "text of here")])
    #expect(try await store.value(.firstUnsearchable) == "1")
    #expect(try await store.verify().searchDifferences.isEmpty)
    let reader = try folder.store()
    #expect(try await reader.find("4321") == [4322])
    #expect(try await store.value(.firstUnsearchable) == nil)
    #expect(try await store.find("text").count == 5001)
    #expect(try await store.verify().searchDifferences.isEmpty)
    // Rebuilding the index includes the postponed events.
    let more = rows(6000..<7500)
    _ = try await store.merge(more)
    try await store.rebuildSearchIndex()
    #expect(try await store.value(.firstUnsearchable) == nil)
    #expect(try await store.find("7499").count == 1)
  }

  @Test func reorderedMembersMakeNoDifference() async throws {
    let event = Event.water(1, "text")
    _ = try await store.append([event])
    // The member order of jsonb.
    let echo = try Event(json: JSON(event.raw).canonicalText)
    #expect(echo.raw != event.raw)
    let page = [row(1, echo)]
    #expect(try await store.merge(page, cursor: page[0].position).isRewritten == false)
    var pull = try await store.beginFullPull()
    try await store.stage(page, &pull)
    #expect(try await store.preview(pull) == FullPullPreview(local: 1, server: 1, missing: 0))
    #expect(try await store.replace(pull, cursor: page[0].position) == MergeResult())
    #expect(try await store.events(afterSeq: 0).texts == [event.raw])
  }

  /// Rows that arrived in between may be followed by others before the older position.
  @Test func aPositionIsNotSettledAfterTheCursorHasMoved() async throws {
    let page = [row(1, .water(1, "a")), row(2, .water(2, "b"))]
    let (first, last) = (page[0].position, page[1].position)
    _ = try await store.merge([page[0]], cursor: first)
    _ = try await store.merge([page[1]], cursor: last)
    try await store.markSettled(first)
    #expect(try await store.settledPosition() == nil)
    try await store.markSettled(last)
    #expect(try await store.settledPosition() == last)
  }

  @Test func clearRemovesEverything() async throws {
    _ = try await store.merge([row(1, .water(1, "verystrangeword"))], cursor: Cursor(createdAt: "a", id: "b"))
    try await store.save(Draft(key: DraftKey(kind: "water", entity: "a", day: ""), text: "draft", updated: .start))
    let generation = try await store.head().generation
    try await store.clear()
    #expect(try await store.count() == 0)
    #expect(try await store.cursor() == nil)
    #expect(try await store.drafts().isEmpty)
    #expect(try await store.head().generation > generation)
    #expect(try await store.find("verystrangeword").isEmpty)
    let bytes = try PrivateFiles.read(folder.database)
    #expect(bytes.firstRange(of: Array("verystrangeword".utf8)) == nil)
    // `seq` continues after the removed events.
    _ = try await store.append([.water(2)])
    #expect(try await store.head().lastSeq == 2)
  }

  @Test func clearKeepsTheUsersDecisions() async throws {
    _ = try await store.append([.water(2)])
    try await store.set("kept", for: .localEvents)
    try await store.set("20260101-000000", for: .restoreAnswered)
    try await store.clear()
    #expect(try await store.value(.localEvents) == "kept")
    #expect(try await store.value(.restoreAnswered) == "20260101-000000")
  }
}
