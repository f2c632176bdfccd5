import EventStore
import SQLiteKit
import Synchronization
import TestSupport
import Testing
import TrunkModel

@testable import SyncEngine

/// When the live connection is opened, and what happens when it breaks.
@Suite struct LiveLinkTests {
  let service = MemoryService()

  @Test func aBrokenConnectionIsReopenedAndFollowedByASync() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    service.dropConnections()
    // Stored while the connection was closed.
    service.write(Event.waters(0..<1), userID: "user")
    #expect(await device.clock.nextWakeUp() == 1000)
    device.clock.advance(seconds: 1)
    try await until { service.connections == (2, 1) }
    try await until { try await device.store.count() == 1 }
    await scheduler.stop()
  }

  /// Nothing else would fetch the row: the cursor doesn't show that it is missing, and no other sync is due.
  @Test func aRowThatCannotBeStoredIsFetchedByASync() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    let path = device.store.folder + "/garden.db"
    func change(_ sql: String) throws { try Database(path: path, mode: .readWrite, busyTimeout: 5000).run(sql) }
    try change("CREATE TRIGGER reject BEFORE INSERT ON events BEGIN SELECT RAISE(FAIL, 'rejected'); END")
    service.write(Event.waters(0..<1), userID: "user")
    try await until { device.syncs == 3 }
    try change("DROP TRIGGER reject")
    try await until {
      // That sync failed, too. The next one is due after a pause.
      device.clock.advance(seconds: 10)
      return try await device.store.count() == 1
    }
    await scheduler.stop()
  }

  @Test func theConnectionWaitsForASuccessfulSync() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    service.setFaults { _, _ in .lost }
    service.log = []
    service.dropConnections()
    try await until { device.clock.wakeUps == [1000] && device.syncs == 3 }
    for _ in 0..<5 { device.clock.advance(seconds: 1) }
    #expect(service.connections.all == 1)
    service.clearFaults()
    await scheduler.networkChanged(isAvailable: true)
    device.clock.advance(seconds: 2)
    try await until { service.connections.open == 1 }
    await scheduler.stop()
  }

  @Test func aMisconfiguredConnectionIsGivenUp() async throws {
    let device = try await Device(service)
    let live = BrokenLive(.misconfigured(status: 403, code: "handshake", message: ""))
    let scheduler = device.scheduler(live: live)
    await scheduler.start()
    try await until { live.count == 1 }
    await scheduler.sync(.newRows)
    #expect(live.count == 1 && device.clock.wakeUps.isEmpty)
    // The window is shown again, which allows another attempt.
    try await until {
      await scheduler.visibilityChanged(isVisible: false)
      await scheduler.visibilityChanged(isVisible: true)
      return live.count >= 2
    }
    let before = live.count
    try await until {
      await scheduler.resumed()
      return live.count > before
    }
    await scheduler.stop()
  }

  @Test func theConnectionHonoursRetryAfter() async throws {
    let device = try await Device(service)
    let live = BrokenLive(.unavailable(status: 429, code: "", retryAfter: 77))
    let scheduler = device.scheduler(live: live)
    await scheduler.start()
    #expect(await device.clock.nextWakeUp() == 77_000)
    // The connection was never live, so no rows were missed.
    #expect(device.syncs == 1)
    await scheduler.stop()
  }

  @Test func rejectedTokensAreRenewedOnce() async throws {
    let device = try await Device(service)
    let live = BrokenLive(.unauthorized(code: ""))
    let scheduler = device.scheduler(live: live)
    await scheduler.start()
    for count in 1...5 {
      let pause = await device.clock.nextWakeUp()
      #expect(live.count == count)
      device.clock.advance(milliseconds: pause)
      try await until { live.count == count + 1 }
    }
    #expect(service.log.count { $0 == .refresh } == 1)
    #expect(device.syncs == 1)
    await scheduler.stop()
  }

  @Test func theConnectionRenewsAnExpiredToken() async throws {
    let device = try await Device(service)
    let scheduler = device.scheduler()
    await scheduler.start()
    try await until { device.syncs == 2 }
    service.expireAccessTokens()
    service.dropConnections()
    try await until { device.clock.wakeUps.contains(1000) }
    device.clock.advance(seconds: 1)
    try await until { service.connections.open == 1 }
    #expect(service.log.count { $0 == .refresh } == 1)
    await scheduler.stop()
  }
}

/// A service whose live connections fail at once.
final class BrokenLive: LiveService {
  private let failure: ServiceFailure
  private let calls = Atomic(0)

  init(_ failure: ServiceFailure) { self.failure = failure }

  var count: Int { calls.load(ordering: .relaxed) }

  func listen(
    token: AccessToken, renewals: AsyncStream<AccessToken>
  ) -> AsyncThrowingStream<LiveSignal, any Error> {
    calls.add(1, ordering: .relaxed)
    return AsyncThrowingStream { $0.finish(throwing: failure) }
  }
}
