import ServerProcess
import Testing
import TrunkModel

@testable import TrunkServer

/// A row for the table in a client's format.
func row(_ session: ServerProcess.Session, _ clientID: String, payload: String = #"{"a":1.50}"#) -> String {
  #"{"user_id":"\#(session.userID)","type":"sprout-planted","payload":\#(payload),"client_id":"\#(clientID)","#
    + #""client_timestamp":"2026-02-09T14:32:07.123Z"}"#
}

/// The code of an error response.
private func code(_ answer: ServerProcess.Response) throws -> String? { try answer.json()["code"]?.text }

@Suite struct TableRequestTests {
  let server: ServerProcess
  let me: ServerProcess.Session

  init() async throws {
    server = try await ServerProcess()
    me = try await server.signIn("me@example.org")
  }

  private func insert(_ body: String, _ query: String = "", prefer: String = "return=representation") async throws
    -> ServerProcess.Response
  {
    try await server.request(
      "POST", "/rest/v1/events\(query)", json: body, token: me.accessToken, headers: ["Prefer": prefer])
  }

  private func get(_ query: String, headers: [String: String] = [:]) async throws -> ServerProcess.Response {
    try await server.request("GET", "/rest/v1/events?\(query)", token: me.accessToken, headers: headers)
  }

  private func clientIDs(_ answer: ServerProcess.Response) throws -> [String] {
    try #require(try answer.json().elements).compactMap { $0["client_id"]?.text }
  }

  @Test func rowsOfABatchGetTheirOwnInstantsAndComeBackAsTheyWere() async throws {
    let stored = try await insert("[\(row(me, "a")),\(row(me, "b", payload: #"{"t":"é\u00e9","n":[1.0,null]}"#))]")
    #expect(stored.status == 201)
    let rows = try #require(try stored.json().elements)
    #expect(rows.count == 2)
    let created = try #require(rows[0]["created_at"]?.text)
    let next = try #require(rows[1]["created_at"]?.text)
    #expect(try #require(Microseconds(created)) < #require(Microseconds(next)))
    #expect(created.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{0,5}[1-9])?\+00:00/) != nil, "\(created)")
    let read = try await get("select=*&order=created_at.asc,id.asc")
    #expect(read.status == 200)
    #expect(Set(try #require(try read.json().elements)) == Set(rows))
    #expect(read.headers["content-range"] == "0-1/*")
    #expect(rows[1]["payload"]?.compactText == #"{"t":"é\u00e9","n":[1.0,null]}"#)
    let silent = try await insert(row(me, "c"), prefer: "return=minimal")
    #expect(silent.status == 201 && silent.text == "" && silent.headers["content-range"] == "*/*")
  }

  @Test func aSecondRowWithTheSameClientIDIsRejectedOrSkipped() async throws {
    #expect(try await insert(row(me, "a")).status == 201)
    let again = try await insert("[\(row(me, "b")),\(row(me, "a"))]")
    #expect(again.status == 409)
    let body = try again.json()
    #expect(body["code"]?.text == "23505")
    #expect(body["message"]?.text?.contains("events_user_id_client_id_key") == true)
    #expect(body["details"]?.text == "Key (user_id, client_id)=(\(me.userID), a) already exists.")
    #expect(try clientIDs(await get("select=client_id")) == ["a"], "all or nothing")

    let prefer = "resolution=ignore-duplicates,return=representation"
    let mixed = try await insert(
      "[\(row(me, "a")),\(row(me, "b")),\(row(me, "b"))]", "?on_conflict=client_id", prefer: prefer)
    #expect(mixed.status == 201)
    #expect(try clientIDs(mixed) == ["b"])
    for target in ["user_id,client_id", "client_id,user_id"] {
      let skipped = try await insert(row(me, "a"), "?on_conflict=\(target)", prefer: prefer)
      #expect(skipped.status == 201 && skipped.text == "[]", "\(target)")
    }
    #expect(try await insert(row(me, "a"), prefer: prefer).status == 409, "without a target the key is the id")
    let bad = try await insert(row(me, "a"), "?on_conflict=type,client_id", prefer: prefer)
    #expect(bad.status == 400)
    #expect(try code(bad) == "42P10")
  }

