import EventStore
import TestSupport
import Testing
import TrunkModel

@testable import SyncEngine

/// One sync runs at a time; the status and log describe it.
@Suite struct EngineTests {
  let service = MemoryService()

  // MARK: One at a time

  @Test func requestsJoinTheRunningSyncUntilItPulls() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    let (atInsert, atRows) = (Gate(), Gate())
    service.setGate { call in
      if call == .insert { await atInsert.pass() }
      if call == .head { await atRows.pass() }
    }
    try await device.write(random: 1)
    let engine = device.engine
    let first = Task { await engine.sync() }
    await atInsert.reached()
    // Written and requested while the outbox is being sent: the same sync sends it.
    try await device.write(random: 2)
    let second = Task { await engine.sync() }
    try await until { await engine.runs.isRequested }
    atInsert.open()
    await atRows.reached()
    // Written after the pull has begun: one more sync follows, for all requests.
    try await device.write(random: 3)
    let third = Task { await engine.sync() }
    let fourth = Task { await engine.sync() }
    try await until { await engine.runs.hasNext }
    atRows.open()
    let reports = [await first.value, await second.value, await third.value, await fourth.value]
    #expect(reports[0] == reports[1] && reports[2] == reports[3])
    #expect(reports.map(\.pushed) == [2, 2, 1, 1])
    #expect(service.rows.count == 3)
    #expect(device.lines.all.count == 3)
  }

  /// Whether or not a sync is running, an event written before `sync()` is sent when `sync()` returns.
  @Test func eventsWrittenBeforeARequestAreSentByItsSync() async throws {
    let device = try await Device(service)
    let engine = device.engine
    let others = Task {
      while !Task.isCancelled { await engine.sync() }
    }
    for number in 0..<100 {
      // Keeps the overlap small, so that few rows are read again.
      service.advance(seconds: 200)
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

  @Test func publishesItsStatus() async throws {
    let device = try await Device(service)
    #expect(await device.engine.status.phase == .synced)
    var phases: [SyncStatus.Phase] = []
    let gate = Gate()
    service.setGate { call in if call == .head { await gate.pass() } }
    let engine = device.engine
    let sync = Task { await engine.sync() }
    for await status in await engine.statuses() {
      if phases.last != status.phase { phases.append(status.phase) }
      if status.phase == .initialSync { gate.open() }
      if status.lastSuccess != nil { break }
    }
    _ = await sync.value
    #expect(phases.last == .synced && phases.contains(.initialSync))
    try await device.write()
    #expect(await device.engine.refreshFigures().phase == .pendingUpload)
    await device.engine.networkChanged(isAvailable: false)
    #expect(await device.engine.status.phase == .offline)
    // A server on this computer can be reached without a network.
    await device.engine.sync()
    #expect(await device.engine.status.phase == .synced)
  }

  @Test func countsEventsInTheirUndoWindow() async throws {
    let device = try await Device(service)
    await device.engine.sync()
    _ = try await device.store.append(Event.waters(0..<2), undoableUntil: device.clock.now.adding(seconds: 9))
    var status = await device.engine.refreshFigures()
    #expect(status.phase == .pendingUpload)
    #expect((status.pending, status.undoable, status.sendable) == (2, 2, 0))
    try await device.write()
    status = await device.engine.refreshFigures()
    #expect((status.pending, status.undoable, status.sendable) == (3, 2, 1))
    device.clock.advance(seconds: 10)
    status = await device.engine.refreshFigures()
    #expect((status.pending, status.undoable, status.sendable) == (3, 0, 3))
  }

  @Test func eachSyncLogsOneLineWithoutContent() async throws {
    let device = try await Device(service)
    try await device.write(2, text: "secret words")
    await device.engine.sync()
    service.setFaults { _, _ in .failing(.rejected(status: 400, code: "secret words", message: "secret words")) }
    await device.engine.sync()
    let lines = device.lines.all
    #expect(
      lines == [
        "sync mode=full fetched=2 pushed=2 pending=0 ms=0 error=none",
        "sync mode=incremental fetched=0 pushed=0 pending=0 ms=0 error=400",
      ])
  }

  // MARK: Unavailable servers

  @Test(arguments: [
    ServiceFailure.unavailable(status: 503, code: "", retryAfter: nil), .unintelligible(detail: "page"),
    .unreachable(detail: "no_connection"),
  ])
  func aServerThatIsDownGetsOneRequestPerSync(failure: ServiceFailure) async throws {
    let device = try await Device(service)
    try await device.write()
    service.setFaults { _, _ in .failing(failure) }
    for attempt in 1...4 {
      #expect(await device.engine.sync().problem == .service(failure))
      #expect(service.log.count == attempt)
    }
  }

  /// A request without a response takes long. Syncs requested during it must not each wait as long again.
  @Test func waitingSyncsEndWithTheOneThatGotNoAnswer() async throws {
    let device = try await Device(service)
    let engine = device.engine
    await engine.sync()
    let gate = Gate()
    service.setGate { call in if call == .head { await gate.pass() } }
    service.setFaults { _, _ in .lost }
    let first = Task { await engine.sync() }
    await gate.reached()
    let second = Task { await engine.sync() }
    try await until { await engine.runs.hasNext }
    gate.open()
    let problem = SyncProblem.service(.unreachable(detail: "lost"))
    #expect(await first.value.problem == problem)
    #expect(await engine.status.phase == .offline)
    #expect(await second.value.problem == problem)
    #expect(await engine.status.phase == .offline && device.lines.all.count == 2)
    // After any other failure, a waiting sync still runs.
    let later = Gate()
    service.setGate { call in if call == .head { await later.pass() } }
    service.setFaults { _, _ in .failing(.unavailable(status: 503, code: "", retryAfter: nil)) }
    let third = Task { await engine.sync() }
    await later.reached()
    let fourth = Task { await engine.sync() }
    try await until { await engine.runs.hasNext }
    later.open()
    _ = (await third.value, await fourth.value)
    #expect(device.lines.all.count == 4)
  }

  @Test func aServerThatStopsAnsweringEndsTheSync() async throws {
    let device = try await Device(service)
    service.setFaults { call, _ in call == .head ? .lost : nil }
    #expect(await device.engine.sync().problem == .service(.unreachable(detail: "lost")))
    #expect(await device.engine.status.phase == .offline)
  }

  /// An automatic retry is hidden until the server answers. Otherwise the status would be "syncing" most of the time.
  @Test func aRetryIsShownWhenTheServerAnswers() async throws {
    let device = try await Device(service)
    let engine = device.engine
    await engine.sync()
    service.setFaults { _, _ in .lost }
    await engine.sync()
    #expect(await engine.status.phase == .offline)
    let gate = Gate()
    service.setGate { call in if call == .head { await gate.pass() } }
    let retry = Task { await engine.sync() }
    await gate.reached()
    #expect(await engine.status.phase == .offline)
    // A sync that the user requests is shown at once.
    let userRequest = Task { await engine.sync(.newRows) }
    try await until { await engine.status.phase == .syncing }
    gate.open()
    _ = (await retry.value, await userRequest.value)
    #expect(await engine.status.phase == .offline)
    // The server answers again.
    service.clearFaults()
    service.write(Event.waters(0..<1), userID: "user")
    let (head, rows) = (Gate(), Gate())
    service.setGate { call in
      if call == .head { await head.pass() }
      if call == .rows { await rows.pass() }
    }
    let last = Task { await engine.sync() }
    await head.reached()
    #expect(await engine.status.phase == .offline)
    head.open()
    await rows.reached()
    #expect(await engine.status.phase == .syncing)
    rows.open()
    #expect(await last.value.problem == nil)
    #expect(await engine.status.phase == .synced)
  }

  /// A rejected token is an answer too, so the retry is shown.
  @Test func aRetryIsShownWhenTheServerRejectsTheToken() async throws {
    let device = try await Device(service)
    try await device.write()
    service.setFaults { _, _ in .lost }
    await device.engine.sync()
    #expect(await device.engine.status.phase == .offline)
    service.clearFaults()
    service.expireAccessTokens()
    let (refresh, gate) = (Gate(), Gate())
    service.setGate { [service] call in
      if call == .refresh {
        await refresh.pass()
      } else if service.log.contains(.refresh) {
        await gate.pass()
      }
    }
    let engine = device.engine
    let retry = Task { await engine.sync() }
    await refresh.reached()
    #expect(await engine.status.phase != .offline)
    refresh.open()
    await gate.reached()
    #expect(await engine.status.phase != .offline)
    gate.open()
    #expect(await retry.value.problem == nil)
  }

  @Test func fetchingContinuesIfSendingFails() async throws {
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
}

/// Blocks callers until it is opened.
final class Gate: Sendable {
  private let arrivals = AsyncStream<Void>.makeStream()
  private let opening = AsyncStream<Void>.makeStream()

  /// Waits until the gate is open.
  func pass() async {
    arrivals.continuation.yield()
    for await _ in opening.stream {}
  }

  /// Waits until a caller waits at the gate.
  func reached() async { for await _ in arrivals.stream { return } }

  func open() { opening.continuation.finish() }
}
