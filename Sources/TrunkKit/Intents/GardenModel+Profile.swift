import EventStore
import TrunkModel

extension GardenModel {
  /// Changes a value of the account's profile and updates everything that depends on it, such as the days.
  /// - Parameter text: `nil` removes it.
  public func set(_ text: String?, for key: Profile.Key) async throws {
    try await inTurn { [self] in
      try await store.change(.profile) { stored in
        var profile = Profile(text: stored)
        profile.set(text, for: key)
        return profile.text
      }
      now = clock.now()
      try await applyNewEvents()
    }
  }
}
