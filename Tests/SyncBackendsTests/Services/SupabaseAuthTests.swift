import FaultServer
import SyncEngine
import Testing
import TrunkModel

@testable import SyncBackends

@Suite struct SupabaseAuthTests {
  private static let session =
    #"{"access_token":"\#(token(subject: user))","token_type":"bearer","expires_in":3600,"expires_at":1770000000,"#
    + #""refresh_token":"abcdefghijkl","user":{"id":"\#(user)","email":"ada@example.org","identities":null}}"#

  @Test func signsInByCode() async throws {
    let project = Project { request, connection in
      connection.json(request.path.hasSuffix("/verify") ? Self.session : "{}")
    }
    try await project.auth.requestCode(email: "ada@example.org")
    let grant = try await project.auth.verify(email: "ada@example.org", code: "123456")
    #expect(
      grant
        == Grant(
          accessToken: token(subject: user), refreshToken: "abcdefghijkl", userID: user, email: "ada@example.org",
          expiresIn: 3600))
    let requests = project.server.requests
    #expect(requests.map(\.target) == ["/auth/v1/otp", "/auth/v1/verify"])
    #expect(try JSON(requests[0].text)["email"]?.text == "ada@example.org")
    #expect(
      try JSON(requests[1].text).canonicalText
        == #"{"email":"ada@example.org","token":"123456","type":"email"}"#)
    for request in requests {
      #expect(request.method == "POST" && request.headers["apikey"] == "publishable")
      #expect(request.headers["authorization"] == nil)
      #expect(request.headers["x-supabase-api-version"] == "2024-01-01")
      #expect(request.headers["content-type"] == "application/json")
    }
    // A request that uses up a code gets its own connection, so that it is never sent twice.
    #expect(Set(requests.map(\.connection)).count == 2)
  }

  @Test func theProfileIsPartOfTheUser() async throws {
    let project = Project { request, connection in
      connection.json(#"{"id":"\#(user)","user_metadata":{"full_name":"Ada","timezone":5,"phone":"1"}}"#)
    }
    let values: Profile.Values = [.name: .string("Ada"), .timeZone: .number(5)]
    #expect(try await project.auth.profile(token: access) == values)
    #expect(try await project.auth.change(profile: [.name: .string("Ada"), .timeZone: .null], token: access) == values)
    let requests = project.server.requests
    #expect(requests.map(\.method) == ["GET", "PUT"])
    for request in requests {
      #expect(request.target == "/auth/v1/user" && request.headers["apikey"] == "publishable")
      #expect(request.headers["authorization"] == "Bearer \(access.text)")
    }
    #expect(requests[0].text.isEmpty)
    #expect(try JSON(requests[1].text).compactText == #"{"data":{"full_name":"Ada","timezone":null}}"#)
  }

  @Test(arguments: [#"{"id":"another user","user_metadata":{"full_name":"Eve"}}"#, "{}", "<html></html>"])
  func anotherUsersProfileIsRejected(body: String) async throws {
    let project = Project(200, body)
    let result = await failure { () throws(ServiceFailure) in try await project.auth.profile(token: access) }
    #expect(result == .unintelligible(detail: "not the user"))
  }

  @Test func missingSessionFieldsComeFromTheToken() async throws {
    let bare = Project(200, #"{"access_token":"\#(token(subject: user, lifetime: 900))","refresh_token":"r"}"#)
    let grant = try await bare.auth.refresh("old")
    #expect(grant.userID == user && grant.email == "ada@example.org" && grant.expiresIn == 900)
    #expect(bare.server.requests[0].target == "/auth/v1/token?grant_type=refresh_token")
    #expect(try JSON(bare.server.requests[0].text).compactText == #"{"refresh_token":"old"}"#)
    for value in ["1e300", "-5", "\"x\"", "99999999999999999999"] {
      let odd = Project(
        200, #"{"access_token":"\#(token(subject: user))","refresh_token":"r","expires_in":\#(value)}"#)
      let expiresIn = try await odd.auth.refresh("old").expiresIn
      #expect((0...(30 * 86_400)).contains(expiresIn))
    }
  }

  @Test(arguments: [
    (
      400, #"{"code":"refresh_token_not_found","message":"m"}"#,
      ServiceFailure.sessionEnded(code: "refresh_token_not_found")
    ),
    (400, #"{"code":400,"error_code":"session_not_found","msg":"m"}"#, .sessionEnded(code: "session_not_found")),
    (
      400, #"{"error":"invalid_grant","error_description":"Invalid Refresh Token"}"#,
      .sessionEnded(code: "invalid_grant")
    ),
    (400, #"{"code":"refresh_token_already_used","message":"m"}"#, .sessionEnded(code: "refresh_token_already_used")),
    (400, #"{"code":"validation_failed","message":"m"}"#, .sessionEnded(code: "validation_failed")),
    (403, #"{"code":"user_banned","message":"m"}"#, .sessionEnded(code: "user_banned")),
    (400, #"{"code":"bad_json","message":"m"}"#, .rejected(status: 400, code: "bad_json", message: "m")),
    (400, "<html></html>", .unavailable(status: 400, code: "", retryAfter: nil)),
    (401, #"{"message":"Invalid API key"}"#, .misconfigured(status: 401, code: "", message: "Invalid API key")),
    (409, #"{"code":"conflict","message":"m"}"#, .unavailable(status: 409, code: "conflict", retryAfter: nil)),
    (
      409, #"{"code":"session_not_found","message":"m"}"#,
      .unavailable(status: 409, code: "session_not_found", retryAfter: nil)
    ),
    (
      429, #"{"code":"over_request_rate_limit","message":"m"}"#,
      .unavailable(status: 429, code: "over_request_rate_limit", retryAfter: nil)
    ),
    (
      500, #"{"code":"session_not_found","message":"m"}"#,
      .unavailable(status: 500, code: "session_not_found", retryAfter: nil)
    ),
    (503, "", .unavailable(status: 503, code: "", retryAfter: nil)),
    (302, "", .unavailable(status: 302, code: "redirect", retryAfter: nil)),
    (200, "<html>Sign in to the hotel</html>", .unintelligible(detail: "not a session")),
    (200, "{}", .unintelligible(detail: "not a session")),
    (200, #"{"access_token":"a.b.c","refresh_token":""}"#, .unintelligible(detail: "not a session")),
  ])
  func onlyADefiniteErrorEndsASession(status: Int, body: String, expected: ServiceFailure) async {
    let project = Project(status, body)
    #expect(await failure { () throws(ServiceFailure) in try await project.auth.refresh("old") } == expected)
  }

  @Test(arguments: [
    (
      429,
      #"{"code":"over_email_send_rate_limit","message":"For security purposes, you can only request this after 42 seconds."}"#,
      [:], SignInFailure.tooMany(seconds: 42)
    ),
    (429, #"{"code":"over_email_send_rate_limit","message":"email rate limit exceeded"}"#, [:], .tooMany(seconds: nil)),
    (429, "", ["Retry-After": "17"], .tooMany(seconds: 17)),
    (429, "", ["Retry-After": "9223372036854775807"], .tooMany(seconds: 86_400)),
    (429, "", ["Retry-After": "-9223372036854775808"], .tooMany(seconds: nil)),
    (
      429, #"{"code":"over_email_send_rate_limit","message":"only after 9223372036854775807 seconds"}"#, [:],
      .tooMany(seconds: 86_400)
    ),
    (422, #"{"code":"otp_disabled","message":"m"}"#, [:], .signUpsDisabled),
    (422, #"{"code":422,"error_code":"signup_disabled","msg":"m"}"#, [:], .signUpsDisabled),
    (400, #"{"code":"validation_failed","message":"m"}"#, [:], .invalidAddress),
    (400, #"{"code":"email_address_invalid","message":"m"}"#, [:], .invalidAddress),
    (
      500, #"{"code":"unexpected_failure","message":"Error sending"}"#, [:],
      .service(.unavailable(status: 500, code: "unexpected_failure", retryAfter: nil))
    ),
    (
      401, #"{"message":"No API key found in request"}"#, [:],
      .service(.misconfigured(status: 401, code: "", message: "No API key found in request"))
    ),
    (200, "<html>Sign in to the hotel</html>", [:], .service(.unintelligible(detail: "not JSON"))),
  ])
  func mapsFailuresOfCodeRequests(status: Int, body: String, headers: [String: String], expected: SignInFailure) async {
    let project = Project(status, body, headers)
    #expect(
      await failure { () throws(SignInFailure) in try await project.auth.requestCode(email: "a@b.c") } == expected)
  }

  @Test(arguments: [
    (403, #"{"code":"otp_expired","message":"Token has expired or is invalid"}"#, SignInFailure.wrongCode),
    (401, #"{"code":401,"msg":"Token has expired or is invalid"}"#, .wrongCode),
    (429, #"{"code":"over_request_rate_limit","message":"Request rate limit reached"}"#, .tooMany(seconds: nil)),
    (429, #"{"code":"address_locked","message":"m"}"#, .locked(seconds: nil)),
    (429, #"{"code":429,"error_code":"address_locked","msg":"m"}"#, .locked(seconds: nil)),
    (403, #"{"code":"user_banned","message":"m"}"#, .service(.sessionEnded(code: "user_banned"))),
    (504, "<html></html>", .answerLost),
    (200, #"{"access_token":"#, .service(.unintelligible(detail: "not JSON"))),
    (200, #"{"user":{}}"#, .answerLost),
    (503, "", .service(.unavailable(status: 503, code: "", retryAfter: nil))),
  ])
  func mapsFailuresOfVerification(status: Int, body: String, expected: SignInFailure) async {
    let project = Project(status, body)
    #expect(
      await failure { () throws(SignInFailure) in try await project.auth.verify(email: "a@b.c", code: "1") } == expected
    )
    #expect(project.server.requests.count == 1)
  }

  @Test func aLostAnswerIsNotAWrongCode() async {
    let project = Project { _, connection in connection.reset() }
    #expect(
      await failure { () throws(SignInFailure) in try await project.auth.verify(email: "a@b.c", code: "1") }
        == .answerLost)
    #expect(project.server.requests.count == 1)
    project.server.stop()
    #expect(
      await failure { () throws(SignInFailure) in try await project.auth.verify(email: "a@b.c", code: "1") }
        == .service(.unreachable(detail: "no_connection")))
  }

  @Test func signOutEndsOnlyThisSession() async {
    let project = Project { $1.answer(204) }
    #expect(await failure { () throws(ServiceFailure) in try await project.auth.signOut(token: access) } == nil)
    #expect(project.server.requests[0].target == "/auth/v1/logout?scope=local")
    #expect(project.server.requests[0].headers["authorization"] == "Bearer " + access.text)
    for (status, body, expected) in [
      (403, #"{"code":"session_not_found","message":"m"}"#, nil),
      (403, #"{"code":"bad_jwt","message":"m"}"#, .unauthorized(code: "bad_jwt")),
      (200, "<html></html>", .unintelligible(detail: "not JSON")),
    ] as [(Int, String, ServiceFailure?)] {
      let project = Project(status, body)
      #expect(await failure { () throws(ServiceFailure) in try await project.auth.signOut(token: access) } == expected)
    }
  }
}
