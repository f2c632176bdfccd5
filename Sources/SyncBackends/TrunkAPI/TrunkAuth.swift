import SyncEngine
import TrunkModel

/// Signs in through the plain interface.
final class TrunkAuth: AuthService {
  let client: HTTPClient
  let base: String

  init(client: HTTPClient, server: String) {
    self.client = client
    base = server + "/api/auth/"
  }

  func requestCode(email: String) async throws(SignInFailure) {
    var request = TrunkAPI.request(.post, base + "request-code", .object([.init("email", .string(email))]))
    request.isRepeatable = false
    let response: HTTPResponse
    do throws(ServiceFailure) { response = try await client.answer(request) } catch { throw .service(error) }
    guard response.isSuccess else { throw SupabaseAuth.signInFailure(response) }
    guard response.object?["success"] == .bool(true) else { throw .service(.unintelligible(detail: "no success")) }
  }

  func verify(email: String, code: String) async throws(SignInFailure) -> Grant {
    var request = TrunkAPI.request(
      .post, base + "verify-code", .object([.init("email", .string(email)), .init("code", .string(code))]))
    request.isRepeatable = false
    let response = try await client.signInAnswer(request)
    guard response.isSuccess else { throw SupabaseAuth.signInFailure(response) }
    guard let json = response.object else { throw .service(.unintelligible(detail: "not JSON")) }
    guard let grant = Grant(trunk: json) else { throw .answerLost }
    return grant
  }

  func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant {
    let body = JSON.object([.init("refreshToken", .string(refreshToken))])
    let response = try await client.renewalAnswer(TrunkAPI.request(.post, base + "refresh", body))
    guard response.isSuccess else { throw TrunkAPI.failure(response, SupabaseAuth.failure) }
    guard let grant = response.object.flatMap({ Grant(trunk: $0) }) else {
      throw .unintelligible(detail: "not a session")
    }
    return grant
  }

  func signOut(token: AccessToken) async throws(ServiceFailure) {
    let response = try await client.answer(TrunkAPI.request(.post, base + "logout", token: token))
    guard response.status != 204 else { return }
    guard !response.isSuccess else { throw .unintelligible(detail: "a sign-out with status \(response.status)") }
    let failure = TrunkAPI.failure(response, SupabaseAuth.failure)
    if case .sessionEnded = failure { return }
    throw failure
  }
}

extension Grant {
  /// Reads a session from Trunk's server. Missing fields are taken from the token.
  fileprivate init?(trunk json: JSON) {
    guard let accessToken = json["accessToken"]?.text, let refreshToken = json["refreshToken"]?.text else { return nil }
    self.init(
      accessToken: accessToken, refreshToken: refreshToken, userID: json["user"]?["id"]?.text,
      email: json["user"]?["email"]?.text, seconds: json["expiresIn"]?.double, usualSeconds: 900,
      profile: json["user"]?["profile"])
  }
}
