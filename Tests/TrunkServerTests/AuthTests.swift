import ServerProcess
import Testing
import TrunkModel

private let newForm = ["X-Supabase-Api-Version": "2024-01-01"]

@Suite struct AuthTests {
  let server: ServerProcess

  init() async throws {
    server = try await ServerProcess()
  }

  private func refresh(_ token: String, headers: [String: String] = newForm) async throws -> ServerProcess.Response {
    try await server.request(
      "POST", "/auth/v1/token?grant_type=refresh_token", json: #"{"refresh_token":"\#(token)"}"#, headers: headers)
  }

  @Test func aCodeOpensOneSession() async throws {
    #expect(try await server.request("POST", "/auth/v1/otp", json: #"{"email":"A@Example.org"}"#).text == "{}")
    let code = try await server.code(for: "a@example.org")
    #expect(code.wholeMatch(of: /[0-9]{6}/) != nil)
    let body = #"{"type":"email","email":"a@example.org","token":"\#(code)"}"#
    let answer = try await server.request("POST", "/auth/v1/verify", json: body)
    #expect(answer.status == 200)
    let session = try answer.json()
    #expect(session["token_type"]?.text == "bearer")
    #expect(session["expires_in"]?.double == 3600)
    #expect(session["user"]?["email"]?.text == "a@example.org")
    let again = try await server.request("POST", "/auth/v1/verify", json: body, headers: newForm)
    #expect(again.status == 403)
    #expect(again.headers["x-supabase-api-version"] == "2024-01-01")
    #expect(try again.json()["code"]?.text == "otp_expired")
    let old = try await server.request("POST", "/auth/v1/verify", json: body)
    #expect(try old.json()["error_code"]?.text == "otp_expired")
    #expect(try old.json()["code"]?.double == 403)
    #expect(try old.json()["msg"]?.text == "Token has expired or is invalid")
  }

  @Test func tokensRotate() async throws {
    let session = try await server.signIn("a@example.org")
    let second = try await refresh(session.refreshToken).json()
    let token = try #require(second["refresh_token"]?.text)
    #expect(token != session.refreshToken)
    #expect(second["user"]?["id"]?.text == session.userID)
    // A client that lost the response asks again and gets the valid token.
    #expect(try await refresh(session.refreshToken).json()["refresh_token"]?.text == token)
    let unknown = try await refresh(String(token.dropLast()) + (token.hasSuffix("A") ? "B" : "A"))
    #expect(unknown.status == 400)
    #expect(try unknown.json()["code"]?.text == "refresh_token_not_found")
    #expect(try await refresh("abcdefghijkl").json()["code"]?.text == "refresh_token_not_found")
  }

  @Test func aLostRefreshCanBeRepeatedButAnOlderTokenEndsTheSession() async throws {
    let strict = try await ServerProcess(arguments: ["--rate-limit", "off", "--reuse-window", "0"])
    for (path, field) in [
      ("/auth/v1/token?grant_type=refresh_token", "refresh_token"),
      ("/api/auth/refresh", "refreshToken"),
    ] {
      func renew(_ token: String) async throws -> ServerProcess.Response {
        try await strict.request("POST", path, json: #"{"\#(field)":"\#(token)"}"#, headers: newForm)
      }
      func token(_ answer: ServerProcess.Response) throws -> String { try #require(answer.json()[field]?.text) }
      let first = try await field == "refresh_token" ? strict.signIn("a@example.org").refreshToken : ownToken(strict)
      let second = try await token(renew(first))
      #expect(try await token(renew(first)) == second)
      let third = try await token(renew(second))
      #expect(try await token(renew(second)) == third)
      let late = try await renew(first)
      #expect(late.status == 400)
      #expect(try late.json()["code"]?.text == "refresh_token_already_used")
      #expect(try await renew(third).json()["code"]?.text == "refresh_token_not_found")
    }
  }

  /// Signs in through the server's own interface.
  private func ownToken(_ server: ServerProcess) async throws -> String {
    _ = try await server.request("POST", "/api/auth/request-code", json: #"{"email":"b@example.org"}"#)
    let code = try await server.code(for: "b@example.org")
    let answer = try await server.request(
      "POST", "/api/auth/verify-code", json: #"{"email":"b@example.org","code":"\#(code)"}"#)
    return try #require(answer.json()["refreshToken"]?.text)
  }

  @Test func theUserKeepsWhatClientsStore() async throws {
    let session = try await server.signIn("a@example.org")
    func put(_ data: String) async throws -> JSON? {
      try await server.request("PUT", "/auth/v1/user", json: #"{"data":\#(data)}"#, token: session.accessToken)
        .json()["user_metadata"]
    }
    #expect(try await put(#"{"name":"A","deep":{"x":1,"y":2}}"#)?["deep"]?["x"]?.double == 1)
    #expect(try await put(#"{"name":null,"deep":{"y":3}}"#)?.compactText == #"{"deep":{"y":3}}"#)
    let user = try await server.request("GET", "/auth/v1/user", token: session.accessToken).json()
    #expect(user["user_metadata"]?.compactText == #"{"deep":{"y":3}}"#)
    #expect(user["id"]?.text == session.userID)
  }

  @Test func signingOutEndsSessionsByScope() async throws {
    let first = try await server.signIn("a@example.org")
    let second = try await server.signIn("a@example.org")
    let third = try await server.signIn("a@example.org")
    func signOut(_ session: ServerProcess.Session, _ scope: String) async throws -> Int {
      try await server.request("POST", "/auth/v1/logout?scope=\(scope)", token: session.accessToken).status
    }
    #expect(try await signOut(first, "unknown") == 400)
    #expect(try await signOut(first, "local") == 204)
    #expect(try await refresh(first.refreshToken).status == 400)
    let gone = try await server.request("GET", "/auth/v1/user", token: first.accessToken, headers: newForm)
    #expect(gone.status == 403)
    #expect(try gone.json()["code"]?.text == "session_not_found")
    #expect(try await signOut(first, "global") == 403, "an ended session can't end the others")
    #expect(try await signOut(second, "others") == 204)
    #expect(try await refresh(third.refreshToken).status == 400)
    #expect(try await refresh(second.refreshToken).status == 200)
    #expect(try await signOut(second, "global") == 204)
    #expect(try await refresh(second.refreshToken).status == 400)
  }

  @Test func keysAndTokensAreChecked() async throws {
    let session = try await server.signIn("a@example.org")
    let wrong = try await server.request(
      "GET", "/rest/v1/events", token: session.accessToken, headers: ["apikey": "wrong"])
    #expect(wrong.status == 401)
    #expect(try wrong.json()["message"]?.text == "Invalid API key")
    #expect(try wrong.json()["code"] == nil)
    var parts = session.accessToken.split(separator: ".").map(String.init)
    parts[1] = String(parts[1].dropLast(4)) + "AAAA"
    for (token, status) in [
      (parts.joined(separator: "."), 401), ("x.y.z", 401), ("trunk", 401), ("eyJhbGciOiJub25lIn0.e30.", 401),
    ] {
      #expect(try await server.request("GET", "/rest/v1/events", token: token).status == status, "\(token)")
    }
    let bad = try await server.request("GET", "/auth/v1/user", token: "x.y.z", headers: newForm)
    #expect(bad.status == 403)
    #expect(try bad.json()["code"]?.text == "bad_jwt")
    let none = try await server.request("GET", "/auth/v1/user", headers: newForm)
    #expect(none.status == 401)
    #expect(try none.json()["code"]?.text == "no_authorization")
  }

  @Test func eachInterfaceReportsExpiredTokens() async throws {
    let brief = try await ServerProcess(arguments: ["--rate-limit", "off", "--access-token-life", "1"])
    let session = try await brief.signIn("a@example.org")
    var answer = try await brief.request("GET", "/rest/v1/events", token: session.accessToken)
    while answer.status == 200 {
      answer = try await brief.request("GET", "/rest/v1/events", token: session.accessToken)
    }
    #expect(answer.status == 401)
    #expect(try answer.json()["code"]?.text == "PGRST303")
    #expect(try answer.json()["message"]?.text == "JWT expired")
    let user = try await brief.request("GET", "/auth/v1/user", token: session.accessToken, headers: newForm)
    #expect(user.status == 403)
    #expect(try user.json()["code"]?.text == "bad_jwt")
  }

  @Test(arguments: [
    "", "no address", "a@b@example.org", "a@\u{301}b.org@example.org", "a b@example.org",
    "a@example.org\\r\\nBcc: x@example.org",
  ])
  func invalidAddressesAreRejected(email: String) async throws {
    let answer = try await server.request(
      "POST", "/auth/v1/otp", json: #"{"email":"\#(email)"}"#, headers: newForm)
    #expect(answer.status == 400)
    #expect(try answer.json()["code"]?.text == "validation_failed")
  }
}
