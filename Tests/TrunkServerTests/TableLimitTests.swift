import Foundation
import ServerProcess
import Testing
import TrunkModel

@testable import TrunkServer

/// Tests what the server accepts from one account, and how it responds beyond that.
@Suite struct TableLimitTests {
  private func start(_ arguments: String...) async throws -> (ServerProcess, ServerProcess.Session) {
    let server = try await ServerProcess(arguments: ["--rate-limit", "off"] + arguments)
    return (server, try await server.signIn("me@example.org"))
  }

  private func insert(
    _ server: ServerProcess, _ session: ServerProcess.Session, _ body: String, prefer: String = "return=minimal"
  ) async throws -> ServerProcess.Response {
    try await server.request(
      "POST", "/rest/v1/events", json: body, token: session.accessToken, headers: ["Prefer": prefer])
  }

  private func expect(
    _ answer: ServerProcess.Response, _ status: Int, _ code: String, _ comment: Comment? = nil,
    location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(answer.status == status, comment, sourceLocation: location)
    #expect(try answer.json()["code"]?.text == code, comment, sourceLocation: location)
  }

  @Test func clientsCannotSetCreatedAt() async throws {
    let (server, me) = try await start()
    let future = row(me, "a").dropLast() + #","created_at":"9999-12-31T23:59:59.999999Z"}"#
    let answer = try await insert(server, me, String(future), prefer: "return=representation")
    let created = try #require(try answer.json().elements?.first?["created_at"]?.text.flatMap { Microseconds($0) })
    #expect(abs(created.value - Microseconds.now.value) < 3600 * 1_000_000)
    try expect(
      await insert(server, me, row(me, "b").dropLast() + #","created_at":"soon"}"#), 400, "22007")
  }

  @Test func queriesHaveLimits() async throws {
    let (server, me) = try await start()
    func get(_ query: String) async throws -> ServerProcess.Response {
      try await server.request("GET", "/rest/v1/events?" + query, token: me.accessToken)
    }
    let conditions = (0..<50).map { "type.neq.\($0)" }
    #expect(try await get("or=(\(conditions.joined(separator: ",")))").status == 200)
    try expect(await get("or=(\(conditions.joined(separator: ",")))&type=eq.a"), 413, "54001")
    let ids = (0..<1000).map(String.init).joined(separator: ",")
    #expect(try await get("client_id=in.(\(ids))").status == 200)
    try expect(await get("client_id=in.(\(ids),x)"), 413, "54001")
    let order = Array(repeating: "id", count: 7).joined(separator: ",")
    #expect(try await get("order=\(order)").status == 200)
    try expect(await get("order=\(order),id"), 413, "54001")
    let list = String(repeating: "id,", count: 683)
    for name in ["select", "order", "columns"] { try expect(await get("\(name)=\(list)"), 413, "54001", "\(name)") }
    #expect(try await get("select=\(list.dropLast(3))").status == 200)
    let nested = String(repeating: "and(", count: 40) + "type.eq.a" + String(repeating: ")", count: 40)
    try expect(await get("or=(\(nested))"), 400, "PGRST100")
    _ = try await insert(server, me, row(me, "a"))
    let columns = try await get("select=type,*,type,payload").json().elements?.first?.members
    #expect(columns?.count == 7, "each column once")
  }

  @Test func queriesHaveFewItems() async throws {
    let (server, me) = try await start()
    for path in ["/auth/v1/elsewhere", "/rest/v1/events", "/api/sync/events", "/realtime/v1/websocket"] {
      let query = String(repeating: "client_id=a&", count: 1100)
      try expect(await server.request("GET", "\(path)?\(query)", token: me.accessToken), 413, "54001", "\(path)")
    }
    let ids = (0..<1000).map { "client_id=\($0)" }.joined(separator: "&")
    let found = try await server.request("GET", "/api/sync/events?since=&limit=5&\(ids)", token: me.accessToken)
    #expect(found.status == 200)
  }

  @Test func rowsAndBatchesHaveLimits() async throws {
    let (server, me) = try await start()
    func text(_ count: Int) -> String { "{\"t\":\"" + String(repeating: "x", count: count) + "\"}" }
    #expect(try await insert(server, me, row(me, "a", payload: text(260_000))).status == 201)
    try expect(await insert(server, me, row(me, "b", payload: text(263_000))), 413, "54000")
    #expect(try await insert(server, me, row(me, String(repeating: "c", count: 2704))).status == 201)
    try expect(await insert(server, me, row(me, String(repeating: "d", count: 2705))), 413, "54000")
    let name = String(repeating: "n", count: 2705)
    for column in ["type", "client_timestamp"] {
      let type = column == "type" ? "" : #","type":"t""#
      let body = #"{"user_id":"\#(me.userID)","payload":{},"\#(column)":"\#(name)"\#(type)}"#
      try expect(await insert(server, me, body), 413, "54000", Comment(rawValue: column))
    }
    let rows = (0..<2001).map { row(me, "e\($0)") }
    try expect(await insert(server, me, "[" + rows.joined(separator: ",") + "]"), 413, "54000")
    let large = (0..<5).map { row(me, "g\($0)", payload: text(210_000)) }
    try expect(await insert(server, me, "[" + large.joined(separator: ",") + "]"), 413, "54000")
    let values = String(repeating: "0,", count: 250_000) + "0"
    try expect(await insert(server, me, row(me, "f", payload: "[\(values)]")), 413, "54000")
    let count = try await server.request("GET", "/api/sync/status", token: me.accessToken).json()["eventCount"]
    #expect(count?.double == 2)
  }

  @Test func accountsHaveQuotas() async throws {
    let (server, me) = try await start("--account-rows", "3")
    let other = try await server.signIn("other@example.org")
    #expect(try await insert(server, me, "[\(row(me, "a")),\(row(me, "b"))]").status == 201)
    try expect(await insert(server, me, "[\(row(me, "c")),\(row(me, "d"))]"), 507, "53400")
    #expect(try await insert(server, me, row(me, "c")).status == 201)
    try expect(await insert(server, me, row(me, "d")), 507, "53400")
    let again = try await server.request(
      "POST", "/rest/v1/events?on_conflict=client_id", json: row(me, "a"), token: me.accessToken,
      headers: ["Prefer": "resolution=ignore-duplicates"])
    #expect(again.status == 201, "nothing is added")
    #expect(try await insert(server, other, row(other, "a")).status == 201)
    let deleted = try await server.request(
      "DELETE", "/rest/v1/events?client_id=eq.a", token: me.accessToken)
    #expect(deleted.status == 204)
    #expect(try await insert(server, me, row(me, "e")).status == 201)
    try expect(await insert(server, me, row(me, "f")), 507, "53400")
  }

  @Test func bytesOfAnAccountAreCounted() async throws {
    let (server, me) = try await start("--account-size", "1")
    let large = "{\"t\":\"" + String(repeating: "x", count: 250_000) + "\"}"
    for index in 0..<4 {
      #expect(try await insert(server, me, row(me, "a\(index)", payload: large)).status == 201)
    }
    try expect(await insert(server, me, row(me, "b", payload: large)), 507, "53400")
  }

  @Test func deletionsCountEveryRowAndReturnFew() async throws {
    let (server, me) = try await start()
    // More than one query finds.
    for part in 0..<3 {
      let rows = (0..<1400).map { row(me, "\(part)-\($0)", payload: "{}") }
      #expect(try await insert(server, me, "[" + rows.joined(separator: ",") + "]").status == 201)
    }
    let all = "/rest/v1/events?user_id=eq.\(me.userID)"
    let returned = try await server.request(
      "DELETE", all, token: me.accessToken, headers: ["Prefer": "return=representation"])
    try expect(returned, 413, "54000")
    #expect(returned.text.contains("at least 2000 deleted rows"), "more are not looked for")
    let single = try await server.request(
      "DELETE", all, token: me.accessToken, headers: ["Accept": "application/vnd.pgrst.object+json"])
    try expect(single, 406, "PGRST116")
    #expect(single.text.contains("4200 rows"))
    let deleted = try await server.request(
      "DELETE", all, token: me.accessToken, headers: ["Prefer": "count=exact"])
    #expect(deleted.status == 204 && deleted.headers["content-range"] == "*/4200")
    #expect(try await server.request("GET", all, token: me.accessToken).text == "[]")
  }

  @Test func expiredTokensWorkForAnotherHalfMinute() async throws {
    let (server, me) = try await start()
    let now = Microseconds.now.seconds
    for path in ["/rest/v1/events", "/api/sync/status"] {
      let late = try await server.request("GET", path, token: token(me, server, until: now - 15))
      #expect(late.status == 200, "\(path)")
      let tooLate = try await server.request("GET", path, token: token(me, server, until: now - 45))
      #expect(tooLate.status == 401, "\(path)")
    }
    let user = try await server.request("GET", "/auth/v1/user", token: token(me, server, until: now - 15))
    #expect(user.status == 403, "the same status as GoTrue's")
  }

  /// The same token with another expiry.
  private func token(
    _ session: ServerProcess.Session, _ server: ServerProcess, until seconds: Int64
  ) throws -> String {
    let parts = session.accessToken.split(separator: ".").map(String.init)
    let claims = try #require(Base64URL.decode(parts[1]))
    guard case .object(var members) = try JSON(String(decoding: claims, as: UTF8.self)) else { return "" }
    let secret = try ServerSecret.load(folder: server.folder)
    members.removeAll { $0.name.isEqual(to: "exp") }
    members.append(.init("exp", .number(Int(seconds))))
    let signed = parts[0] + "." + Base64URL.encode(JSON.object(members).compactText.utf8)
    return signed + "." + Base64URL.encode(Secrets.hmac(signed, key: secret))
  }
}
