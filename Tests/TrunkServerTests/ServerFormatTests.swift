import ServerProcess
import Testing
import TrunkModel

/// Tests response formats other than a list of objects.
@Suite struct ServerFormatTests {
  let server: ServerProcess
  let me: ServerProcess.Session
  private static let object = "application/vnd.pgrst.object+json"

  init() async throws {
    server = try await ServerProcess()
    me = try await server.signIn("me@example.org")
  }

  private func request(
    _ method: String, _ query: String, _ body: String? = nil, headers: [String: String]
  ) async throws -> ServerProcess.Response {
    try await server.request(
      method, "/rest/v1/events?" + query, json: body, token: me.accessToken, headers: headers)
  }

  private func expectNotSingle(_ answer: ServerProcess.Response, _ rows: Int) throws {
    #expect(answer.status == 406)
    #expect(try answer.json()["code"]?.text == "PGRST116")
    #expect(try answer.json()["details"]?.text == "The result contains \(rows) rows")
  }

  @Test func anObjectIsExactlyOneRow() async throws {
    let headers = ["Accept": Self.object, "Prefer": "return=representation"]
    let stored = try await request("POST", "select=client_id", row(me, "a"), headers: headers)
    #expect(stored.status == 201 && stored.text == #"{"client_id":"a"}"#)
    #expect(stored.headers["content-type"]?.hasPrefix(Self.object) == true)
    try expectNotSingle(await request("POST", "", "[\(row(me, "b")),\(row(me, "c"))]", headers: headers), 2)
    #expect(try await request("POST", "", row(me, "b"), headers: [:]).status == 201, "was not stored before")

    let one = try await request("GET", "select=client_id&client_id=eq.a", headers: headers)
    #expect(one.status == 200 && one.text == #"{"client_id":"a"}"#)
    try expectNotSingle(await request("GET", "client_id=eq.x", headers: headers), 0)
    try expectNotSingle(await request("GET", "", headers: headers), 2)
    #expect(try await request("GET", "limit=1", headers: headers).status == 200)

    try expectNotSingle(await request("DELETE", "type=eq.sprout-planted", headers: headers), 2)
    let deleted = try await request("DELETE", "client_id=eq.a&select=client_id", headers: headers)
    #expect(deleted.status == 200 && deleted.text == #"{"client_id":"a"}"#)
    #expect(try await request("GET", "select=client_id", headers: [:]).text == #"[{"client_id":"b"}]"#)
  }

  @Test func csvIsQuotedLikeFieldsOfPostgreSQL() async throws {
    let body = #"[\#(row(me, "a,b", payload: #"{"t":"x\\y"}"#)),\#(row(me, "plain", payload: "5"))]"#
    #expect(try await request("POST", "", body, headers: [:]).status == 201)
    let answer = try await request("GET", "select=client_id,payload&order=created_at", headers: ["Accept": "text/csv"])
    #expect(answer.status == 200)
    #expect(answer.headers["content-type"] == "text/csv; charset=utf-8")
    #expect(answer.text == "client_id,payload\n\"a,b\",\"{\"\"t\"\":\"\"x\\\\\\\\y\"\"}\"\nplain,5")
    #expect(try await request("GET", "type=eq.x", headers: ["Accept": "text/csv"]).text == "")
  }

  @Test func otherTypesAndSchemasAreRejected() async throws {
    for accept in ["*/*", "application/json", "text/html, */*;q=0.5"] {
      #expect(try await request("GET", "", headers: ["Accept": accept]).text == "[]", "\(accept)")
    }
    for accept in ["text/html", "application/vnd.pgrst.object+json;nulls=stripped"] {
      let rejected = try await request("GET", "", headers: ["Accept": accept])
      #expect(rejected.status == 406, "\(accept)")
      #expect(try rejected.json()["code"]?.text == "PGRST107", "\(accept)")
    }
    #expect(try await request("GET", "", headers: ["Accept-Profile": "public"]).status == 200)
    for (method, header) in [("GET", "Accept-Profile"), ("POST", "Content-Profile"), ("DELETE", "Content-Profile")] {
      let rejected = try await request(
        method, "type=eq.a", method == "POST" ? row(me, "a") : nil, headers: [header: "auth"])
      #expect(rejected.status == 406, "\(method)")
      #expect(try rejected.json()["code"]?.text == "PGRST106", "\(method)")
    }
  }
}
