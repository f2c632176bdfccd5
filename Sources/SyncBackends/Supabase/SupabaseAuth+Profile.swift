import SyncEngine
import TrunkModel

/// The user's profile: the object `user_metadata`, whose top-level keys the service merges.
extension SupabaseAuth: ProfileService {
  func profile(token: AccessToken) async throws(ServiceFailure) -> Profile.Values {
    try await profile(request("user", nil, .get, token: token), token)
  }

  func change(profile changes: Profile.Values, token: AccessToken) async throws(ServiceFailure) -> Profile.Values {
    let body = JSON.object([.init("data", Profile.object(changes))])
    return try await profile(request("user", body, .put, token: token), token)
  }

  private func profile(_ request: HTTPRequest, _ token: AccessToken) async throws(ServiceFailure) -> Profile.Values {
    let response = try await client.answer(request)
    guard response.isSuccess else { throw Self.failure(response) }
    guard let user = response.object, user["id"]?.text == token.userID else {
      throw .unintelligible(detail: "not the user")
    }
    return Profile.values(in: user["user_metadata"])
  }
}

/// The profile through the plain interface, where the object is the whole body.
extension TrunkAuth: ProfileService {
  func profile(token: AccessToken) async throws(ServiceFailure) -> Profile.Values {
    try await profile(TrunkAPI.request(.get, base + "profile", token: token))
  }

  func change(profile changes: Profile.Values, token: AccessToken) async throws(ServiceFailure) -> Profile.Values {
    try await profile(TrunkAPI.request(.put, base + "profile", Profile.object(changes), token: token))
  }

  private func profile(_ request: HTTPRequest) async throws(ServiceFailure) -> Profile.Values {
    let response = try await client.answer(request)
    guard response.isSuccess else { throw TrunkAPI.failure(response, SupabaseAuth.failure) }
    guard let profile = response.object else { throw .unintelligible(detail: "not a profile") }
    return Profile.values(in: profile)
  }
}