  @Test func usersCannotReadOrChangeOthersRows() async throws {
    #expect(try await insert(row(me, "mine")).status == 201)
    let other = try await server.signIn("other@example.org")
    let theirs = try await server.request("GET", "/rest/v1/events?user_id=eq.\(me.userID)", token: other.accessToken)
    #expect(theirs.status == 200 && theirs.text == "[]")
    let forged = try await server.request(
      "POST", "/rest/v1/events", json: row(me, "forged"), token: other.accessToken)
    #expect(forged.status == 403)
    #expect(try code(forged) == "42501")
    let deleted = try await server.request(
      "DELETE", "/rest/v1/events?user_id=eq.\(me.userID)", token: other.accessToken, headers: ["Prefer": "count=exact"])
    #expect(deleted.status == 204)
    #expect(deleted.headers["content-range"] == "*/0")
    #expect(try clientIDs(await get("select=client_id")) == ["mine"])
    let anonymous = try await server.request("GET", "/rest/v1/events")
    #expect(anonymous.status == 401)
    #expect(try code(anonymous) == "42501")
    let updated = try await server.request(
      "PATCH", "/rest/v1/events?client_id=eq.mine", json: #"{"type":"x"}"#, token: me.accessToken)
    #expect(try code(updated) == "42501")
  }

  @Test func pagesByKeysetRangeAndLimit() async throws {
    let ids = (0..<1200).map { "e\($0)" }
    for part in [ids[..<600], ids[600...]] {
      let body = "[" + part.map { row(me, $0, payload: "{}") }.joined(separator: ",") + "]"
      #expect(try await insert(body, prefer: "return=minimal").status == 201)
    }
    let first = try await get("select=*&order=created_at.asc,id.asc&limit=5000")
    var rows = try #require(try first.json().elements)
    #expect(rows.count == 1000, "the page limit")
    #expect(first.status == 200 && first.headers["content-range"] == "0-999/*")
    let last = try #require(rows.last)
    let created = try #require(last["created_at"]?.text).replacing("+", with: "%2B")
    let id = try #require(last["id"]?.text)
    let keyset = "or=(created_at.gt.\(created),and(created_at.eq.\(created),id.gt.\(id)))&order=created_at.asc,id.asc"
    rows += try #require(try await get(keyset + "&limit=1000").json().elements)
    #expect(Set(rows.compactMap { $0["client_id"]?.text }) == Set(ids))
    #expect(rows.count == 1200)

    let counted = try await get("select=id&order=id&limit=10", headers: ["Prefer": "count=exact"])
    #expect(counted.status == 206 && counted.headers["content-range"] == "0-9/1200")
    let head = try await server.request(
      "HEAD", "/rest/v1/events?select=id", token: me.accessToken, headers: ["Prefer": "count=exact"])
    #expect(head.status == 206 && head.headers["content-range"] == "0-999/1200" && head.text == "")
    let range = try await get("order=id", headers: ["Range": "1190-1300"])
    #expect(range.headers["content-range"] == "1190-1199/*")
    let endless = try await get("order=id", headers: ["Range": "1190-9223372036854775807"])
    #expect(endless.headers["content-range"] == "1190-1199/*")
    let beyond = try await get("offset=1201", headers: ["Prefer": "count=exact"])
    #expect(beyond.status == 416)
    #expect(try code(beyond) == "PGRST103")
    let none = try await get("type=eq.nothing", headers: ["Prefer": "count=exact"])
    #expect(none.status == 200 && none.headers["content-range"] == "*/0" && none.text == "[]")
  }

  @Test func filtersSelectRows() async throws {
    let body = "[\(row(me, "a,b")),\(row(me, "c)d")),\(row(me, "e"))]"
    let stored = try #require(try await insert(body).json().elements)
    let created = try #require(stored[0]["created_at"]?.text).replacing("+00:00", with: "Z")
    for (query, expected) in [
      ("client_id=in.(%22a,b%22,%22c)d%22)", ["a,b", "c)d"]), ("client_id=eq.a,b", ["a,b"]),
      ("client_id=neq.e&client_id=not.eq.a,b", ["c)d"]), ("created_at=gte.\(created)", ["a,b", "c)d", "e"]),
      ("created_at=gt.\(created)", ["c)d", "e"]), ("created_at=lt.\(created)", []),
      ("client_timestamp=is.null", []), ("and=(client_id.eq.e,type.eq.sprout-planted)", ["e"]),
      ("or=(client_id.eq.e,not.and(created_at.gte.\(created),client_id.neq.e))", ["e"]),
      ("id=eq.\(stored[1]["id"]?.text?.uppercased() ?? "")", ["c)d"]), ("not.or=(client_id.eq.e)", ["a,b", "c)d"]),
      ("client_id=in.()", []),
    ] {
      let answer = try await get(query + "&select=client_id&order=client_id.asc.nullsfirst")
      #expect(answer.status == 200, "\(query): \(answer.text)")
      #expect(try clientIDs(answer).sorted() == expected.sorted(), "\(query)")
    }
    let columns = try await get("select=type,%22id%22&limit=1").json().elements?.first?.members
    #expect(columns?.map(\.name.decoded) == ["type", "id"])
  }

