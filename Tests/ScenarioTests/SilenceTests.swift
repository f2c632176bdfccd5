import FaultServer
import SyncEngine
import TestSupport
import Testing
import TrunkModel

/// A server that accepts connections and requests but never answers.
@Suite struct SilenceTests {
  /// The request that the device sends first.
  enum FirstRequest: CaseIterable {
    case fetching, sending, renewing
  }

  /// The first request that times out ends the sync, even if other syncs were requested in between. From then on the
  /// garden is offline until the server answers.
  @Test(arguments: Backend.allCases, FirstRequest.allCases)
  func theFirstRequestWithoutAnAnswerEndsTheSync(_ backend: Backend, _ first: FirstRequest) async throws {
    let server = FaultServer { $1.stall() }
    let clock = TestClock()
    let computer = try await Computer(
      backend.service(server.address), .unsigned(at: server.address, clock), clock: clock)
    if first == .sending { try await computer.write() }
    if first == .renewing { clock.advance(seconds: 3600) }
    let scheduler = computer.scheduler()
    async let start: Void = scheduler.start()
    for await status in await computer.engine.statuses() where status.lastAttempt != nil {
      #expect(status.phase == .initialSync && status.failure == nil)
      break
    }
    // The computer wakes up, and the user requests a sync.
    async let wake: Void = scheduler.resumed()
    async let userRequest = scheduler.sync(.newRows)
    #expect(await userRequest.problem?.code == "unreachable")
    _ = await (start, wake)
    var status = await computer.engine.status
    #expect(status.phase == .offline && status.failure?.code == "unreachable" && status.consecutiveFailures == 1)
    #expect(computer.log.count == 1)
    #expect(server.requests.count == (first == .renewing ? 2 : 1))
    // Automatic retries are not shown as syncing.
    let before = server.requests.count
    for await status in await computer.engine.statuses() {
      #expect(status.phase == .offline)
      if server.requests.count > before { break }
      let pause = await clock.nextWakeUp()
      clock.advance(milliseconds: pause)
      try await until { server.requests.count > before }
    }
    status = await computer.engine.status
    #expect(status.phase == .offline)
    server.stop()
    await scheduler.stop()
  }
}
