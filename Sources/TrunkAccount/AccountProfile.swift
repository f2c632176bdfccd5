import Localization
import SyncEngine
import TrunkKit
import TrunkModel

/// The user's name, time zone and reminders. They belong to the account and are the same on every device. Without an
/// account, name and reminders come from this computer's preferences and the zone from its settings.
@MainActor
public struct AccountProfile {
  let accountModel: AccountModel

  private var account: Account? { accountModel.account }
  private var model: GardenModel { accountModel.model }
  private var settings: Settings { accountModel.settings }

  /// The user's name; empty if there is none. An account without a name uses the name from the preferences.
  public var name: String { model.userName(settings) }

  /// Whether the account has no name and the one from the preferences is used.
  public var isNameOfComputer: Bool {
    account != nil && model.profile[.name]?.text == nil && !settings.name.isEmpty
  }

  /// The name in the greeting. An account holds the full name, so only its first word is used.
  public var firstName: String {
    guard account != nil else { return settings.name }
    return name.split(separator: " ").first.map(String.init) ?? ""
  }

  /// Changes the name immediately. Other devices get it after the next upload.
  public func set(name: String) async throws {
    guard account != nil else { return try settings.set(name: name) }
    try await model.set(name.visibleLine, for: .name)
  }

  /// The name of the zone of events that name none; `nil` if each device uses its own zone.
  public var timeZone: String? {
    model.profile[.timeZone].map { $0.text ?? $0.compactText }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Whether this computer does not know the account's zone. It then uses its own zone and keeps the name unchanged.
  public var isTimeZoneUnknown: Bool { timeZone != nil && timeZone != model.garden.zones.fallback.identifier }

  /// - Parameter timeZone: a name of the tz database; `nil` lets each device use its own zone.
  public func set(timeZone: String?) async throws { try await model.set(timeZone, for: .timeZone) }

  /// When Trunk reminds. The account's choices override this computer's preferences.
  public var reminders: ReminderSettings { settings.reminders(in: model.profile) }

  /// Changes when Trunk reminds. The preferences keep it too, for a time without the account.
  public func changeReminders(_ change: (inout ReminderSettings) -> Void) async throws {
    let before = reminders
    var reminders = before
    change(&reminders)
    if account != nil {
      try await model.change(notifications: reminders.members(changedFrom: before, in: model.profile[.notifications]))
      // Other choices may have changed by now.
      reminders = self.reminders
      change(&reminders)
    }
    try settings.set(reminders: reminders)
  }

  /// Why other devices don't have this computer's changes of these values yet; `nil` without such changes or a problem.
  public func note(_ keys: Set<Profile.Key>) -> String? {
    guard model.profile.unsent.keys.contains(where: keys.contains) else { return nil }
    let status = accountModel.status
    if status.phase == .signedOut { return tr("Sign in again to send this to your other devices.") }
    switch status.profileFailure {
    case .service(.rejected), .service(.misconfigured), .service(.tooLarge):
      return tr("Saved on this computer only: the server rejected it.")
    case nil where [.synced, .syncing, .localOnly, .rejected, .remoteLoss].contains(status.phase): return nil
    default: return tr("Trunk will send this to your other devices when the server can be reached.")
    }
  }
}

extension AccountModel {
  public var profile: AccountProfile { AccountProfile(accountModel: self) }
}
