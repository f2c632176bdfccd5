import SyncEngine
import TrunkModel

/// Signs in at Supabase (GoTrue) with a code sent by email.
final class SupabaseAuth: AuthService {
  let client: HTTPClient
  private let project: SupabaseProject

  init(client: HTTPClient, project: SupabaseProject) {
    self.client = client
    self.project = project
  }

  func requestCode(email: String) async throws(SignInFailure) {
    let body = JSON.object([.init("email", .string(email)), .init("create_user", .bool(true))])
    let response: HTTPResponse
    do throws(ServiceFailure) {
      response = try await client.answer(request("otp", body, isRepeatable: false))
    } catch {
      throw .service(error)
    }
    guard response.isSuccess else { throw Self.signInFailure(response) }
    // A proxy's web page doesn't confirm that an email was sent.
    guard response.object != nil else { throw .service(.unintelligible(detail: "not JSON")) }
  }

  func verify(email: String, code: String) async throws(SignInFailure) -> Grant {
    // The type `email` works for new and existing users.
    let body = JSON.object([
      .init("type", .string("email")), .init("email", .string(email)), .init("token", .string(code)),
    ])
    let response = try await client.signInAnswer(request("verify", body, isRepeatable: false))
    guard response.isSuccess else { throw Self.signInFailure(response) }
    guard let json = response.object else { throw .service(.unintelligible(detail: "not JSON")) }
    guard let grant = Grant(supabase: json) else { throw .answerLost }
    return grant
  }

  func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant {
    let body = JSON.object([.init("refresh_token", .string(refreshToken))])
    let response = try await client.renewalAnswer(request("token?grant_type=refresh_token", body))
    guard response.isSuccess else {
      let failure = Self.failure(response)
      // Here this means that the text is not a refresh token.
      if case .rejected(_, "validation_failed", _) = failure { throw .sessionEnded(code: "validation_failed") }
      throw failure
    }
    guard let grant = response.object.flatMap({ Grant(supabase: $0) }) else {
      throw .unintelligible(detail: "not a session")
    }
    return grant
  }

  func signOut(token: AccessToken) async throws(ServiceFailure) {
    let response = try await client.answer(request("logout?scope=local", nil, token: token))
    guard !response.isSuccess else {
      guard response.status == 204 || response.object != nil else { throw .unintelligible(detail: "not JSON") }
      return
    }
    let failure = Self.failure(response)
    if case .sessionEnded = failure { return }
    throw failure
  }

  func request(
    _ path: String, _ body: JSON?, _ method: HTTPRequest.Method = .post, token: AccessToken? = nil,
    isRepeatable: Bool = true
  ) -> HTTPRequest {
    HTTPRequest(
      method, project.server + "/auth/v1/" + path,
      headers: project.headers(token) + [
        ("Content-Type", "application/json"), ("X-Supabase-Api-Version", "2024-01-01"),
      ],
      body: body.map { Array($0.compactText.utf8) }, isRepeatable: isRepeatable)
  }
}

extension SupabaseAuth {
  /// The only codes that end a session. All other errors may be temporary: another device may have been faster, the
  /// gateway may be down, a key may be about to change.
  private static let endings: Set = [
    "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired", "user_banned",
    "user_not_found", "invalid_grant",
  ]

  static func failure(_ response: HTTPResponse) -> ServiceFailure {
    let error = ErrorBody(response)
    switch response.status {
    case 400, 401, 403, 404, 422:
      if endings.contains(error.code) { return .sessionEnded(code: error.code) }
      if ["bad_jwt", "no_authorization"].contains(error.code) { return .unauthorized(code: error.code) }
    case 409: return response.unavailable(error.code)
    default: break
    }
    return response.generalFailure(error) ?? .rejected(response.status, error)
  }

  static func signInFailure(_ response: HTTPResponse) -> SignInFailure {
    let error = ErrorBody(response)
    switch error.code {
    case "address_locked": return .locked(seconds: response.retryAfter)
    case _ where response.status == 429, "over_email_send_rate_limit", "over_request_rate_limit":
      return .tooMany(seconds: error.secondsToWait ?? response.retryAfter)
    case "otp_expired": return .wrongCode
    case "otp_disabled", "signup_disabled", "email_provider_disabled": return .signUpsDisabled
    case "validation_failed", "email_address_invalid": return .invalidAddress
    case _ where [400, 401, 403].contains(response.status) && error.message.hasSuffix("expired or is invalid"):
      return .wrongCode
    default: break
    }
    return .service(failure(response))
  }
}

extension HTTPClient {
  /// Sends a request that uses up a refresh token. The server accepts the token again for 10 seconds, so a
  /// request without a response is repeated within this time. Both attempts together take no longer than any other
  /// request.
  func renewalAnswer(_ request: HTTPRequest) async throws(ServiceFailure) -> HTTPResponse {
    var first = request
    first.limits.total = 4000
    do throws(HTTPFailure) {
      return try await send(first)
    } catch {
      guard [.timedOut, .connectionLost].contains(error) else { throw ServiceFailure(error) }
    }
    var second = request
    second.limits.total -= first.limits.total
    return try await answer(second)
  }

  /// Sends a request that uses up a code. If the code may have arrived without a response, throws `answerLost`.
  func signInAnswer(_ request: HTTPRequest) async throws(SignInFailure) -> HTTPResponse {
    let response: HTTPResponse
    do throws(HTTPFailure) {
      response = try await send(request)
    } catch {
      switch error {
      case .timedOut, .connectionLost, .tooLarge, .cancelled: throw .answerLost
      default: throw .service(ServiceFailure(error))
      }
    }
    // The gateway got no response from the service behind it.
    guard ![502, 504, 520, 522, 524, 544].contains(response.status) else { throw .answerLost }
    return response
  }
}

extension Grant {
  /// Reads a session from GoTrue.
  /// - Returns: `nil` if a required field is missing.
  init?(supabase json: JSON) {
    guard let accessToken = json["access_token"]?.text, let refreshToken = json["refresh_token"]?.text else {
      return nil
    }
    self.init(
      accessToken: accessToken, refreshToken: refreshToken, userID: json["user"]?["id"]?.text,
      email: json["user"]?["email"]?.text, seconds: json["expires_in"]?.double, usualSeconds: 3600,
      profile: json["user"]?["user_metadata"])
  }

  /// Takes missing fields from the token's claims.
  init?(
    accessToken: String, refreshToken: String, userID: String?, email: String?, seconds: Double?, usualSeconds: Int64,
    profile: JSON?
  ) {
    let claims = TokenClaims(accessToken)
    guard !accessToken.isEmpty, !refreshToken.isEmpty, let userID = userID ?? claims?.subject, !userID.isEmpty else {
      return nil
    }
    let expiresIn = seconds.flatMap { Int64(exactly: $0.rounded()) } ?? claims?.lifetime ?? usualSeconds
    self.init(
      accessToken: accessToken, refreshToken: refreshToken, userID: userID, email: email ?? claims?.email ?? "",
      expiresIn: min(max(expiresIn, 0), 30 * 86_400), profile: profile.map { Profile.values(in: $0) })
  }
}
