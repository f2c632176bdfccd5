import EventStore
import FaultServer
import SyncEngine
import Synchronization
import Testing
import TrunkModel

@testable import SyncBackends

@Suite struct TrunkAPITests {
  /// The clients of a `trunk-server` with scripted responses.
  private struct ScriptedServer {
    let server: FaultServer
    let events: any EventService
    let auth: any AccountService

    init(_ answer: @escaping @Sendable (FaultRequest, FaultConnection) -> Void) {
      server = FaultServer(answer)
      let client = HTTPClient(userAgent: "Trunk/test")
      events = TrunkAPI(server: server.address).events(client)
      auth = TrunkAPI(server: server.address).auth(client)
    }

    init(_ status: Int, _ body: String) { self.init { $1.answer(status, body: body) } }
  }

  @Test func sendsAndReadsEvents() async throws {
    let scripted = ScriptedServer { request, connection in
      switch (request.method, request.path) {
      case ("GET", "/api/sync/events"):
        connection.json(#"{"latestTimestamp":"t","events":[\#(row(1)),\#(row(2))],"events2":[{}]}"#)
      case ("GET", "/api/sync/status"):
        connection.json(#"{"latestTimestamp":"2026-02-09T14:32:07.5+00:00","eventCount":7}"#)
      case ("POST", "/api/sync/events"): connection.json(#"{"accepted":["a"],"duplicates":["b"]}"#)
      case ("DELETE", "/api/sync/events"): connection.json(#"{"deleted":3}"#)
      default: connection.answer(404)
      }
    }
    let rows = try await scripted.events.rows(after: nil, limit: 1000, token: access)
    #expect(rows.count == 2)
    _ = try await scripted.events.rows(after: rows[1].position, limit: 10, token: access)
    _ = try await scripted.events.rows(
      after: Cursor(createdAt: "2026-02-09T14:00:00Z", id: ""), limit: 10, token: access)
    #expect(try await scripted.events.head(token: access).count == 7)
    let receipts = try await scripted.events.insert([OutgoingRow(.sample)], token: access)
    #expect(receipts == [Receipt(clientID: "a", id: nil, createdAt: nil)])
    let found = try await scripted.events.find(clientIDs: ["x", "y,z", "ü"], token: access)
    #expect(found.map(\.id) == rows.map(\.id) && found.map(\.clientID) == rows.map(\.event.clientID))
    try await scripted.events.removeAll(token: access)

    let requests = scripted.server.requests
    #expect(requests.allSatisfy { $0.headers["authorization"] == "Bearer " + access.text })
    #expect(requests[0].target == "/api/sync/events?limit=1000")
    #expect(requests[1].query("since") == rows[1].createdAt && requests[1].query("after_id") == rows[1].id)
    #expect(requests[2].query("since") == "2026-02-09T14:00:00Z")
    #expect(requests[2].query("after_id") == "00000000-0000-0000-0000-000000000000")
    #expect(requests[5].target == "/api/sync/events?client_id=x&client_id=y%2Cz&client_id=%C3%BC")
    #expect(requests[6].query("confirm") == "all")
    let sent = try JSON(requests[4].text)["events"]?.elements?.first
    #expect(sent?["payload"]?["leafId"]?.text == "leaf" && sent?["client_id"]?.text == Event.sample.clientID)
  }

  @Test(arguments: ["", "[]", "{}", #"{"events":{}}"#, #"{"events":[{}]}"#, #"{"events":[]"#, #"{"event":[]}"#])
  func anInvalidPageIsNotAnEmptyPage(body: String) async {
    let scripted = ScriptedServer(200, body)
    let result = await failure { () throws(ServiceFailure) in
      try await scripted.events.rows(after: nil, limit: 10, token: access)
    }
    guard case .unintelligible = result else {
      Issue.record("\(String(describing: result))")
      return
    }
  }

  @Test func splitsSearchesWithLargeResponses() async throws {
    let scripted = ScriptedServer { request, connection in
      let names = request.target.split(separator: "&")
      let padding = String(repeating: " ", count: names.count > 2 ? 17 << 20 : 2 << 20)
      connection.json(#"{"events":[\#(row(names.count))\#(padding)]}"#)
    }
    #expect(try await scripted.events.find(clientIDs: ["a", "b", "c", "d", "e"], token: access).count == 3)
    #expect(
      scripted.server.requests.map { $0.target.replacing("client_id=", with: "").split(separator: "?").last } == [
        "a&b&c&d&e", "a&b", "c&d&e", "c", "d&e",
      ])
  }

  @Test func keepsTheServersOwnRejections() async {
    let scripted = ScriptedServer(400, #"{"code":"validation_failed","message":"m"}"#)
    #expect(
      await failure { () throws(ServiceFailure) in
        try await scripted.events.insert([OutgoingRow(.sample)], token: access)
      } == .rejected(status: 400, code: "validation_failed", message: "m"))
  }

  /// The first request uses up the refresh token, and the server repeats its response for only a few seconds.
  @Test func anInterruptedRenewalIsRepeatedAtOnce() async throws {
    let count = Mutex(0)
    let scripted = ScriptedServer { _, connection in
      guard
        count.withLock({
          $0 += 1; return $0 > 1
        })
      else { return connection.reset() }
      connection.json(#"{"accessToken":"\#(token(subject: user, lifetime: 900))","refreshToken":"r2"}"#)
    }
    #expect(try await scripted.auth.refresh("r1").refreshToken == "r2")
    #expect(try scripted.server.requests.map { try JSON($0.text)["refreshToken"]?.text } == ["r1", "r1"])
    let down = ScriptedServer { $1.reset() }
    #expect(
      await failure { () throws(ServiceFailure) in try await down.auth.refresh("r1") }
        == .unreachable(detail: "connection_lost"))
    #expect(down.server.requests.count == 2)
  }

  @Test func signsIn() async throws {
    let scripted = ScriptedServer { request, connection in
      switch request.path {
      case "/api/auth/request-code": connection.json(#"{"success":true}"#)
      case "/api/auth/verify-code":
        connection.json(
          #"{"accessToken":"\#(token(subject: user, lifetime: 900))","refreshToken":"r1","#
            + #""user":{"id":"\#(user)","email":"ada@example.org"}}"#)
      case "/api/auth/refresh":
        connection.json(#"{"accessToken":"\#(token(subject: user, lifetime: 900))","refreshToken":"r2"}"#)
      case "/api/auth/logout": connection.answer(204)
      default: connection.answer(404)
      }
    }
    try await scripted.auth.requestCode(email: "ada@example.org")
    let grant = try await scripted.auth.verify(email: "ada@example.org", code: "123456")
    #expect(grant.userID == user && grant.email == "ada@example.org" && grant.expiresIn == 900)
    let next = try await scripted.auth.refresh(grant.refreshToken)
    #expect(next.userID == user && next.refreshToken == "r2" && next.expiresIn == 900)
    try await scripted.auth.signOut(token: access)
    #expect(
      try scripted.server.requests.map { try $0.body.isEmpty ? "" : JSON($0.text).compactText } == [
        #"{"email":"ada@example.org"}"#, #"{"email":"ada@example.org","code":"123456"}"#, #"{"refreshToken":"r1"}"#, "",
      ])
  }

  @Test func mapsFailures() async {
    let expired = ScriptedServer(401, #"{"message":"expired"}"#)
    #expect(
      await failure { () throws(ServiceFailure) in try await expired.events.head(token: access).count }
        == .unauthorized(code: ""))
    let ended = ScriptedServer(401, #"{"code":"session_not_found","message":"m"}"#)
    #expect(
      await failure { () throws(ServiceFailure) in try await ended.auth.refresh("r") }
        == .sessionEnded(code: "session_not_found"))
    let locked = ScriptedServer { $1.answer(429, ["Retry-After": "900"], body: #"{"code":"address_locked"}"#) }
    #expect(
      await failure { () throws(SignInFailure) in try await locked.auth.verify(email: "a@b.c", code: "1") }
        == .locked(seconds: 900))
    let wrong = ScriptedServer(403, #"{"code":"otp_expired","message":"m"}"#)
    #expect(
      await failure { () throws(SignInFailure) in try await wrong.auth.verify(email: "a@b.c", code: "1") }
        == .wrongCode)
    let down = ScriptedServer(503, "")
    #expect(
      await failure { () throws(ServiceFailure) in try await down.auth.refresh("r") }
        == .unavailable(status: 503, code: "", retryAfter: nil))
  }

  @Test(arguments: ["9223372036854775807", "9007199254740994", "1e300", "-1", "1.5"])
  func anAbsurdCountIsUnintelligible(count: String) async {
    let scripted = ScriptedServer(200, #"{"latestTimestamp":"2026-02-09T14:32:07.5+00:00","eventCount":\#(count)}"#)
    let result = await failure { () throws(ServiceFailure) in try await scripted.events.head(token: access).count }
    #expect(result == .unintelligible(detail: "not the state of a table"))
  }
}
