import EventStore
import Synchronization
import TestSupport
import Testing
import TrunkModel

@testable import SyncEngine

/// Downloads from the server, and the removals that they cause.
@Suite struct DownloadTests {
  let service = MemoryService()

  // MARK: The first download

  @Test func anInterruptedFirstDownloadContinues() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<50), userID: "user")
    service.configure { $0.pageLimit = 10 }
    let pages = Counter()
    service.setFaults { call, _ in call == .rows && pages.next() == 3 ? .lost : nil }
    let first = await device.engine.sync()
    #expect(first.mode == .full && first.problem != nil && first.fetched == 20)
    #expect(try await device.store.count() == 20)
    service.clearFaults()
    try await device.write(1, random: 7)
    let second = await device.engine.sync()
    #expect(second.mode == .incremental && second.problem == nil && second.pushed == 1)
    #expect(try await device.store.count() == 51)
    #expect(try await device.store.confirmedCount() == 51)
  }

  /// Until the first download ends, the garden is incomplete, also after a restart.
  @Test func theFirstDownloadShowsLoadingUntilItEnds() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<50), userID: "user")
    service.configure { $0.pageLimit = 10 }
    func phaseAtTheLastPage() async -> SyncStatus.Phase? {
      let phase = Mutex<SyncStatus.Phase?>(nil)
      service.setGate { [engine = device.engine] call in
        guard call == .rows else { return }
        let now = await engine.status.phase
        phase.withLock { $0 = now }
      }
      await device.engine.sync()
      return phase.withLock { $0 }
    }
    let pages = Counter()
    service.setFaults { call, _ in call == .rows && pages.next() >= 3 ? .lost : nil }
    #expect(await phaseAtTheLastPage() == .initialSync)
    #expect(await device.engine.status.phase == .offline)
    #expect(try await device.store.count() == 20)
    try await device.restart()
    #expect(await phaseAtTheLastPage() == .initialSync)
    service.clearFaults()
    #expect(await phaseAtTheLastPage() == .initialSync)
    #expect(await device.engine.status.phase == .synced)
    #expect(await phaseAtTheLastPage() == .syncing)
    try await device.restart()
    #expect(await phaseAtTheLastPage() == .syncing)
  }

  /// While many new rows arrive, `isLargeDownload` means that the garden must not be shown yet.
  @Test func aLargeDownloadIsIncompleteUntilTheLastPage() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    service.write(Event.waters(0..<2500), userID: "user")
    let parts = Mutex<[Bool]>([])
    service.setGate { [engine = device.engine] call in
      guard call == .rows else { return }
      let isLargeDownload = await engine.status.isLargeDownload
      parts.withLock { $0.append(isLargeDownload) }
    }
    let pages = Counter()
    service.setFaults { call, _ in call == .rows && pages.next() == 2 ? .lost : nil }
    #expect(await device.engine.sync().problem != nil)
    #expect(await device.engine.status.isLargeDownload == false)
    service.clearFaults()
    #expect(await device.engine.sync().problem == nil)
    #expect(await device.engine.status.isLargeDownload == false)
    #expect(try await device.store.count() == 2500)
    #expect(parts.withLock { $0 } == [false, true, false, true, true])
  }

  /// The server has moved to another address, where an older copy of it runs.
  @Test func aMovedServerGetsWhatItLacks() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<50), userID: "user")
    await device.engine.sync()
    try await device.store.bind(to: "https://old.example.org")
    try await device.store.bind(to: Device.server, hasMoved: true)
    let lacking = Event.waters(48..<50).map(\.clientID)
    service.remove { lacking.contains($0.clientID) }
    let report = await device.engine.sync()
    #expect(report.mode == .full && report.problem == nil && report.pushed == 2)
    #expect(try await device.store.count() == 50)
    #expect(service.rows.count == 50)
    #expect(try await device.store.syncFigures(now: device.clock.now).pending == 0)
    #expect(await device.engine.sync().mode == .incremental)
  }

  // MARK: Counting

  @Test func removedRowsAreFoundByCounting() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<10), userID: "user")
    await device.engine.sync()
    service.remove { $0.clientID == Event.waters(4..<5)[0].clientID }
    // Written with a time in the past, where no new rows are looked for.
    service.write(Event.waters(20..<21), userID: "user", began: service.time - 3_600_000_000)
    await device.engine.sync()
    #expect(try await device.store.count() == 10)
    service.write(Event.waters(21..<22), userID: "user", began: service.time - 3_600_000_000)
    device.clock.advance(seconds: 3601)
    let report = await device.engine.sync()
    #expect(report.mode == .full)
    #expect(try await device.store.count() == 11)
    // The removed event is in a backup.
    #expect(device.backups.all.count == 1)
  }

  @Test func rowsAddedWhileCountingCauseNoFullDownload() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<10), userID: "user")
    await device.engine.sync()
    let number = Counter()
    service.setGate { [service] call in
      if call == .head { service.write(Event.waters((100 + number.next())..<(101 + number.next())), userID: "user") }
    }
    try await device.write(2)
    device.clock.advance(seconds: 3601)
    let report = await device.engine.sync()
    #expect(report.mode == .incremental && report.problem == nil)
  }

  /// Changes a row of the server's table by hand.
  private func put(_ event: Event, intoRow number: Int) {
    service.configure { state in
      let (row, event) = (state.rows[number], OutgoingRow(event))
      let columns: [JSON.Member] = [.init("id", .string(row.id)), .init("created_at", .string(row.createdAt))]
      state.rows[number] = MemoryService.Row(
        id: row.id, microseconds: row.microseconds, userID: row.userID, clientID: event.clientID,
        columns: .object(columns + (event.json(userID: nil).members ?? [])))
    }
  }

  /// When the second event's own row changes, the event has just been found in the other row too.
  @Test func rowsThatSwappedTheirEventsAreMerged() async throws {
    let device = try await Device(service)
    let events = Event.waters(0..<3)
    service.write(events, userID: "user")
    await device.engine.sync()
    put(events[1], intoRow: 0)
    put(events[0], intoRow: 1)
    let report = await device.engine.sync()
    #expect(report.problem == nil)
    #expect(try await device.texts() == events.map(\.canonicalText).sorted())
    #expect(try await device.store.hasValidServerRows())
    #expect(await device.engine.sync().mode == .incremental)
  }

  /// The count of rows doesn't show the change.
  @Test func aRowThatHoldsAnotherEventReplacesTheOldOne() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<3), userID: "user")
    await device.engine.sync()
    put(Event.waters(9..<10)[0], intoRow: 1)
    let report = await device.engine.sync()
    #expect(report.mode == .incremental && report.pulled == 1)
    #expect(try await device.texts() == [0, 2, 9].map { Event.waters($0..<($0 + 1))[0].canonicalText }.sorted())
    #expect(try await device.store.confirmedCount() == 3)
  }

  /// As if the server had given its row IDs to other events: too many to remove what is here without asking.
  @Test(arguments: [false, true]) func manyRowsThatHoldOtherEventsNeedADecision(isFull: Bool) async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<50), userID: "user")
    await device.engine.sync()
    let before = try await device.texts()
    for number in 0..<30 { put(Event.waters((100 + number)..<(101 + number))[0], intoRow: number) }
    #expect(await device.engine.sync(isFull ? .allRows : .newRows).problem == nil)
    #expect(await device.engine.status.phase == .remoteLoss)
    #expect(await device.engine.status.remoteLoss?.missing == 30)
    #expect(device.backups.all.count == 1)
    // Nothing is removed until the user decides.
    await device.engine.sync()
    #expect(Set(try await device.texts()).isSuperset(of: before))
    let report = await device.engine.sync(.decision(.followServer))
    #expect(report.removal == Removal(count: 30, backup: "backup"))
    let numbers = Array(30..<50) + Array(100..<130)
    #expect(try await device.texts() == numbers.map { Event.waters($0..<($0 + 1))[0].canonicalText }.sorted())
    #expect(await device.engine.sync().mode == .incremental)
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func theServerGetsTheEventsWhoseRowsHoldOthers() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<50), userID: "user")
    await device.engine.sync()
    for number in 0..<30 { put(Event.waters((100 + number)..<(101 + number))[0], intoRow: number) }
    await device.engine.sync()
    #expect(await device.engine.sync(.decision(.uploadAgain)).problem == nil)
    #expect(try await device.store.count() == 80)
    #expect(service.rows.count == 80)
    #expect(await device.engine.status.phase == .synced)
  }

  /// The server’s texts count, but the user must learn where the earlier ones are.
  @Test func replacedTextsAreReported() async throws {
    let device = try await Device(service)
    let events = Event.waters(0..<50)
    service.write(events, userID: "user")
    await device.engine.sync()
    for number in 0..<30 {
      put(.water(try #require(events[number].instant), "other", random: UInt32(number)), intoRow: number)
    }
    let report = await device.engine.sync(.allRows)
    #expect(report.problem == nil)
    #expect(report.removal == Removal(count: 0, replaced: 30, backup: "backup"))
    #expect(await device.engine.status.removal == report.removal)
    #expect(device.backups.all.count == 1)
    let kept = try await device.store.superseded().map(\.event.canonicalText)
    #expect(kept.sorted() == events[..<30].map(\.canonicalText).sorted())
    #expect(await device.engine.sync(.allRows).removal == nil)
  }

  /// Another client has given all events new IDs. No text is lost.
  @Test func newIDsInTheSameRowsAreNoLoss() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<50), userID: "user")
    await device.engine.sync()
    for number in 0..<30 {
      let event = Event.waters(number..<(number + 1))[0]
      put(.water(try #require(event.instant), "water \(number)", random: UInt32(1000 + number)), intoRow: number)
    }
    let report = await device.engine.sync(.allRows)
    #expect(report.problem == nil && report.removal == nil)
    #expect(try await device.store.count() == 50)
    #expect(await device.engine.status.phase == .synced)
    #expect(device.backups.all.isEmpty)
  }

  // MARK: Lists that end early

  private static let incomplete = SyncProblem.service(.unintelligible(detail: "a list and a count that differ"))

  /// Even if few rows are missing, or no local event would be removed.
  @Test(arguments: [(1100, 1000), (15, 10)]) func aListThatEndsEarlyRemovesNothing(rows: Int, page: Int) async throws {
    let device = try await Device(service)
    service.configure { $0.pageLimit = page }
    service.write(Event.waters(0..<rows), userID: "user")
    await device.engine.sync()
    service.setFaults { call, _ in call == .rows ? .emptyFromPage(1) : nil }
    #expect(await device.engine.sync(.allRows).problem == Self.incomplete)
    #expect(try await device.store.count() == rows)
    #expect(try await device.store.value(.countDifference) == nil)
    #expect(await device.engine.status.phase == .offline && device.backups.all.isEmpty)
    service.clearFaults()
    #expect(await device.engine.sync(.allRows).problem == nil)
    #expect(try await device.store.confirmedCount() == rows)
  }

  @Test func aFirstDownloadThatEndsEarlyFails() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<2500), userID: "user")
    service.setFaults { call, _ in call == .rows ? .emptyFromPage(1) : nil }
    for _ in 0..<3 {
      #expect(await device.engine.sync().problem == Self.incomplete)
      #expect(await device.engine.status.phase == .offline)
      #expect(try await device.store.value(.initialSync) != nil)
      #expect(try await device.store.value(.countDifference) == nil)
      try await device.restart()
    }
    service.clearFaults()
    #expect(await device.engine.sync().problem == nil)
    #expect(try await device.store.count() == 2500)
    #expect(try await device.store.value(.initialSync) == nil)
  }

  /// Rows missing from a truncated list are not a remote loss.
  @Test func aListThatEndsEarlyIsNotARemoteLoss() async throws {
    let device = try await Device(service)
    service.configure { $0.pageLimit = 100 }
    service.write(Event.waters(0..<300), userID: "user")
    await device.engine.sync()
    service.setFaults { call, _ in call == .rows ? .emptyFromPage(1) : nil }
    #expect(await device.engine.sync(.allRows).problem == Self.incomplete)
    #expect(try await device.store.remoteLoss() == nil && device.backups.all.isEmpty)
  }

  /// A server that sends rows without end must not fill the disk or block a sign-out.
  @Test func anEndlessListIsAbandoned() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<5), userID: "user")
    await device.engine.sync()
    service.write(Event.waters(5..<13_000), userID: "user")
    service.setFaults { call, _ in call == .head ? .counts(5) : nil }
    service.log = []
    #expect(await device.engine.sync(.allRows).problem == Self.incomplete)
    #expect(service.log.count { $0 == .rows } == 11)
    #expect(try await device.store.count() == 5)
    service.log = []
    #expect(try await device.engine.compare().problem == Self.incomplete)
    #expect(service.log.count { $0 == .rows } == 11)
  }

  /// A list may be longer than the count before it, because other devices write while it is read.
  @Test func aListMayGrowWhileItIsRead() throws {
    for before in [0, 5, 50_000] { try RowList.checkLength(read: before + RowList.growth, before: before) }
    for before in [0, 5, 50_000] {
      #expect(throws: Self.incomplete) { try RowList.checkLength(read: before + RowList.growth + 1, before: before) }
    }
  }

  /// Otherwise the requests would never end if a server returned the same page to each of them.
  @Test(arguments: [1, 10]) func aRepeatedPageIsAFailure(page: Int) async throws {
    let device = try await Device(service)
    service.configure { $0.pageLimit = page }
    service.write(Event.waters(0..<25), userID: "user")
    await device.engine.sync()
    let pages = Counter()
    service.setFaults { call, _ in call == .rows && pages.next() >= 1 ? .firstPage : nil }
    service.log = []
    let problem = SyncProblem.service(.unintelligible(detail: "a page that does not go on"))
    #expect(await device.engine.sync(.allRows).problem == problem)
    #expect(service.log.count { $0 == .rows } == 2)
    #expect(try await device.store.count() == 25 && device.backups.all.isEmpty)
    #expect(try await device.engine.compare().problem == problem)
  }

  /// Without a count, the list may be incomplete, so nothing is removed.
  @Test func aListThatCannotBeCountedRemovesNothing() async throws {
    let device = try await Device(service)
    service.configure { $0.pageLimit = 10 }
    service.write(Event.waters(0..<15), userID: "user")
    await device.engine.sync()
    service.setFaults { call, _ in
      switch call {
      case .head: .failing(.unavailable(status: 500, code: "57014", retryAfter: nil))
      case .rows: .emptyFromPage(1)
      default: nil
      }
    }
    #expect(
      await device.engine.sync(.allRows).problem
        == .service(.unavailable(status: 500, code: "57014", retryAfter: nil)))
    #expect(try await device.store.count() == 15)
  }

  /// The counts are known to differ, so the sync must not look like a success.
  @Test func aSyncFailsIfTheCountCannotBeRepeated() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<15), userID: "user")
    await device.engine.sync()
    service.remove { _ in true }
    let heads = Counter()
    service.setFaults { call, _ in
      call == .head && heads.next() > 1 ? .failing(.unavailable(status: 500, code: "57014", retryAfter: nil)) : nil
    }
    #expect(
      await device.engine.sync().problem == .service(.unavailable(status: 500, code: "57014", retryAfter: nil)))
    #expect(await device.engine.status.phase != .synced)
    #expect(try await device.store.count() == 15)
  }

  /// Another program has signed in to the server's new address. Events sent to the old address would be lost.
  @Test func nothingIsSentToAServerThatTheGardenHasLeft() async throws {
    let device = try await Device(service)
    try await device.store.bind(to: Device.server)
    await device.engine.sync()
    try await device.store.bind(to: "https://new.example.org", hasMoved: true)
    try await device.write()
    #expect(await device.engine.sync().problem == .store(.otherServer(address: "https://new.example.org")))
    #expect(service.rows.isEmpty)
    #expect(await device.engine.status.phase != .synced)
  }

  /// A count beyond any table's size that still reaches the engine.
  @Test(arguments: [Int.max, .min, .max - 1, 1 << 62]) func anAbsurdCountIsHarmless(count: Int) async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<10), userID: "user")
    await device.engine.sync()
    service.setFaults { call, _ in call == .head ? .counts(count) : nil }
    await device.engine.sync()
    #expect(await device.engine.sync(.allRows).problem != nil)
    service.clearFaults()
    try await device.write()
    #expect(await device.engine.sync().problem == nil)
    #expect(try await device.store.count() == 11 && service.rows.count == 11)
  }

  @Test(arguments: ["9223372036854775806", "-9223372036854775808", "9007199254740993", "x", "?", ""])
  func anAbsurdDifferenceIsIgnored(text: String) async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<10), userID: "user")
    await device.engine.sync()
    try await device.store.set(text, for: .countDifference)
    try await device.write()
    #expect(await device.engine.sync().problem == nil)
  }

  @Test func aDifferenceCountsOnlyIfFoundTwice() {
    var difference = CountDifference(nil)
    #expect(difference.rows == 0 && difference.text == nil)
    difference = CountDifference(difference.seen(5).text)
    #expect(difference.rows == 0 && difference.text == "?5")
    #expect(difference.seen(3).text == "?3" && difference.seen(0).text == nil)
    difference = CountDifference(difference.seen(5).text)
    #expect(difference.rows == 5 && difference.text == "5" && difference.seen(5) == difference)
    #expect(difference.seen(-2).text == "?-2" && CountDifference("?-2").seen(-2).rows == -2)
  }

  /// The rows that the server does return are still merged.
  @Test func aRowThatIsCountedButNeverReturnedIsAProblem() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<10), userID: "user")
    await device.engine.sync()
    // A row that the server counts but never returns.
    service.configure { state in
      state.rows.append(
        MemoryService.Row(id: "x", microseconds: 0, userID: "user", clientID: "x", columns: .object([])))
    }
    for number in 10..<13 {
      service.write(Event.waters(number..<(number + 1)), userID: "user")
      #expect(await device.engine.sync().problem == Self.incomplete)
      #expect(try await device.store.count() == number + 1)
      try await device.restart()
    }
    service.remove { $0.id == "x" }
    #expect(await device.engine.sync().problem == nil)
  }

  // MARK: A log that changes during the download

  /// During the last page of each download, merges another version of an event. It replaces a version that the download
  /// has already found unchanged.
  /// - Parameter times: the number of downloads to disturb.
  private func changeLogDuringDownloads(of device: Device, times: Int) {
    let (store, requests) = (device.store, Counter())
    service.setGate { call in
      guard call == .rows else { return }
      // A download requests two pages: all rows, then an empty one.
      let (number, rest) = requests.next().quotientAndRemainder(dividingBy: 2)
      guard rest == 0, number <= times else { return }
      let instant = Event.waters(number..<(number + 1))[0].instant ?? TestClock().now
      // Of two versions from the server, the one that sorts first wins.
      let row = ServerRow(
        id: "other-\(number)", createdAt: "2026-01-01T00:00:00.000000+00:00",
        event: .water(instant, "a water", random: UInt32(number)))
      await #expect(throws: Never.self) { try await store.merge([row]) }
    }
  }

  @Test(arguments: [1, 2, 3]) func aRequestedDownloadIsRepeatedIfTheLogChanges(times: Int) async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<25), userID: "user")
    await device.engine.sync()
    changeLogDuringDownloads(of: device, times: times)
    let report = await device.engine.sync(.allRows)
    #expect(report.mode == .full && report.fetched == 25 * min(times + 1, 3))
    #expect(report.problem == (times < 3 ? nil : .outdatedDownload))
    let status = await device.engine.status
    #expect(status.phase == (times < 3 ? .synced : .syncing))
    guard times < 3 else { return }
    #expect(try await device.texts() == Event.waters(0..<25).map(\.canonicalText).sorted())
  }

  @Test func aDecisionIsCarriedOutEvenIfTheLogChanges() async throws {
    let device = try await deviceWithLoss()
    changeLogDuringDownloads(of: device, times: 1)
    #expect(await device.engine.sync(.decision(.followServer)).problem == nil)
    #expect(try await device.store.count() == 71)
    #expect(await device.engine.status.remoteLoss == nil)
  }

  // MARK: Remote loss

  private func deviceWithLoss() async throws -> Device {
    let device = try await Device(service)
    service.write(Event.waters(0..<100), userID: "user")
    await device.engine.sync()
    let kept = Set(Event.waters(0..<70).map(\.clientID))
    service.remove { !kept.contains($0.clientID) }
    try await device.write(1, random: 7)
    device.clock.advance(seconds: 3601)
    // A backup is written before the user is asked.
    let report = await device.engine.sync()
    #expect(report.mode == .full && report.problem == nil)
    #expect(await device.engine.status.remoteLoss?.numbers == [101, 71])
    #expect(device.backups.all.count == 1)
    #expect(try await device.store.count() == 101)
    return device
  }

  @Test func followServerRemovesMissingEvents() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync(.decision(.followServer))
    #expect(try await device.store.count() == 71)
    #expect(await device.engine.status.remoteLoss == nil)
    #expect(service.rows.count == 71)
  }

  @Test func uploadingAgainSendsMissingEvents() async throws {
    let device = try await deviceWithLoss()
    await device.engine.sync(.decision(.uploadAgain))
    #expect(try await device.store.count() == 101)
    #expect(service.rows.count == 101)
    #expect(try await device.pending() == 0)
  }

  @Test func notNowKeepsTheLossVisible() async throws {
    let device = try await deviceWithLoss()
    await device.engine.deferRemoteLoss()
    #expect(await device.engine.status.isRemoteLossDeferred)
    #expect(await device.engine.status.phase == .remoteLoss)
    // New rows still arrive, and the user isn't asked again.
    service.write(Event.waters(200..<201), userID: "user")
    device.clock.advance(seconds: 3601)
    #expect(await device.engine.sync().mode == .incremental)
    #expect(try await device.store.count() == 102)
    #expect(await device.engine.status.isRemoteLossDeferred)
    #expect(await device.engine.status.phase == .remoteLoss)
  }

  @Test func aReuploadedLogIsNotARemoteLoss() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<50), userID: "user")
    await device.engine.sync()
    service.remove { _ in true }
    service.write(Event.waters(0..<50), userID: "user")
    #expect(await device.engine.sync(.allRows).problem == nil)
    #expect(await device.engine.status.remoteLoss == nil && device.backups.all.isEmpty)
    #expect(try await device.store.confirmedCount() == 50)
  }

  // MARK: Live rows

  /// The connection to the old address stays open for a moment after another program has moved the garden.
  @Test func aLiveRowOfAnAddressThatTheGardenHasLeftIsIgnored() async throws {
    let device = try await Device(service)
    try await device.store.bind(to: Device.server)
    await device.engine.sync()
    let row = ServerRow(id: "id", createdAt: "2026-01-01T00:00:00+00:00", event: Event.waters(0..<1)[0])
    try await device.store.bind(to: "https://new.example.org", hasMoved: true)
    #expect(await !device.engine.receive(row))
    #expect(try await device.store.count() == 0)
    try await device.store.bind(to: Device.server, hasMoved: true)
    #expect(await device.engine.receive(row))
    #expect(try await device.store.count() == 1)
  }

  @Test func ownLiveRowsConfirmAndDoNotMoveTheCursor() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    let cursor = try await device.store.cursor()
    let event = try await device.write()[0]
    let receipt = service.write([event], userID: "user")[0]
    let echo = ServerRow(id: receipt.id ?? "", createdAt: receipt.createdAt ?? "", event: event)
    #expect(await device.engine.receive(echo))
    #expect(await device.engine.status.phase == .synced)
    #expect(await device.engine.status.latest == receipt.createdAt)
    #expect(try await device.store.cursor() == cursor)
    #expect(try await device.store.count() == 1)
    #expect(await device.engine.sync().pushed == 0)
  }

  // MARK: Times of the server

  @Test(arguments: [
    ("2026-02-09T14:32:07.123456+00:00", "2026-02-09T14:27:07.123456+00:00"),
    ("2026-02-09T14:32:07.12+00:00", "2026-02-09T14:27:07.120000+00:00"),
    ("2026-02-09T14:32:07+00:00", "2026-02-09T14:27:07.000000+00:00"),
    ("2026-02-09T16:02:07.000009+01:30", "2026-02-09T14:27:07.000009+00:00"),
    ("2026-03-01T00:00:00.000001Z", "2026-02-28T23:55:00.000001+00:00"),
    ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:54:59.999999+00:00"),
    // Too far away to count in microseconds.
    ("+300000-01-01T00:00:00Z", "+300000-01-01T00:00:00Z"),
    ("-300000-01-01T00:00:00Z", "-300000-01-01T00:00:00Z"),
  ])
  func theOverlapStartsFiveMinutesEarlier(text: String, expected: String) {
    #expect(Cursor(createdAt: text, id: "x").lowerBound(seconds: 300) == Cursor(createdAt: expected, id: ""))
  }

  /// The time comes with a row, and becomes the stored cursor for the next sync.
  @Test func aRowOfADistantYearIsStored() async throws {
    let device = try await Device(service)
    let row = ServerRow(id: "far", createdAt: "+300000-01-01T00:00:00Z", event: Event.waters(0..<1)[0])
    _ = try await device.store.merge([row], cursor: row.position)
    try await device.restart()
    let start = Overlap.start(try await device.store.cursor(), settled: nil)
    #expect(start?.createdAt == row.createdAt)
    #expect(!Overlap.isSettled(row.position, at: device.clock.now))
  }

  @Test func positionsAreComparedByTimeAndID() {
    let positions = [
      Cursor(createdAt: "2026-02-09T14:32:07+00:00", id: "b"), Cursor(createdAt: "2026-02-09T14:32:07Z", id: "c"),
      Cursor(createdAt: "2026-02-09T15:32:07.000001+01:00", id: "a"),
      Cursor(createdAt: "2026-02-09T14:32:07.1+00:00", id: "a"),
    ]
    for (index, position) in positions.enumerated() {
      for (other, otherPosition) in positions.enumerated() {
        #expect(position.isAfter(otherPosition) == (index > other))
      }
    }
  }
}
