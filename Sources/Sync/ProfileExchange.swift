import Garden
import GardenStore

/// How far a run has come with the profile of the account.
struct ProfileProgress {
  /// The server was asked, or has told with new tokens.
  var isFetched = false
  /// The `uptime` before which a service that can't is left alone.
  var restsUntil: Int64 = 0
  /// What the service will not do: asked for once a run. Empty for fetching.
  var refused: Profile.Values?

  /// Milliseconds; as often as a service is asked at most that can't take events.
  static let rest: Int64 = 300_000

  func mayTry(_ changes: Profile.Values, at uptime: Int64) -> Bool { uptime >= restsUntil && refused != changes }
}

/// The profile of the account. It travels beside the events, and keeps none of them from travelling.
extension SyncEngine {
  /// Sends what was changed here. Without changes the server is asked once in a run: what another device changes later
  /// comes with the next tokens, and no sync costs a request more.
  func exchangeProfile() async {
    guard let profiles else { return }
    var changes: Profile.Values = [:]
    do throws(SyncProblem) {
      if let values = await keeper.takeProfile() { try await keep(values) }
      changes = try await keptProfile().unsent
      guard !changes.isEmpty || !profile.isFetched, profile.mayTry(changes, at: clock.uptime) else { return }
      let values = try await authorized { [changes] token throws(ServiceFailure) in
        changes.isEmpty
          ? try await profiles.profile(token: token) : try await profiles.change(profile: changes, token: token)
      }
      // New tokens that came meanwhile may tell of a time before.
      _ = await keeper.takeProfile()
      try await keep(values, sent: changes)
    } catch {
      status.profileFailure = error
      switch error {
      case .service(.sessionEnded), .vault, .store: break
      case _ where error.isTransient: profile.restsUntil = clock.uptime + ProfileProgress.rest
      default: profile.refused = changes
      }
    }
  }

  /// Whether a sync would tell the server something new of the user.
  func hasProfileToSend() async throws(StoreError) -> Bool {
    guard profiles != nil else { return false }
    let changes = Profile(text: try await store.value(.profile)).unsent
    return !changes.isEmpty && profile.mayTry(changes, at: clock.uptime)
  }

  private func keptProfile() async throws(SyncProblem) -> Profile {
    try await inStore { store throws(StoreError) in Profile(text: try await store.value(.profile)) }
  }

  private func keep(_ values: Profile.Values, sent: Profile.Values = [:]) async throws(SyncProblem) {
    try await inStore { [clears] store throws(StoreError) in
      if let clears, try await store.clearCount() != clears { throw .cleared }
      try await store.change(.profile) { text in
        var profile = Profile(text: text)
        profile.confirm(values, sent: sent)
        return profile.text
      }
    }
    profile.isFetched = true
    status.profileFailure = nil
  }
}