  @Test(arguments: [
    ("created_at=gt.2026-02-09T14:32:07.123456+00:00", 400, "22007"), ("id=eq.five", 400, "22P02"),
    ("colour=eq.red", 400, "42703"), ("select=colour", 400, "42703"), ("type=is.bigger", 400, "PGRST100"),
    ("order=payload", 400, "PGRST100"), ("or=(type.eq.a", 400, "PGRST100"), ("limit=-1", 416, "PGRST103"),
    ("type=resembles.a", 400, "PGRST100"), ("order=created_at.desc.nullsfirst.nullslast", 400, "PGRST100"),
    ("order=client_id.asc.desc", 400, "PGRST100"), ("order=client_id.nullslast.desc", 400, "PGRST100"),
    ("order=client_id.", 400, "PGRST100"), ("select=client_id::text", 400, "PGRST100"),
    ("select=name:client_id", 400, "PGRST100"), ("select=count()", 400, "PGRST100"),
    ("select=id.count()", 400, "PGRST100"), ("select=id,users(email)", 400, "PGRST100"),
    ("select=payload->>content", 400, "PGRST100"), ("order=payload->n", 400, "PGRST100"),
    ("id::text=eq.a", 400, "PGRST100"), ("users.email=eq.a", 400, "PGRST100"),
    ("or=(payload->>n.eq.1)", 400, "PGRST100"), ("or=(id::text.eq.1)", 400, "PGRST100"),
  ])
  func badQueriesAreRejected(query: String, status: Int, expected: String) async throws {
    let answer = try await get(query)
    #expect(answer.status == status, "\(answer.text)")
    #expect(try code(answer) == expected)
    #expect(answer.headers["proxy-status"] == "PostgREST; error=\(expected)")
  }

  @Test(arguments: ["select=client_id::text", "select=a:id", "select=id.max()", "select=users(id)", "or=(a::b.eq.1)"])
  func otherSyntaxOfPostgRESTIsNamed(query: String) async throws {
    let answer = try await get(query)
    #expect(try answer.json()["message"]?.text?.hasSuffix("is not supported by this server") == true, "\(answer.text)")
  }

  @Test func functionsAreNotSupported() async throws {
    let answer = try await server.request("POST", "/rest/v1/rpc/total", json: "{}", token: me.accessToken)
    #expect(answer.status == 404)
    #expect(try code(answer) == "PGRST202")
    #expect(try answer.json()["details"]?.text == "functions are not supported by this server")
  }

