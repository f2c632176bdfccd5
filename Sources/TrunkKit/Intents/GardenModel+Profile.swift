import TrunkModel

extension GardenModel {
  /// Changes a value of the account's profile and updates everything that depends on it, such as the days.
  /// - Parameter text: `nil` removes it.
  public func set(_ text: String?, for key: Profile.Key) async throws {
    try await changeProfile { $0.set(text, for: key) }
  }

  /// Changes members of the account's object `notifications`.
  public func change(notifications members: [JSON.Member]) async throws {
    guard !members.isEmpty else { return }
    try await changeProfile { $0.change(notifications: members) }
  }

  private func changeProfile(_ change: @escaping @Sendable (inout Profile) -> Void) async throws {
    try await inTurn { [self] in
      try await store.change(.profile) { stored in
        var profile = Profile(text: stored)
        change(&profile)
        return profile.text
      }
      now = clock.now()
      try await applyNewEvents()
    }
  }
}
