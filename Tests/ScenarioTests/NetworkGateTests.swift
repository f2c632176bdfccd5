import FaultServer
import SyncEngine
import Synchronization
import TestSupport
import Testing
import TrunkModel

/// A server that fails gets at most twelve requests an hour, even if the window is visible and an event is unsent.
@Suite struct NetworkGateTests {
  enum Trouble: String, CaseIterable {
    case down, silentClose, serverError, badGateway, unavailable, tooMany, tooManyForNow, tooManyForLong, portalPage
    case portalRedirect, paymentRequired, wrongAddress

    func answer(_ request: FaultRequest, _ connection: FaultConnection) {
      switch self {
      case .down: connection.reset()
      case .silentClose: connection.close()
      case .serverError: connection.json(#"{"code":"XX000","message":"oops"}"#, status: 500)
      case .badGateway: connection.answer(502, ["Content-Type": "text/html"], body: "<html>Bad Gateway</html>")
      case .unavailable: connection.answer(503)
      case .tooMany: connection.json(#"{"message":"too many"}"#, status: 429)
      case .tooManyForNow: connection.answer(429, ["Retry-After": "1"])
      case .tooManyForLong: connection.answer(429, ["Retry-After": "1800"])
      case .portalPage: connection.answer(200, ["Content-Type": "text/html"], body: "<html>Welcome</html>")
      case .portalRedirect: connection.answer(302, ["Location": "http://127.0.0.1:9/login"])
      case .paymentRequired: connection.json(#"{"message":"exceed_egress_quota"}"#, status: 402)
      case .wrongAddress: connection.answer(404, body: "404 page not found")
      }
    }
  }

  @Test(arguments: Backend.allCases, Trouble.allCases)
  func aFailingServerGetsTwelveRequestsAnHour(_ backend: Backend, _ trouble: Trouble) async throws {
    let server = FaultServer { trouble.answer($0, $1) }
    let clock = TestClock()
    let computer = try await Computer(
      backend.service(server.address), .unsigned(at: server.address, clock), clock: clock)
    try await computer.write()
    let scheduler = computer.scheduler()
    await scheduler.start()
    // In the second hour, the token has to be renewed first.
    for hour in 1...3 {
      let before = hour == 1 ? 0 : server.requests.count
      try await computer.advance(seconds: 3600)
      let requests = server.requests.dropFirst(before)
      #expect(requests.count <= 12, "hour \(hour)")
      #expect(requests.count >= (trouble == .tooManyForLong ? 2 : 3), "hour \(hour)")
    }
    #expect(try await computer.pending() == 1)
    await scheduler.stop()
  }
}

extension StoredSession {
  /// Returns a session with an unsigned token, for a server with scripted responses.
  static func unsigned(at server: String, _ clock: TestClock) -> StoredSession {
    // {"alg":"HS256"} and {"sub":"user"}
    StoredSession(
      account: Account(server: server, userID: "user"), email: "",
      accessToken: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1c2VyIn0.c2ln",
      refreshToken: "refresh", expiresAt: clock.now.seconds + 3600)
  }
}

extension Computer {
  /// Advances the clock from timer to timer and waits for the sync that each one causes.
  func advance(seconds: Int64) async throws {
    let end = clock.uptime + seconds * 1000
    while true {
      let pause = await clock.nextWakeUp()
      guard clock.uptime + pause < end else { return clock.advance(milliseconds: end - 1 - clock.uptime) }
      let before = log.count
      clock.advance(milliseconds: pause)
      await log.waitForLines(before + 1)
    }
  }
}