  @Test func badBodiesAreRejected() async throws {
    let user = #""user_id":"\#(me.userID)""#
    for (body, status, expected) in [
      ("", 400, "PGRST102"), ("{", 400, "PGRST102"), ("5", 400, "PGRST102"),
      ("[{\(user),\"type\":\"a\",\"payload\":{}},{\(user),\"payload\":{}}]", 400, "PGRST102"),
      ("{\(user),\"payload\":{}}", 400, "23502"), ("{\(user),\"type\":\"a\",\"payload\":null}", 400, "23502"),
      ("{\(user),\"type\":\"a\",\"payload\":{},\"colour\":1}", 400, "PGRST204"),
      ("{\(user),\"type\":\"a\",\"payload\":{},\"id\":\"5\"}", 400, "22P02"),
      (#"{\#(user),"type":"a","payload":{"t":"x\u0000"}}"#, 400, "22P05"),
      (#"{\#(user),"type":"a","payload":{"t":"x\ud83d"}}"#, 400, "22P02"),
      (#"{\#(user),"type":"a","payload":{"t":"\ud83d\ud83d\ude00"}}"#, 400, "22P02"),
      (#"{\#(user),"type":"a","payload":{"\ude00":1}}"#, 400, "22P02"),
      (#"{\#(user),"type":"\udc00","payload":{}}"#, 400, "22P02"),
      (#"{\#(user),"type":"a","payload":{"n":1e131072}}"#, 400, "22003"),
      (#"{\#(user),"type":"a","payload":{"n":[1.5E-16383]}}"#, 400, "22003"),
      (#"{\#(user),"type":"a","payload":{"n":1e99999999999999999999}}"#, 400, "22003"),
      (#"{"type":"a","payload":{}}"#, 403, "42501"),
    ] {
      let answer = try await insert(body)
      #expect(answer.status == status, "\(body): \(answer.text)")
      #expect(try code(answer) == expected, "\(body)")
    }
    #expect(try await insert(#"{\#(user),"type":"a","payload":{"t":"\\u0000"}}"#).status == 201, "an escaped backslash")
    #expect(try await insert(#"{\#(user),"type":"\ud83d\ude00","payload":{"n":-1.25e300}}"#).status == 201, "a pair")
    #expect(try await get("select=type").json().elements?.count == 2)
  }

  @Test func negatedConditionsExcludeNulls() async throws {
    let user = #""user_id":"\#(me.userID)","payload":{}"#
    #expect(
      try await insert(
        #"[{\#(user),"type":"a","client_id":"x"},{\#(user),"type":"b","client_id":null},"#
          + #"{\#(user),"type":"c","client_id":"y"}]"#
      ).status == 201)
    for (query, expected) in [
      ("client_id=not.eq.x", "c"), ("client_id=not.in.(x)", "c"),
      ("not.or=(client_id.eq.x)", "c"), ("client_id=not.is.null", "a,c"),
      ("or=(client_id.not.eq.x,type.eq.b)", "b,c"), ("not.and=(client_id.eq.x,type.eq.a)", "b,c"),
    ] {
      let types = try await get(query + "&select=type&order=type").json().elements?.compactMap { $0["type"]?.text }
      #expect(types?.joined(separator: ",") == expected, "\(query)")
    }
  }

  @Test func deletingRequiresAFilter() async throws {
    _ = try await insert("[\(row(me, "a")),\(row(me, "b"))]")
    let all = try await server.request("DELETE", "/rest/v1/events", token: me.accessToken)
    #expect(all.status == 400)
    #expect(try code(all) == "21000")
    let one = try await server.request(
      "DELETE", "/rest/v1/events?client_id=eq.a", token: me.accessToken, headers: ["Prefer": "return=representation"])
    #expect(try clientIDs(one) == ["a"])
    let rest = try await server.request(
      "DELETE", "/rest/v1/events?user_id=eq.\(me.userID)", token: me.accessToken, headers: ["Prefer": "count=exact"])
    #expect(rest.status == 204 && rest.headers["content-range"] == "*/1" && rest.text == "")
  }
}
