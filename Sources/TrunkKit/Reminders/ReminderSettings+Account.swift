import TrunkModel

/// The account's object `notifications`, which the other clients read and write too. Members that Trunk doesn't know,
/// such as `channel`, are never changed.
extension ReminderSettings {
  private enum Member {
    static let frequency = "check_in_frequency"
    static let time = "preferred_time"
    static let harvest = "notify_harvest_ready"
    static let sun = "notify_shine_available"
  }

  /// Adopts the account's choices. A missing member, or one with an unknown value, changes nothing.
  mutating func adopt(_ notifications: JSON?) {
    if let text = notifications?[Member.frequency]?.text {
      frequency = Frequency.allCases.first { $0.accountName == text } ?? frequency
    }
    if let text = notifications?[Member.time]?.text { time = Time(rawValue: text) ?? time }
    if case .bool(let isOn)? = notifications?[Member.harvest] { includesHarvest = isOn }
    if case .bool(let isOn)? = notifications?[Member.sun] { includesSun = isOn }
  }

  /// The members to write after a change: those that differ from `before`, and those that the account lacks, so that
  /// the other clients don't use their defaults there.
  /// - Returns: an empty array if the change concerns this computer only.
  public func members(changedFrom before: ReminderSettings, in notifications: JSON?) -> [JSON.Member] {
    guard members != before.members else { return [] }
    return zip(members, before.members).filter { new, old in
      new != old || notifications?[new.name.decoded] == nil
    }.map(\.0)
  }

  private var members: [JSON.Member] {
    [
      .init(Member.frequency, .string(frequency.accountName)), .init(Member.time, .string(time.rawValue)),
      .init(Member.harvest, .bool(includesHarvest)), .init(Member.sun, .bool(includesSun)),
    ]
  }
}

extension ReminderSettings.Frequency {
  fileprivate var accountName: String { self == .everyThreeDays ? "every3days" : rawValue }
}

extension Settings {
  /// When Trunk reminds: the choices of the account, if it has them, in place of those in the preferences.
  public func reminders(in profile: Profile) -> ReminderSettings {
    var reminders = reminders
    reminders.adopt(profile[.notifications])
    return reminders
  }
}
