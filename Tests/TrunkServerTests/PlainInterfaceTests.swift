import Foundation
import ServerProcess
import Testing
import TrunkModel

@Suite struct PlainInterfaceTests {
  let server: ServerProcess

  init() async throws {
    server = try await ServerProcess()
  }

  private func signIn(_ email: String) async throws -> JSON {
    let asked = try await server.request("POST", "/api/auth/request-code", json: #"{"email":" \#(email) "}"#)
    #expect(asked.text == #"{"success":true}"#)
    let code = try await server.code(for: email)
    let body = #"{"email":"\#(email)","code":"\#(code)"}"#
    return try await server.request("POST", "/api/auth/verify-code", json: body).json()
  }

  private func event(_ id: String) -> String {
    #"{"type":"t","payload":{"n":1.0},"client_id":"\#(id)","client_timestamp":"2026-02-09T14:32:07Z"}"#
  }

  @Test(arguments: [
    ("/api/auth/request-code", "/api/auth/verify-code", "code"), ("/auth/v1/otp", "/auth/v1/verify", "token"),
  ])
  func aLockedAddressDiffersFromTooManyRequests(ask: String, verify: String, field: String) async throws {
    let email = #"{"email":"a@example.org"}"#
    #expect(try await server.request("POST", ask, json: email).status == 200)
    let code = try await server.code(for: "a@example.org")
    let wrong = code == "000000" ? "111111" : "000000"
    let body = #"{"type":"email","email":"a@example.org","\#(field)":"\#(wrong)"}"#
    var answer = try await server.request("POST", verify, json: body)
    for _ in 0..<4 {
      #expect(answer.status == 403)
      answer = try await server.request("POST", verify, json: body)
    }
    #expect(answer.status == 429 && answer.headers["retry-after"] == "900")
    let error = try answer.json()
    #expect((error["error_code"] ?? error["code"])?.text == "address_locked")
  }

  @Test func theProfileIsAnObjectOfTheAccount() async throws {
    let session = try await signIn("a@example.org")
    #expect(session["user"]?["profile"]?.compactText == "{}")
    let token = try #require(session["accessToken"]?.text)
    func put(_ json: String) async throws -> ServerProcess.Response {
      try await server.request("PUT", "/api/auth/profile", json: json, token: token)
    }
    #expect(try await put(#"{"full_name":"Ada","x":{"a":1,"b":2}}"#).text == #"{"full_name":"Ada","x":{"a":1,"b":2}}"#)
    #expect(try await put(#"{"x":{"a":3},"full_name":null}"#).text == #"{"x":{"a":3}}"#)
    #expect(try await server.request("GET", "/api/auth/profile", token: token).text == #"{"x":{"a":3}}"#)
    for wrong in ["[]", "{", "null", ""] { #expect(try await put(wrong).status == 400) }
    #expect(try await server.request("GET", "/api/auth/profile").status == 401)
    #expect(try await server.request("PUT", "/api/auth/profile", json: "{}").status == 401)
  }

  @Test func eventsAreWrittenAndRead() async throws {
    let session = try await signIn("a@example.org")
    let token = try #require(session["accessToken"]?.text)
    #expect(session["expiresIn"]?.double == 900)
    #expect(session["user"]?["email"]?.text == "a@example.org")
    func post(_ ids: String...) async throws -> ServerProcess.Response {
      let body = "{\"events\":[\(ids.map(event).joined(separator: ","))]}"
      return try await server.request("POST", "/api/sync/events", json: body, token: token)
    }
    #expect(try await post("a", "b").text == #"{"accepted":["a","b"],"duplicates":[]}"#)
    #expect(try await post("b", "c").text == #"{"accepted":["c"],"duplicates":["b"]}"#)
    let all = try await server.request("GET", "/api/sync/events", token: token).json()
    let events = try #require(all["events"]?.elements)
    #expect(events.map { $0["client_id"]?.text }.sorted { ($0 ?? "") < ($1 ?? "") } == ["a", "b", "c"])
    #expect(events[2]["payload"]?.compactText == #"{"n":1.0}"#)
    #expect(all["latestTimestamp"] == events[2]["created_at"])
    let first = try #require(events[0]["created_at"]?.text)
    // Both spellings of the offset work, because this interface doesn't read + as a space.
    for since in [first, first.replacing("+", with: "%2B")] {
      let later = try await server.request("GET", "/api/sync/events?since=\(since)", token: token).json()
      #expect(later["events"]?.elements?.map { $0["client_id"]?.text } == ["b", "c"])
    }
    let id = try #require(events[0]["id"]?.text)
    let next = try await server.request(
      "GET", "/api/sync/events?since=\(first)&after_id=\(id)&limit=1", token: token
    ).json()
    #expect(next["events"]?.elements?.first == events[1])
    #expect(next["events"]?.elements?.count == 1)
    let cut = try await server.request("GET", "/api/sync/events?limit=1", token: token).json()
    #expect(cut["events"]?.elements?.count == 1)
    #expect(cut["latestTimestamp"] == events[0]["created_at"])
    let found = try await server.request("GET", "/api/sync/events?client_id=c&client_id=x&client_id=a", token: token)
      .json()
    #expect(Set(found["events"]?.elements?.compactMap { $0["client_id"]?.text } ?? []) == ["a", "c"])
    let status = try await server.request("GET", "/api/sync/status", token: token).json()
    #expect(status["eventCount"]?.double == 3)
    #expect(status["latestTimestamp"] == all["latestTimestamp"])
    #expect(try await server.request("DELETE", "/api/sync/events", token: token).status == 400)
    #expect(try await server.request("DELETE", "/api/sync/events?confirm=all", token: token).text == #"{"deleted":3}"#)
  }

  @Test func anotherAccountHasItsOwnClientIDs() async throws {
    var tokens: [String] = []
    for email in ["a@example.org", "b@example.org"] {
      tokens.append(try #require(try await signIn(email)["accessToken"]?.text))
    }
    let body = "{\"events\":[\(event("same"))]}"
    for token in tokens {
      let answer = try await server.request("POST", "/api/sync/events", json: body, token: token)
      #expect(answer.text == #"{"accepted":["same"],"duplicates":[]}"#)
    }
    #expect(
      try await server.request("DELETE", "/api/sync/events?confirm=all", token: tokens[0]).text == #"{"deleted":1}"#)
    let left = try await server.request("GET", "/api/sync/events", token: tokens[1]).json()
    #expect(left["events"]?.elements?.count == 1)
  }

  @Test func sessionsAreRenewedAndEnded() async throws {
    let session = try await signIn("a@example.org")
    let token = try #require(session["refreshToken"]?.text)
    func refresh(_ token: String) async throws -> ServerProcess.Response {
      try await server.request("POST", "/api/auth/refresh", json: #"{"refreshToken":"\#(token)"}"#)
    }
    let renewed = try await refresh(token).json()
    let next = try #require(renewed["refreshToken"]?.text)
    #expect(next != token)
    let otherInterface = try await server.request(
      "POST", "/auth/v1/token?grant_type=refresh_token", json: #"{"refresh_token":"\#(next)"}"#)
    #expect(otherInterface.status == 400, "a session belongs to the interface that opened it")
    let access = try #require(renewed["accessToken"]?.text)
    #expect(try await server.request("POST", "/api/auth/logout", token: access).status == 204)
    let ended = try await refresh(next)
    #expect(ended.status == 400)
    #expect(try ended.json()["code"]?.text == "refresh_token_not_found")
    let stranger = try await server.request("GET", "/api/sync/status")
    #expect(stranger.status == 401)
  }

  @Test func profilesThatPostgreSQLRejectsAreRejected() async throws {
    let token = try #require(try await signIn("a@example.org")["accessToken"]?.text)
    let large = "\"" + String(repeating: "x", count: 1 << 20) + "\""
    let many = "[" + String(repeating: "0,", count: 250_000) + "0]"
    for (value, status) in [(#""\u0000""#, 400), (#""\ud800""#, 400), ("1e200000", 400), (large, 413), (many, 413)] {
      let name = Comment(rawValue: String(value.prefix(20)))
      let own = try await server.request("PUT", "/api/auth/profile", json: "{\"a\":\(value)}", token: token)
      #expect(own.status == status, name)
      let other = try await server.request("PUT", "/auth/v1/user", json: "{\"data\":{\"a\":\(value)}}", token: token)
      #expect(other.status == status, name)
    }
    #expect(try await server.request("GET", "/api/auth/profile", token: token).text == "{}")
  }

  @Test func badRequestsAreRejected() async throws {
    let token = try #require(try await signIn("a@example.org")["accessToken"]?.text)
    let surrogate = #"{"events":[{"type":"t","payload":{"t":"\ud800"},"client_id":"s"}]}"#
    for body in ["", "[]", surrogate, #"{"events":5}"#, #"{"events":[{"type":"t","payload":{}}]}"#, #"{"events":[5]}"#]
    {
      #expect(try await server.request("POST", "/api/sync/events", json: body, token: token).status == 400, "\(body)")
    }
    #expect(try await server.request("GET", "/api/sync/events?since=yesterday", token: token).status == 400)
    #expect(try await server.request("GET", "/api/elsewhere", token: token).status == 404)
  }
}

/// Tests the built program as a whole.
@Suite struct ProgramTests {
  @Test func acknowledgedEventsSurviveAKill() async throws {
    let first = try await ServerProcess()
    let session = try await first.signIn("a@example.org")
    // Concurrent insertions until the end: acknowledged events exist afterwards, each once.
    let answered = try await withThrowingTaskGroup(of: [String].self) { group in
      for client in 0..<8 {
        group.addTask {
          var answered: [String] = []
          for index in 0..<200 {
            let id = "\(client)-\(index)"
            guard
              let answer = try? await first.request(
                "POST", "/rest/v1/events", json: row(session, id), token: session.accessToken),
              answer.status == 201
            else { break }
            answered.append(id)
            if client == 0 && index == 25 { await first.kill() }
          }
          return answered
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(answered.count >= 25)
    let second = try await ServerProcess(folder: first.folder)
    let rows = try await second.request(
      "GET", "/rest/v1/events?select=client_id", token: session.accessToken
    ).json().elements
    let stored = try #require(rows).compactMap { $0["client_id"]?.text }
    #expect(Set(answered).subtracting(stored) == [])
    #expect(stored.count == Set(stored).count)
  }

  @Test func terminationLetsRequestsFinish() async throws {
    let server = try await ServerProcess()
    let session = try await server.signIn("a@example.org")
    let body = "[" + (0..<2000).map { row(session, "e\($0)") }.joined(separator: ",") + "]"
    async let answer = server.request("POST", "/rest/v1/events", json: body, token: session.accessToken)
    async let status = server.terminate()
    #expect(await status == 0)
    // The request is accepted as a whole or not at all.
    let isStored = (try? await answer)?.status == 201
    let again = try await ServerProcess(folder: server.folder)
    let count = try await again.request("GET", "/api/sync/status", token: session.accessToken).json()["eventCount"]
    if isStored { #expect(count?.double == 2000) } else { #expect([0, 2000].contains(count?.double)) }
  }

  @Test func bodiesHaveALimit() async throws {
    let server = try await ServerProcess()
    let session = try await server.signIn("a@example.org")
    let large = row(session, "large", payload: "{\"t\":\"" + String(repeating: "x", count: 9 << 20) + "\"}")
    let answer = try await server.request("POST", "/rest/v1/events", json: large, token: session.accessToken)
    #expect(answer.status == 413)
    // The connection is still usable afterwards.
    #expect(try await server.request("GET", "/api/sync/status", token: session.accessToken).status == 200)
    let login = #"{"email":"a@example.org","data":{"t":"\#(String(repeating: "x", count: 1 << 20))"}}"#
    #expect(try await server.request("POST", "/auth/v1/otp", json: login).status == 413)
  }
}
