import EventStore
import FaultServer
import SyncEngine
import TestSupport
import Testing
import TrunkModel

/// A server that takes connections and requests, and answers nothing.
@Suite(.timeLimit(.minutes(5))) struct SilenceTests {
  /// What the device would begin with.
  enum Beginning: CaseIterable {
    case fetching, sending, renewing
  }

  /// Whatever is asked meanwhile, the first request that gets no answer in its time ends it: from then on the garden is
  /// offline, and stays so until there is an answer.
  @Test(arguments: Backend.allCases, Beginning.allCases)
  func theFirstRequestWithoutAnAnswerEndsIt(_ backend: Backend, _ beginning: Beginning) async throws {
    let server = FaultServer { $1.stall() }
    let clock = TestClock()
    let computer = try await Computer(
      backend.service(server.address), .unsigned(at: server.address, clock), clock: clock)
    if beginning == .sending { try await computer.write() }
    if beginning == .renewing { clock.advance(seconds: 3600) }
    let scheduler = computer.scheduler()
    let began = ContinuousClock.now
    async let start: Void = scheduler.start()
    for await status in await computer.engine.statuses() where status.lastAttempt != nil {
      #expect(status.phase == .loading && status.failure == nil)
      break
    }
    // The computer wakes up, the user asks.
    async let wake: Void = scheduler.resumed()
    async let wish = scheduler.syncNow()
    #expect(await wish.problem?.code == "unreachable")
    _ = await (start, wake)
    // Fifteen seconds, and what libcurl and a busy computer add to them.
    #expect(began.duration(to: .now) < .seconds(25))
    var status = await computer.engine.status
    #expect(status.phase == .offline && status.failure?.code == "unreachable" && status.consecutiveFailures == 1)
    #expect(computer.log.count == 1)
    #expect(server.requests.count == (beginning == .renewing ? 2 : 1))
    // It retries automatically without showing that it is busy.
    let before = server.requests.count
    for await status in await computer.engine.statuses() {
      #expect(status.phase == .offline)
      if server.requests.count > before { break }
      let pause = await clock.nextWakeUp()
      clock.advance(milliseconds: pause)
      while server.requests.count == before { await Task.yield() }
    }
    status = await computer.engine.status
    #expect(status.phase == .offline)
    server.stop()
    await scheduler.stop()
  }
}
