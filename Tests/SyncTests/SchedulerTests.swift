import Garden
import GardenStore
import Testing

@testable import Sync

/// When syncs begin, counted at the service.
@Suite struct SchedulerTests {
  let service = MemoryService()

  private func scheduler(_ device: Device) -> SyncScheduler {
    SyncScheduler(engine: device.engine, live: service, clock: device.clock, random: { 0 })
  }

  /// Pulls so far: each sync is one at least.
  private func syncs(_ device: Device) -> Int { device.lines.all.count }

  private func until(_ isTrue: () async -> Bool) async {
    while await !isTrue() { await Task.yield() }
  }

  @Test func launchSyncsAndListens() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    await scheduler.start()
    // One at the start, and one when the connection has become live.
    await until { syncs(device) == 2 }
    #expect(service.connections.open == 1)
    // A row is here without another request.
    service.log = []
    service.write(Event.waters(0..<1), userID: "user")
    await until { (try? await device.store.count()) == 1 }
    #expect(service.log.isEmpty)
    await scheduler.stop()
    await until { service.connections.open == 0 }
  }

  @Test func whatOneDeviceWritesIsOnTheOtherAtOnce() async throws {
    let (one, two) = (try await Device(service), try await Device(service))
    let (first, second) = (scheduler(one), scheduler(two))
    await first.start()
    await second.start()
    await until { syncs(one) == 2 && syncs(two) == 2 }
    let event = try await one.write()[0]
    await first.wrote()
    await until { (try? await two.store.count()) == 1 }
    #expect(syncs(two) == 2)
    // Its own echo came back to the first one.
    await first.syncNow()
    await second.syncNow()
    for device in [one, two] {
      #expect(try await device.texts() == [event.canonicalText])
      #expect(try await device.store.confirmedCount() == 1)
    }
    await first.stop()
    await second.stop()
  }

  @Test func focusAtMostEveryHalfMinute() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    await scheduler.start()
    await until { syncs(device) == 2 }
    await scheduler.gainedFocus()
    #expect(syncs(device) == 2)
    device.clock.advance(seconds: 30)
    await scheduler.gainedFocus()
    #expect(syncs(device) == 3)
    // Something waits.
    try await device.write()
    await scheduler.gainedFocus()
    #expect(syncs(device) == 4)
    #expect(service.rows.count == 1)
    await scheduler.stop()
  }

  @Test func writesOfOthersAreSent() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    await scheduler.start()
    await until { syncs(device) == 2 }
    let other = try await GardenStore.open(folder: device.store.folder)
    _ = try await other.append(Event.waters(0..<1))
    await until { service.rows.count == 1 }
    await scheduler.stop()
  }

  @Test func heldEventsAreSentWhenTheirTimeIsOver() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    await scheduler.start()
    await until { syncs(device) == 2 }
    _ = try await device.store.append(Event.waters(0..<1), heldUntil: device.clock.now.adding(seconds: 9))
    await scheduler.wrote()
    #expect(syncs(device) == 2)
    #expect(await device.engine.status.phase == .pendingUpload)
    #expect(await device.clock.nextWakeUp() == 9000)
    device.clock.advance(seconds: 9)
    await until { service.rows.count == 1 }
    await scheduler.stop()
  }

  @Test func pausesGrowAndEndWithSuccess() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    service.setFaults { _, _ in .lost }
    await scheduler.start()
    var pauses: [Int64] = []
    for _ in 0..<12 {
      let pause = await device.clock.nextWakeUp()
      pauses.append(pause / 1000)
      let before = syncs(device)
      device.clock.advance(milliseconds: pause)
      await until { syncs(device) == before + 1 }
      // The next timer is set after the line was written.
      await until { !device.clock.wakeUps.isEmpty }
    }
    #expect(pauses == [1, 2, 5, 10, 30, 60, 300, 900, 900, 900, 900, 900])
    // Eleven attempts in an hour, the first one among them.
    #expect(pauses.prefix(10).reduce(0, +) < 3600 && pauses.prefix(11).reduce(0, +) >= 3600)
    service.clearFaults()
    let before = syncs(device)
    await scheduler.syncNow()
    await until { syncs(device) == before + 2 }
    await until { await device.engine.status.phase == .synced }
    try await device.write()
    service.setFaults { call, _ in call == .insert ? .lost : nil }
    await scheduler.wrote()
    #expect(await device.clock.nextWakeUp() == 1000)
    await scheduler.stop()
  }

  @Test func jitterOnlyLengthens() {
    var (short, long) = (Backoff(), Backoff())
    for _ in 0..<20 {
      let (least, most) = (short.next(random: 0), long.next(random: 0.999))
      #expect(most > least && most < least * 5 / 4)
    }
  }

  @Test func theServiceSaysWhen() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    service.setFaults { _, _ in .failing(.unavailable(status: 429, code: "", retryAfter: 77)) }
    await scheduler.start()
    #expect(await device.clock.nextWakeUp() == 77_000)
    service.setFaults { _, _ in .failing(.misconfigured(status: 404, code: "PGRST205", message: "")) }
    await scheduler.syncNow()
    // No waiting mends the settings.
    #expect(await device.clock.nextWakeUp() == 900_000)
    await scheduler.stop()
  }

  @Test func writingOnWithoutNetworkMakesNoStorm() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    service.setFaults { _, _ in .lost }
    await scheduler.start()
    for number in 0..<20 {
      try await device.write(1, random: UInt32(number))
      await scheduler.wrote()
      await scheduler.gainedFocus()
    }
    #expect(syncs(device) == 1)
    await scheduler.networkChanged(isAvailable: true)
    #expect(syncs(device) == 2)
    await scheduler.resumed()
    #expect(syncs(device) == 3)
    await scheduler.stop()
  }

  @Test func aHiddenWindowFetchesNothing() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    await scheduler.start()
    await until { syncs(device) == 2 }
    service.setFaults { _, _ in .lost }
    await scheduler.syncNow()
    await scheduler.visibilityChanged(isVisible: false)
    // Only the end of the connection is waited for.
    await until { device.clock.wakeUps == [300_000] }
    device.clock.advance(seconds: 300)
    await until { service.connections.open == 0 }
    #expect(device.clock.wakeUps.isEmpty)
    // What waits to be sent is tried all the same.
    try await device.write()
    await scheduler.wrote()
    #expect(await device.clock.nextWakeUp() == 2000)
    service.clearFaults()
    device.clock.advance(seconds: 2)
    await until { service.rows.count == 1 }
    await until { await device.engine.status.phase == .synced }
    #expect(service.connections.open == 0)
    await scheduler.visibilityChanged(isVisible: true)
    await until { service.connections.open == 1 }
    await scheduler.stop()
  }

  @Test func theConnectionComesBackAndPulls() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    await scheduler.start()
    await until { syncs(device) == 2 }
    service.dropConnections()
    // Missed meanwhile.
    service.write(Event.waters(0..<1), userID: "user")
    #expect(await device.clock.nextWakeUp() == 1000)
    device.clock.advance(seconds: 1)
    await until { service.connections == (2, 1) }
    await until { (try? await device.store.count()) == 1 }
    await scheduler.stop()
  }

  @Test func withoutAServerTheConnectionWaitsForTheSync() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    await scheduler.start()
    await until { syncs(device) == 2 }
    service.setFaults { _, _ in .lost }
    service.log = []
    service.dropConnections()
    await until { device.clock.wakeUps == [1000] && syncs(device) == 3 }
    for _ in 0..<5 { device.clock.advance(seconds: 1) }
    #expect(service.connections.all == 1)
    service.clearFaults()
    await scheduler.networkChanged(isAvailable: true)
    await until { !device.clock.wakeUps.isEmpty || service.connections.open == 1 }
    device.clock.advance(seconds: 1)
    await until { service.connections.open == 1 }
    await scheduler.stop()
  }

  @Test func anExpiredTokenOfTheConnectionIsRenewed() async throws {
    let device = try await Device(service)
    let scheduler = scheduler(device)
    await scheduler.start()
    await until { syncs(device) == 2 }
    service.expireAccessTokens()
    service.dropConnections()
    await until { device.clock.wakeUps.contains(1000) }
    device.clock.advance(seconds: 1)
    await until { service.connections.open == 1 }
    #expect(service.log.count { $0 == .refresh } == 1)
    await scheduler.stop()
  }
}
