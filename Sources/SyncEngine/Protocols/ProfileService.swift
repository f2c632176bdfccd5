import TrunkModel

/// The account's profile. Every call is one request, limited to the user of the token.
public protocol ProfileService: Sendable {
  func profile(token: AccessToken) async throws(ServiceFailure) -> Profile.Values

  /// Changes only the given keys.
  /// - Parameter changes: `null` removes a key.
  /// - Returns: the profile after the change.
  /// - Throws: `rejected` if the service can't store the profile.
  func change(profile changes: Profile.Values, token: AccessToken) async throws(ServiceFailure) -> Profile.Values
}
