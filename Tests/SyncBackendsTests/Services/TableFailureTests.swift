import FaultServer
import SyncEngine
import Testing
import TrunkModel

@testable import SyncBackends

/// Tests each error of the gateway, PostgREST and proxies, and what it means.
@Suite struct TableFailureTests {
  struct Case: CustomTestStringConvertible {
    let status: Int
    let body: String
    var headers: [String: String] = [:]
    let failure: ServiceFailure
    var testDescription: String { "\(status) \(body)" }
  }

  private static func body(_ code: String, _ message: String = "m") -> String {
    #"{"code":"\#(code)","details":null,"hint":null,"message":"\#(message)"}"#
  }

  static let cases: [Case] = [
    Case(
      status: 301, body: "", headers: ["Location": "http://hotel.example"],
      failure: .moved(to: "http://hotel.example")),
    Case(status: 307, body: "", failure: .unavailable(status: 307, code: "redirect", retryAfter: nil)),
    Case(status: 400, body: body("22P02"), failure: .rejected(status: 400, code: "22P02", message: "m")),
    Case(status: 400, body: body("22P05"), failure: .rejected(status: 400, code: "22P05", message: "m")),
    Case(status: 400, body: body("PGRST102"), failure: .rejected(status: 400, code: "PGRST102", message: "m")),
    Case(status: 400, body: body("PGRST204"), failure: .misconfigured(status: 400, code: "PGRST204", message: "m")),
    Case(status: 400, body: "<html>Bad Request</html>", failure: .unavailable(status: 400, code: "", retryAfter: nil)),
    Case(status: 401, body: body("PGRST303", "JWT expired"), failure: .unauthorized(code: "PGRST303")),
    Case(status: 401, body: body("PGRST301", "JWT expired"), failure: .unauthorized(code: "PGRST301")),
    Case(status: 401, body: body("42501"), failure: .unauthorized(code: "42501")),
    Case(
      status: 401, body: body("PGRST303", "JWT issued at future"),
      failure: .unavailable(status: 401, code: "PGRST303", retryAfter: nil)),
    Case(
      status: 401, body: #"{"message":"Invalid API key","hint":"Double check"}"#,
      failure: .misconfigured(status: 401, code: "", message: "Invalid API key")),
    Case(
      status: 401, body: "", headers: ["Proxy-Status": "PostgREST; error=PGRST303"],
      failure: .unauthorized(code: "PGRST303")),
    Case(
      status: 401, body: "", headers: ["WWW-Authenticate": #"Bearer error="invalid_token", error_description="e""#],
      failure: .unauthorized(code: "invalid_token")),
    Case(status: 401, body: "<html></html>", failure: .unavailable(status: 401, code: "", retryAfter: nil)),
    Case(status: 402, body: "{}", failure: .unavailable(status: 402, code: "", retryAfter: nil)),
    Case(
      status: 403, body: body("42501", "new row violates row-level security policy"),
      failure: .rejected(status: 403, code: "42501", message: "new row violates row-level security policy")),
    Case(
      status: 403, body: body("42501", "permission denied for table events"),
      failure: .misconfigured(status: 403, code: "42501", message: "permission denied for table events")),
    Case(status: 403, body: "<html>Forbidden</html>", failure: .unavailable(status: 403, code: "", retryAfter: nil)),
    Case(
      status: 403, body: #"{"error":"forbidden","message":"blocked"}"#,
      failure: .unavailable(status: 403, code: "forbidden", retryAfter: nil)),
    Case(
      status: 400, body: body("waf_blocked"), failure: .unavailable(status: 400, code: "waf_blocked", retryAfter: nil)),
    Case(
      status: 422, body: body("1020"), headers: ["Retry-After": "9"],
      failure: .unavailable(status: 422, code: "1020", retryAfter: 9)),
    Case(status: 404, body: body("PGRST205"), failure: .misconfigured(status: 404, code: "PGRST205", message: "m")),
    Case(status: 404, body: "not found", failure: .misconfigured(status: 404, code: "", message: "")),
    Case(status: 408, body: "", failure: .unavailable(status: 408, code: "", retryAfter: nil)),
    Case(status: 409, body: body("23503"), failure: .unauthorized(code: "23503")),
    Case(status: 409, body: body("23505"), failure: .rejected(status: 409, code: "23505", message: "m")),
    Case(status: 409, body: body("40P01"), failure: .unavailable(status: 409, code: "40P01", retryAfter: nil)),
    Case(status: 413, body: "<html></html>", failure: .tooLarge(status: 413)),
    Case(status: 413, body: #"{"message":"Request size limit exceeded"}"#, failure: .tooLarge(status: 413)),
    Case(status: 413, body: body("1020"), failure: .tooLarge(status: 413)),
    Case(status: 414, body: "", failure: .tooLarge(status: 414)),
    Case(status: 413, body: body("54000"), failure: .rejected(status: 413, code: "54000", message: "m")),
    Case(
      status: 413, body: body("request_entity_too_large"),
      failure: .rejected(status: 413, code: "request_entity_too_large", message: "m")),
    Case(
      status: 429, body: "", headers: ["Retry-After": "30"],
      failure: .unavailable(status: 429, code: "", retryAfter: 30)),
    Case(
      status: 429, body: "{}", headers: ["Retry-After": "-5"],
      failure: .unavailable(status: 429, code: "", retryAfter: nil)),
    Case(
      status: 429, body: "[]", headers: ["Retry-After": "Fri, 31 Dec 1999 23:59:59 GMT"],
      failure: .unavailable(status: 429, code: "", retryAfter: nil)),
    Case(status: 500, body: body("57014"), failure: .unavailable(status: 500, code: "57014", retryAfter: nil)),
    Case(
      status: 503, body: body("PGRST001"), headers: ["Retry-After": "7"],
      failure: .unavailable(status: 503, code: "PGRST001", retryAfter: 7)),
    Case(status: 521, body: "<html></html>", failure: .unavailable(status: 521, code: "", retryAfter: nil)),
    Case(status: 540, body: "", failure: .unavailable(status: 540, code: "", retryAfter: nil)),
  ]

  @Test(arguments: cases) func mapsFailuresOfAnInsert(it: Case) async {
    let project = Project(it.status, it.body, it.headers)
    let rows = [OutgoingRow(Event.sample), OutgoingRow(Event.sample)]
    let result = await failure { () throws(ServiceFailure) in try await project.events.insert(rows, token: access) }
    #expect(result == it.failure)
  }

  @Test func lostRequestsAreUnreachable() async {
    let reset = Project { $1.reset() }
    #expect(
      await failure { () throws(ServiceFailure) in try await reset.events.head(token: access).count }
        == .unreachable(detail: "connection_lost"))
    let cut = Project { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[")
      connection.close()
    }
    #expect(
      await failure { () throws(ServiceFailure) in try await cut.events.rows(after: nil, limit: 9, token: access) }
        == .unreachable(detail: "connection_lost"))
    reset.server.stop()
    #expect(
      await failure { () throws(ServiceFailure) in try await reset.events.head(token: access).count }
        == .unreachable(detail: "no_connection"))
  }
}

extension Event {
  static var sample: Event {
    Event(
      .leafCreated(.init(leafID: "leaf", twigID: "twig", name: "n")), at: Instant(milliseconds: 0),
      clientID: "1970-01-01T00:00:00.000Z-00000000")
  }
}
