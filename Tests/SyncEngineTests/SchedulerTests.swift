import Dispatch
import EventStore
import Synchronization
import TestSupport
import Testing
import TrunkModel

@testable import SyncEngine

/// When syncs begin, counted by their log lines.
@Suite struct SchedulerTests {
  let service = MemoryService()

  @Test func launchSyncsAndOpensTheConnection() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    // One sync at launch, and one when the connection becomes live.
    try await until { device.syncs == 2 }
    #expect(service.connections.open == 1)
    // A new row arrives without a request.
    service.log = []
    service.write(Event.waters(0..<1), userID: "user")
    try await until { try await device.store.count() == 1 }
    #expect(service.log.isEmpty)
    await scheduler.stop()
    try await until { service.connections.open == 0 }
  }

  @Test func eventsReachOtherDevicesAtOnce() async throws {
    let (one, two) = (try await Device(service), try await Device(service))
    let (first, second) = (one.scheduler(), two.scheduler())
    await first.start()
    await second.start()
    try await until { one.syncs == 2 && two.syncs == 2 }
    let event = try await one.write()[0]
    await first.wrote()
    try await until { (try? await two.store.count()) == 1 }
    #expect(two.syncs == 2)
    // The first device has also received its own row.
    await first.sync(.newRows)
    await second.sync(.newRows)
    for device in [one, two] {
      #expect(try await device.texts() == [event.canonicalText])
      #expect(try await device.store.confirmedCount() == 1)
    }
    await first.stop()
    await second.stop()
  }

  /// The download continues. The network changes cause another sync afterwards, which fetches only new rows.
  @Test func networkChangesDoNotInterruptADownload() async throws {
    service.write(Event.waters(0..<25), userID: "user")
    service.configure { $0.pageLimit = 10 }
    let device = try await Device(service)
    let scheduler = device.scheduler()
    let gate = Gate()
    service.setGate { call in if call == .head { await gate.pass() } }
    let start = Task { await scheduler.start() }
    await gate.reached()
    for isAvailable in [false, true, false, true] { await scheduler.networkChanged(isAvailable: isAvailable) }
    #expect(await device.engine.status.phase == .initialSync)
    device.clock.advance(seconds: 2)
    try await until { await device.engine.runs.hasNext }
    service.setGate(nil)
    gate.open()
    await start.value
    try await until { device.syncs >= 2 }
    #expect(device.lines.all.filter { $0.contains("mode=full") }.count == 1)
    #expect(device.lines.all.allSatisfy { $0.hasSuffix("error=none") })
    #expect(try await device.store.count() == 25)
    await scheduler.stop()
  }

  @Test func focusSyncsAtMostEveryHalfMinute() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    await scheduler.gainedFocus()
    #expect(device.syncs == 2)
    device.clock.advance(seconds: 30)
    await scheduler.gainedFocus()
    #expect(device.syncs == 3)
    // With an unsent event, focus syncs at once.
    try await device.write()
    await scheduler.gainedFocus()
    #expect(device.syncs == 4)
    #expect(service.rows.count == 1)
    await scheduler.stop()
  }

  @Test func otherProgramsWritesAreSent() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    let other = try await EventStore.open(folder: device.store.folder)
    _ = try await other.append(Event.waters(0..<1))
    try await until { service.rows.count == 1 }
    await scheduler.stop()
  }

  @Test func eventsAreSentWhenTheirUndoWindowEnds() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    _ = try await device.store.append(Event.waters(0..<1), undoableUntil: device.clock.now.adding(seconds: 9))
    await scheduler.wrote()
    #expect(device.syncs == 2)
    #expect(await device.engine.status.phase == .pendingUpload)
    #expect(await device.clock.nextWakeUp() == 9000)
    device.clock.advance(seconds: 9)
    try await until { service.rows.count == 1 }
    await scheduler.stop()
  }

  @Test func pausesGrowUntilASuccess() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    service.setFaults { _, _ in .lost }
    await scheduler.start()
    var pauses: [Int64] = []
    for _ in 0..<12 {
      let pause = await device.clock.nextWakeUp()
      pauses.append(pause / 1000)
      let before = device.syncs
      device.clock.advance(milliseconds: pause)
      try await until { device.syncs == before + 1 }
      // The next timer is set after the sync was logged.
      try await until { !device.clock.wakeUps.isEmpty }
    }
    #expect(pauses == [1, 2, 5, 10, 30, 60, 300, 900, 900, 900, 900, 900])
    // Eleven attempts in the first hour, including the first one.
    #expect(pauses.prefix(10).reduce(0, +) < 3600 && pauses.prefix(11).reduce(0, +) >= 3600)
    service.clearFaults()
    let before = device.syncs
    await scheduler.sync(.newRows)
    try await until { device.syncs == before + 2 }
    try await until { await device.engine.status.phase == .synced }
    try await device.write()
    service.setFaults { call, _ in call == .insert ? .lost : nil }
    await scheduler.wrote()
    #expect(await device.clock.nextWakeUp() == 1000)
    await scheduler.stop()
  }

  @Test func jitterOnlyLengthensPauses() {
    var (short, long) = (Backoff(), Backoff())
    for _ in 0..<20 {
      let (least, most) = (short.next(random: 0), long.next(random: 0.999))
      #expect(most > least && most < least * 5 / 4)
    }
  }

  @Test func retriesHonourRetryAfter() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    service.setFaults { _, _ in .failing(.unavailable(status: 429, code: "", retryAfter: 77)) }
    await scheduler.start()
    #expect(await device.clock.nextWakeUp() == 77_000)
    service.setFaults { _, _ in .failing(.misconfigured(status: 404, code: "PGRST205", message: "")) }
    await scheduler.sync(.newRows)
    // Retrying won't fix wrong settings.
    #expect(await device.clock.nextWakeUp() == 900_000)
    await scheduler.stop()
  }

  @Test func writingWithoutNetworkCausesFewRequests() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    service.setFaults { _, _ in .lost }
    await scheduler.start()
    for number in 0..<20 {
      try await device.write(1, random: UInt32(number))
      await scheduler.wrote()
      await scheduler.gainedFocus()
    }
    #expect(device.syncs == 1)
    await scheduler.resumed()
    #expect(device.syncs == 2)
    await scheduler.stop()
  }

  @Test func typingWithoutNetworkCausesFewRequests() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    // After this failure the timer waits 15 minutes.
    service.setFaults { _, _ in .failing(.misconfigured(status: 404, code: "", message: "")) }
    await scheduler.start()
    device.clock.advance(seconds: 60)
    await scheduler.wrote()
    #expect(device.syncs == 1)
    try await device.write()
    await scheduler.wrote()
    #expect(device.syncs == 2)
    device.clock.advance(seconds: 60)
    await scheduler.wrote()
    #expect(device.syncs == 2)
    for number in 1...20 {
      try await device.write(1, random: UInt32(number))
      device.clock.advance(seconds: 40)
      await scheduler.wrote()
    }
    #expect(device.syncs == 8)
    await scheduler.stop()
  }

  @Test func repeatedNetworkChangesCauseOneSync() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    for _ in 0..<3 {
      await scheduler.networkChanged(isAvailable: false)
      await scheduler.networkChanged(isAvailable: true)
    }
    try await until { device.clock.wakeUps == [2000] }
    #expect(device.syncs == 2)
    device.clock.advance(seconds: 2)
    try await until { device.syncs >= 3 && service.connections.open == 1 }
    #expect(service.connections.all == 2)
    await scheduler.stop()
  }

  /// While the engine is busy, all of these changes wait for it before the first of them sets a timer.
  @Test func simultaneousNetworkChangesCauseOneSync() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    let release = DispatchSemaphore(value: 0)
    let busy = Task { [engine = device.engine] in await engine.block(until: release) }
    let changes = (0..<8).map { _ in Task { await scheduler.networkChanged(isAvailable: true) } }
    for _ in 0..<100 {
      await scheduler.visibilityChanged(isVisible: true)
      await Task.yield()
    }
    release.signal()
    await busy.value
    for change in changes { await change.value }
    try await until { device.clock.wakeUps == [2000] }
    device.clock.advance(seconds: 2)
    try await until { device.syncs >= 3 && service.connections.open == 1 }
    #expect(device.clock.wakeUps == [])
    #expect(service.connections.all == 2)
    await scheduler.stop()
  }

  @Test func aMissingKeyringIsRetriedSoon() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await device.vault.fail(reading: .noService)
    await scheduler.start()
    #expect(await device.clock.nextWakeUp() == 1000)
    await scheduler.stop()
  }

  @Test func aStoppedSchedulerDoesNotStart() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.stop()
    await scheduler.start()
    #expect(device.syncs == 0 && service.connections.all == 0)
  }

  @Test func stoppingWaitsForARenewal() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    device.clock.advance(seconds: 4000)
    let gate = Gate()
    service.setGate { call in if call == .refresh { await gate.pass() } }
    async let report = scheduler.sync(.newRows)
    await gate.reached()
    let isStopped = Atomic(false)
    async let stop: Void = {
      await scheduler.stop()
      isStopped.store(true, ordering: .relaxed)
    }()
    for _ in 0..<100 { await Task.yield() }
    let isEarly = isStopped.load(ordering: .relaxed)
    #expect(!isEarly)
    gate.open()
    await stop
    #expect(await device.vault.writes == 1)
    // No request follows the renewal.
    #expect(await report.problem == .service(.cancelled))
    #expect(service.log == [.refresh])
  }

  /// When the program ends, its last request may still be running.
  @Test func noRenewalStartsAfterStopping() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    try await device.write()
    let gate = Gate()
    service.setGate { call in if call == .insert { await gate.pass() } }
    let engine = device.engine
    async let unsent = engine.sendAll()
    await gate.reached()
    await scheduler.stop()
    device.clock.advance(seconds: 4000)
    service.expireAccessTokens()
    gate.open()
    #expect(await unsent == 1)
    #expect(await engine.sendAll() == 1)
    #expect(!service.log.contains(.refresh) && !service.log.contains(.rows))
    // The next run sends the event.
    service.setGate(nil)
    try await device.restart()
    #expect(await device.engine.sendAll() == 0)
    #expect(service.rows.count == 1)
  }

  @Test func aFailedDecisionIsRetried() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    service.write(Event.waters(0..<50), userID: "user")
    await scheduler.start()
    try await until { device.syncs == 2 }
    service.remove { _ in true }
    await scheduler.sync(.allRows)
    #expect(await device.engine.status.remoteLoss != nil)
    service.setFaults { _, _ in .lost }
    await scheduler.sync(.decision(.followServer))
    #expect(await device.clock.nextWakeUp() == 1000)
    service.clearFaults()
    #expect(try await scheduler.deleteEverywhere(keepingCopyIn: device.copies).report.problem == nil)
    #expect(try await device.store.count() == 0)
    try await until { device.clock.wakeUps.isEmpty }
    await scheduler.stop()
  }

  @Test func aHiddenWindowFetchesNothing() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    service.setFaults { _, _ in .lost }
    await scheduler.sync(.newRows)
    await scheduler.visibilityChanged(isVisible: false)
    // The only timer is the one that closes the connection.
    try await until { device.clock.wakeUps == [300_000] }
    device.clock.advance(seconds: 300)
    try await until { service.connections.open == 0 }
    #expect(device.clock.wakeUps.isEmpty)
    // Unsent events are sent all the same.
    try await device.write()
    await scheduler.wrote()
    #expect(await device.clock.nextWakeUp() == 2000)
    service.clearFaults()
    device.clock.advance(seconds: 2)
    try await until { service.rows.count == 1 }
    try await until { await device.engine.status.phase == .synced }
    #expect(service.connections.open == 0)
    await scheduler.visibilityChanged(isVisible: true)
    try await until { service.connections.open == 1 }
    await scheduler.stop()
  }
}

extension Device {
  func scheduler(live: (any LiveService)? = nil) -> SyncScheduler {
    SyncScheduler(engine: engine, live: live ?? service, clock: clock, random: { 0 })
  }

  /// The number of syncs so far.
  var syncs: Int { lines.all.count }
}

extension SyncEngine {
  fileprivate func block(until release: DispatchSemaphore) { release.wait() }
}
