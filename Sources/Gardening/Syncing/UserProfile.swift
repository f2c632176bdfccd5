import Garden
import Localization
import Sync

/// The user's name and time zone: those of the account, the same on every device. Without an account the preferences of
/// this computer have the name, and its own zone counts.
extension Synchroniser {
  /// What the user is called; empty if they are not. Where the account says nothing, the preferences do.
  public var userName: String {
    guard account != nil, let name = gardener.profile[.name]?.text else { return settings.name }
    return name
  }

  /// The account has no name, and that of the preferences stands in.
  public var isNameOfComputer: Bool {
    account != nil && gardener.profile[.name]?.text == nil && !settings.name.isEmpty
  }

  /// What the greeting calls the user: in an account people give their whole name.
  public var firstName: String {
    guard account != nil else { return settings.name }
    return userName.split(separator: " ").first.map(String.init) ?? ""
  }

  /// Holds at once; the other devices hear of it when the server can be reached.
  public func set(userName: String) async throws {
    guard account != nil else { return try settings.set(name: userName) }
    try await gardener.set(userName, for: .name)
  }

  /// The name of the zone by which the days of the account are counted; `nil` if each device goes by its own.
  public var timeZone: String? {
    gardener.profile[.timeZone].map { $0.text ?? $0.compactText }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The account names a zone that this computer does not know. It goes by its own then, and leaves the name alone.
  public var isTimeZoneUnknown: Bool { timeZone != nil && timeZone != gardener.garden.zone.identifier }

  /// - Parameter timeZone: a name of the tz database; `nil` lets each device go by its own.
  public func set(timeZone: String?) async throws { try await gardener.set(timeZone, for: .timeZone) }

  /// Why other devices do not know yet what was changed here, in plain words; `nil` if they can.
  public var profileNote: String? {
    guard !gardener.profile.unsent.isEmpty else { return nil }
    if status.phase == .signedOut { return tr("Your other devices hear of it when you have signed in again.") }
    switch status.profileFailure {
    case let failure? where !failure.isTransient:
      return tr("Kept on this computer only: the server does not take it.")
    case nil where [.synced, .syncing, .localOnly, .rejected, .remoteLoss].contains(status.phase): return nil
    default: return tr("Your other devices hear of it when the server can be reached.")
    }
  }
}

extension Gardener {
  /// Changes what the account says of its user; the days and all that depends on them follow at once.
  /// - Parameter text: `nil` removes it.
  func set(_ text: String?, for key: Profile.Key) async throws {
    try await inTurn { [self] in
      try await store.change(.profile) { stored in
        var profile = Profile(text: stored)
        profile.set(text, for: key)
        return profile.text
      }
      now = clock.now()
      try await takeIn()
    }
  }
}
