import EventStore
import TrunkModel

/// The state of the profile exchange in this run.
struct ProfileProgress {
  /// Whether the profile was fetched or arrived with new tokens.
  private(set) var isFetched = false
  /// The `uptime` before which the service gets no profile request after a temporary failure.
  private var pausedUntil: Int64 = 0
  /// The changes that the service rejected, which are not sent again in this run. Empty for a rejected fetch.
  private var rejected: Profile.Values?

  /// The pause after a temporary failure, in milliseconds.
  private static let pause: Int64 = 300_000

  func mayTry(_ changes: Profile.Values, at uptime: Int64) -> Bool { uptime >= pausedUntil && rejected != changes }

  fileprivate mutating func fetched() { isFetched = true }

  fileprivate mutating func failed(_ problem: SyncProblem, sending changes: Profile.Values, at uptime: Int64) {
    switch problem {
    case .service(.sessionEnded), .vault, .store: break
    case _ where problem.isTransient: pausedUntil = uptime + ProfileProgress.pause
    default: rejected = changes
    }
  }
}

/// The exchange of the account's profile. A failure does not stop the sync of events.
extension SyncEngine {
  /// Sends local changes. Without changes, it fetches the profile once per run, unless it only sends: later changes
  /// by other devices arrive with the next tokens, so that a sync costs no additional request.
  func exchangeProfile() async {
    guard let profiles else { return }
    var changes: Profile.Values = [:]
    do throws(SyncProblem) {
      if let values = await keeper.takeProfile() { try await storeProfile(values) }
      changes = try await storedProfile().unsent
      let isKnown = profile.isFetched || runs.demand.isSendOnly
      guard !changes.isEmpty || !isKnown, profile.mayTry(changes, at: clock.uptime) else { return }
      var values: Profile.Values = [:]
      // Another device may have changed members of the object that this request replaces.
      if changes.isEmpty || changes[.notifications] != nil {
        values = try await authorized { token throws(ServiceFailure) in try await profiles.profile(token: token) }
      }
      if !changes.isEmpty {
        let outgoing = Profile.outgoing(changes, over: values)
        values = try await authorized { token throws(ServiceFailure) in
          try await profiles.change(profile: outgoing, token: token)
        }
      }
      // A profile that arrived with new tokens during the request may be older.
      _ = await keeper.takeProfile()
      try await storeProfile(values, sent: changes)
    } catch {
      shown.set(profileFailure: error)
      profile.failed(error, sending: changes, at: clock.uptime)
    }
  }

  /// Whether a sync would send profile changes.
  func hasProfileToSend() async throws(StoreError) -> Bool {
    guard profiles != nil else { return false }
    let changes = Profile(text: try await store.value(.profile)).unsent
    return !changes.isEmpty && profile.mayTry(changes, at: clock.uptime)
  }

  /// Whether the server lacks a profile change, for any reason.
  func hasUnsentProfile() async throws(SyncProblem) -> Bool {
    guard profiles != nil else { return false }
    return try await !storedProfile().unsent.isEmpty
  }

  private func storedProfile() async throws(SyncProblem) -> Profile {
    try await inStore { store throws(StoreError) in Profile(text: try await store.value(.profile)) }
  }

  private func storeProfile(_ values: Profile.Values, sent: Profile.Values = [:]) async throws(SyncProblem) {
    try await inStore { [clears = clearGuard.clears] store throws(StoreError) in
      if let clears, try await store.clearCount() != clears { throw .cleared }
      try await store.change(.profile) { text in
        var profile = Profile(text: text)
        profile.confirm(values, sent: sent)
        return profile.text
      }
    }
    profile.fetched()
    shown.set(profileFailure: nil)
  }
}
