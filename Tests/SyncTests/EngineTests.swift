import Garden
import GardenStore
import SyncSupport
import Synchronization
import Testing

@testable import Sync

/// One sync at a time, and what it does to the garden.
@Suite struct EngineTests {
  let service = MemoryService()

  // MARK: One at a time

  @Test func whoAsksBeforeThePullJoinsWhoAsksLaterGetsOneMore() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    let (atInsert, atRows) = (Gate(), Gate())
    service.setGate { call in
      if call == .insert { await atInsert.pass() }
      if call == .rows { await atRows.pass() }
    }
    try await device.write(random: 1)
    let engine = device.engine
    let first = Task { await engine.sync() }
    await atInsert.reached()
    // Written and asked for while the outbox is sent: the same sync takes it.
    try await device.write(random: 2)
    let second = Task { await engine.sync() }
    while await !engine.isAskedFor { await Task.yield() }
    atInsert.open()
    await atRows.reached()
    // Written after the pull has begun: another sync follows, one for all who ask.
    try await device.write(random: 3)
    let third = Task { await engine.sync() }
    let fourth = Task { await engine.sync() }
    while await !engine.hasNext { await Task.yield() }
    atRows.open()
    let reports = [await first.value, await second.value, await third.value, await fourth.value]
    #expect(reports[0] == reports[1] && reports[2] == reports[3])
    #expect(reports.map(\.pushed) == [2, 2, 1, 1])
    #expect(service.rows.count == 3)
    #expect(device.lines.all.count == 3)
  }

  /// Whatever runs already: who writes and asks finds it sent when the answer comes.
  @Test func whatWasWrittenBeforeAskingIsSentWhenTheSyncIsOver() async throws {
    let device = try await Device(service)
    let engine = device.engine
    let others = Task {
      while !Task.isCancelled { await engine.sync() }
    }
    for number in 0..<100 {
      // So that few rows are read again.
      service.pass(seconds: 200)
      let event = try await device.write(1, random: UInt32(number))[0]
      let report = await engine.sync()
      #expect(report.problem == nil)
      let isThere = service.state.withLock { $0.rows.last?.clientID == event.clientID }
      guard isThere else {
        Issue.record("number \(number) was not sent")
        break
      }
    }
    others.cancel()
    await others.value
  }

  @Test func tellsItsStatus() async throws {
    let device = try await Device(service)
    #expect(await device.engine.status.phase == .synced)
    var phases: [SyncStatus.Phase] = []
    let gate = Gate()
    service.setGate { call in if call == .rows { await gate.pass() } }
    let engine = device.engine
    let sync = Task { await engine.sync() }
    for await status in await engine.statuses() {
      if phases.last != status.phase { phases.append(status.phase) }
      if status.phase == .loading { gate.open() }
      if status.lastSuccess != nil { break }
    }
    _ = await sync.value
    #expect(phases.last == .synced && phases.contains(.loading))
    try await device.write()
    #expect(await device.engine.refreshFigures().phase == .pendingUpload)
    await device.engine.networkChanged(isAvailable: false)
    #expect(await device.engine.status.phase == .offline)
    // A server on this computer needs no network.
    await device.engine.sync()
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func tellsWhatCanStillBeTakenBack() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    _ = try await device.store.append(Event.waters(0..<2), heldUntil: device.clock.now.adding(seconds: 9))
    var status = await device.engine.refreshFigures()
    #expect(status.phase == .pendingUpload)
    #expect((status.pending, status.held, status.sendable) == (2, 2, 0))
    try await device.write()
    status = await device.engine.refreshFigures()
    #expect((status.pending, status.held, status.sendable) == (3, 2, 1))
    device.clock.advance(seconds: 10)
    status = await device.engine.refreshFigures()
    #expect((status.pending, status.held, status.sendable) == (3, 0, 3))
  }

  @Test func eachSyncLogsOneLineWithoutContent() async throws {
    let device = try await Device(service)
    try await device.write(2, text: "secret words")
    await device.engine.sync()
    service.setFaults { _, _ in .failing(.refused(status: 400, code: "secret words", message: "secret words")) }
    await device.engine.sync()
    let lines = device.lines.all
    #expect(
      lines == [
        "sync mode=full fetched=2 pushed=2 pending=0 ms=0 error=none",
        "sync mode=incremental fetched=0 pushed=0 pending=0 ms=0 error=400",
      ])
  }

  // MARK: The first download

  @Test func aFirstDownloadGoesOnWhereItBrokeOff() async throws {
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

  /// What is here of the garden is no more than a part of it, also for the next run of the program.
  @Test func aFirstDownloadIsLoadingUntilItHasEnded() async throws {
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
    #expect(await phaseAtTheLastPage() == .loading)
    #expect(await device.engine.status.phase == .offline)
    #expect(try await device.store.count() == 20)
    try await device.restart()
    #expect(await phaseAtTheLastPage() == .loading)
    service.clearFaults()
    #expect(await phaseAtTheLastPage() == .loading)
    #expect(await device.engine.status.phase == .synced)
    #expect(await phaseAtTheLastPage() == .syncing)
    try await device.restart()
    #expect(await phaseAtTheLastPage() == .syncing)
  }

  /// The server is at another address, where an older copy of it runs.
  @Test func aMovedServerGetsWhatItLacks() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<50), userID: "user")
    await device.engine.sync()
    try await device.store.bind(to: "https://a.example.org")
    try await device.store.bind(to: "https://b.example.org", hasMoved: true)
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
    // Written into the past, where no new row is looked for.
    service.write(Event.waters(20..<21), userID: "user", began: service.time - 3_600_000_000)
    await device.engine.sync()
    #expect(try await device.store.count() == 10)
    service.write(Event.waters(21..<22), userID: "user", began: service.time - 3_600_000_000)
    device.clock.advance(seconds: 3601)
    let report = await device.engine.sync()
    #expect(report.mode == .full)
    #expect(try await device.store.count() == 11)
    #expect(device.backups.all.isEmpty)
  }

  @Test func rowsThatComeWhileCountingAreNoMismatch() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<10), userID: "user")
    await device.engine.sync()
    let number = Counter()
    service.setGate { [service] call in
      if call == .count { service.write(Event.waters((100 + number.next())..<(101 + number.next())), userID: "user") }
    }
    try await device.write(2)
    device.clock.advance(seconds: 3601)
    let report = await device.engine.sync()
    #expect(report.mode == .incremental && report.problem == nil)
  }

  @Test func aCountThatNeverFitsIsNotAskedForAgain() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<10), userID: "user")
    await device.engine.sync()
    // A row that is counted and not given.
    service.configure { state in
      state.rows.append(
        MemoryService.Row(id: "x", microseconds: 0, userID: "user", clientID: "x", columns: .object([])))
    }
    var modes: [SyncReport.Mode] = []
    for _ in 0..<3 {
      device.clock.advance(seconds: 3601)
      modes.append(await device.engine.sync().mode)
    }
    #expect(modes == [.full, .incremental, .incremental])
    try await device.restart()
    #expect(await device.engine.sync().mode == .incremental)
  }

  // MARK: Much less than here

  private func shrunk() async throws -> Device {
    let device = try await Device(service)
    service.write(Event.waters(0..<100), userID: "user")
    await device.engine.sync()
    let kept = Set(Event.waters(0..<70).map(\.clientID))
    service.remove { !kept.contains($0.clientID) }
    try await device.write(1, random: 7)
    device.clock.advance(seconds: 3601)
    // A backup is there before the question.
    let report = await device.engine.sync()
    #expect(report.mode == .full && report.problem == nil)
    #expect(await device.engine.status.question == ShrinkQuestion(here: 101, there: 71))
    #expect(device.backups.all.count == 1)
    #expect(try await device.store.count() == 101)
    return device
  }

  @Test func followServer() async throws {
    let device = try await shrunk()
    await device.engine.answer(.followServer)
    #expect(try await device.store.count() == 71)
    #expect(await device.engine.status.question == nil)
    #expect(service.rows.count == 71)
  }

  @Test func keepMine() async throws {
    let device = try await shrunk()
    await device.engine.answer(.keepMine)
    #expect(try await device.store.count() == 101)
    #expect(service.rows.count == 101)
    #expect(try await device.pending() == 0)
  }

  @Test func notNow() async throws {
    let device = try await shrunk()
    await device.engine.answer(.notNow)
    #expect(await device.engine.status.question == nil)
    // What is new comes all the same, and nobody asks again.
    service.write(Event.waters(200..<201), userID: "user")
    device.clock.advance(seconds: 3601)
    #expect(await device.engine.sync().mode == .incremental)
    #expect(try await device.store.count() == 102)
    #expect(await device.engine.status.question == nil)
    // Unless it is asked for.
    await device.engine.redownload()
    #expect(await device.engine.status.question != nil)
  }

  @Test func aLogWrittenAnewIsNotLess() async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<50), userID: "user")
    await device.engine.sync()
    service.remove { _ in true }
    service.write(Event.waters(0..<50), userID: "user")
    #expect(await device.engine.redownload().problem == nil)
    #expect(await device.engine.status.question == nil && device.backups.all.isEmpty)
    #expect(try await device.store.confirmedCount() == 50)
  }

  // MARK: Live rows

  @Test func ownEchoConfirmsAndDoesNotMoveThePlace() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    let cursor = try await device.store.cursor()
    let event = try await device.write()[0]
    let landing = service.write([event], userID: "user")[0]
    let echo = ServerRow(id: landing.id ?? "", createdAt: landing.createdAt ?? "", event: event)
    await device.engine.receive(echo)
    #expect(await device.engine.status.phase == .synced)
    #expect(await device.engine.status.latest == landing.createdAt)
    #expect(try await device.store.cursor() == cursor)
    #expect(try await device.store.count() == 1)
    #expect(await device.engine.sync().pushed == 0)
  }

  // MARK: Leaving

  @Test func signingOutInAnotherProgramStaysDone() async throws {
    let window = try await Device(service)
    service.write(Event.waters(0..<5), userID: "user")
    await window.engine.sync()
    // Two programs with one folder and one vault.
    let other = SyncEngine(
      store: try await GardenStore.open(folder: window.store.folder), service: service, keeper: window.anotherKeeper(),
      clock: window.clock, backUp: {}, log: { _ in })
    #expect(try await other.signOut() == nil)
    #expect(try await window.store.count() == 0)
    // The token of the window still lasts.
    await window.engine.sync()
    #expect(try await window.store.count() == 0)
    #expect(await window.engine.status.phase == .signedOut)
  }

  @Test func signingOutSendsFirstAndForgetsAll() async throws {
    let device = try await Device(service)
    try await device.write(2)
    #expect(await device.engine.sendBeforeSignOut() == 0)
    #expect(service.rows.count == 2)
    #expect(try await device.engine.signOut() == nil)
    #expect(service.log.last == .signOut)
    #expect(try await device.store.count() == 0)
    #expect(await device.vault.session == nil)
    #expect(await device.engine.sync().problem == .service(.cancelled))
    #expect(try await device.store.count() == 0)
  }

  @Test func signingOutWithoutNetworkForgetsAllTheSame() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    try await device.write(2)
    service.setFaults { _, _ in .lost }
    #expect(await device.engine.sendBeforeSignOut() == 2)
    await #expect(throws: SyncProblem.store(.unsent(count: 2))) { try await device.engine.signOut(accepting: 1) }
    #expect(await device.vault.session != nil)
    #expect(try await device.engine.signOut(accepting: 2) == .service(.unreachable(detail: "lost")))
    #expect(try await device.store.count() == 0)
    #expect(await device.vault.session == nil)
  }

  @Test func whatCouldBeTakenBackIsSentBeforeSigningOut() async throws {
    let device = try await Device(service)
    _ = try await device.store.append(Event.waters(0..<2), heldUntil: device.clock.now.adding(seconds: 9))
    #expect(await device.engine.sendBeforeSignOut() == 0)
    #expect(service.rows.count == 2)
  }

  @Test func whatIsWrittenWhileSigningOutStays() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    service.setGate { [store = device.store] call in
      if call == .signOut { _ = try? await store.append(Event.waters(0..<1)) }
    }
    await #expect(throws: SyncProblem.store(.unsent(count: 1))) { try await device.engine.signOut() }
    #expect(try await device.pending() == 1)
    #expect(await device.engine.status.phase == .signedOut)
  }

  @Test(arguments: [VaultFailure.locked, .noAnswer, .denied])
  func aVaultThatKeepsTheTokensKeepsAllElse(failure: VaultFailure) async throws {
    let device = try await Device(service)
    service.write(Event.waters(0..<3), userID: "user")
    await device.engine.sync()
    await device.vault.fail(writing: failure)
    await #expect(throws: SyncProblem.vault(failure)) { try await device.engine.signOut() }
    #expect(try await device.store.count() == 3)
    #expect(!service.log.contains(.signOut))
    #expect(await device.engine.sync().problem == nil)
    await device.vault.fail()
    #expect(try await device.engine.signOut() == nil)
    #expect(try await device.store.count() == 0)
  }

  @Test func withoutAKeyringThereIsNothingToRemoveFromIt() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    await device.vault.fail(writing: .noService)
    #expect(try await device.engine.signOut() == nil)
    #expect(service.log.last == .signOut)
  }

  @Test func resetEverywhere() async throws {
    let device = try await Device(service)
    try await device.write(3)
    await device.engine.sync()
    service.write(Event.waters(0..<1), userID: "other")
    try await device.engine.resetEverywhere()
    #expect(service.rows.map(\.userID) == ["other"])
    #expect(try await device.store.count() == 0)
    #expect(device.backups.all.count == 1)
    #expect(await device.engine.sync().problem == nil)
  }

  @Test func whatIsWrittenWhileAllIsRemovedIsBackedUpToo() async throws {
    let device = try await Device(service)
    try await device.write(3)
    service.setGate { [store = device.store, backups = device.backups] call in
      guard call == .removeAll else { return }
      #expect(backups.all.count == 1)
      _ = try? await store.append(Event.waters(0..<1))
    }
    try await device.engine.resetEverywhere()
    #expect(device.backups.all.count == 2)
    #expect(try await device.store.count() == 0)
  }

  @Test func aFailedResetEverywhereTakesNothingAway() async throws {
    let device = try await Device(service)
    try await device.write(3)
    await device.engine.sync()
    service.setFaults { _, _ in .lost }
    await #expect(throws: SyncProblem.self) { try await device.engine.resetEverywhere() }
    #expect(try await device.store.count() == 3)
  }

  @Test func whileSignedOutNothingIsTried() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    service.endSessions()
    let ended = SyncProblem.service(.sessionEnded(code: "refresh_token_not_found"))
    #expect(await device.engine.sync().problem == ended)
    try await device.write()
    (service.log, device.clock.skew) = ([], 60_000)
    let (lines, last) = (device.lines.all.count, await device.engine.status.lastAttempt)
    #expect(await device.engine.sync().problem == ended)
    #expect(service.log.isEmpty && device.lines.all.count == lines)
    let status = await device.engine.status
    #expect(status.phase == .signedOut && status.lastAttempt == last && status.pending == 1)
    // Signing in again ends it.
    await device.keeper.resume(StoredSession(service.grant("user"), server: Device.server, now: device.clock.now))
    #expect(await device.engine.sync().problem == nil)
    #expect(await device.engine.status.phase == .synced)
  }

  // MARK: A server that can't

  @Test(arguments: [
    ServiceFailure.unavailable(status: 503, code: "", retryAfter: nil), .unintelligible(detail: "page"),
    .unreachable(detail: "no_connection"),
  ])
  func aServerThatIsDownIsAskedOnce(failure: ServiceFailure) async throws {
    let device = try await Device(service)
    try await device.write()
    service.setFaults { _, _ in .failing(failure) }
    for attempt in 1...4 {
      #expect(await device.engine.sync().problem == .service(failure))
      #expect(service.log.count == attempt)
    }
  }

  @Test func whereOnlyFetchingWorksItGoesOn() async throws {
    let device = try await Device(service)
    try await device.write()
    service.write(Event.waters(0..<1), userID: "user")
    service.setFaults { call, _ in
      call == .insert ? .failing(.unavailable(status: 503, code: "", retryAfter: nil)) : nil
    }
    for _ in 0..<2 { #expect(await device.engine.sync().problem != nil) }
    #expect(try await device.store.count() == 2)
    service.clearFaults()
    #expect(await device.engine.sync().problem == nil)
    #expect(service.rows.count == 2)
  }

  // MARK: Times of the server

  @Test(arguments: [
    ("2026-02-09T14:32:07.123456+00:00", "2026-02-09T14:27:07.123456+00:00"),
    ("2026-02-09T14:32:07.12+00:00", "2026-02-09T14:27:07.120000+00:00"),
    ("2026-02-09T14:32:07+00:00", "2026-02-09T14:27:07.000000+00:00"),
    ("2026-02-09T16:02:07.000009+01:30", "2026-02-09T14:27:07.000009+00:00"),
    ("2026-03-01T00:00:00.000001Z", "2026-02-28T23:55:00.000001+00:00"),
    ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:54:59.999999+00:00"),
  ])
  func fiveMinutesBefore(text: String, expected: String) {
    #expect(Cursor(createdAt: text, id: "x").lowerBound(seconds: 300) == Cursor(createdAt: expected, id: ""))
  }

  @Test func placesAreComparedByTimeAndID() {
    let places = [
      Cursor(createdAt: "2026-02-09T14:32:07+00:00", id: "b"), Cursor(createdAt: "2026-02-09T14:32:07Z", id: "c"),
      Cursor(createdAt: "2026-02-09T15:32:07.000001+01:00", id: "a"),
      Cursor(createdAt: "2026-02-09T14:32:07.1+00:00", id: "a"),
    ]
    for (index, place) in places.enumerated() {
      for (other, otherPlace) in places.enumerated() { #expect(place.isAfter(otherPlace) == (index > other)) }
    }
  }
}

/// Holds up whoever comes until it is opened.
final class Gate: Sendable {
  private let arrivals = AsyncStream<Void>.makeStream()
  private let opening = AsyncStream<Void>.makeStream()

  func pass() async {
    arrivals.continuation.yield()
    for await _ in opening.stream {}
  }

  func reached() async { for await _ in arrivals.stream { return } }

  func open() { opening.continuation.finish() }
}
