import TrunkModel

/// When Trunk reminds, and of what.
public struct ReminderSettings: Equatable, Sendable {
  /// How often a watering is mentioned, if there was none.
  public enum Frequency: String, CaseIterable, Sendable {
    case off, daily, everyThreeDays = "every-3-days", weekly

    /// The number of days from one reminder to the next; `nil` if a watering is never mentioned.
    var days: Int32? {
      switch self {
      case .off: nil
      case .daily: 1
      case .everyThreeDays: 3
      case .weekly: 7
      }
    }
  }

  /// The time of day. The timer in `data/trunk-reminder.timer` starts at these hours, see `Reminder.hours`.
  public enum Time: String, CaseIterable, Sendable {
    case morning, afternoon, evening

    /// On the computer's clock.
    public var hour: Int {
      switch self {
      case .morning: 9
      case .afternoon: 14
      case .evening: 19
      }
    }
  }

  /// Whether this computer shows reminders. This is never shared with other devices.
  public var isOn = false
  /// Other clients have the same defaults.
  public var frequency = Frequency.weekly
  public var time = Time.morning
  /// An exact time that replaces `time` on this computer, in minutes since midnight; `nil` for none. Other clients know
  /// only the three times of day, so it is never shared.
  public var minute: Int?
  /// Whether a sprout that has become ready is mentioned.
  public var includesHarvest = true
  /// Whether the week's reflection is mentioned, at the weekend.
  public var includesSun = true
  /// Whether notifications show nothing that the user wrote.
  public var hidesText = false

  public init() {}

  /// When the day's reminder comes, in seconds since midnight on the computer's clock.
  var second: Int64 { minute.map { Int64($0) * 60 } ?? Int64(time.hour) * 3600 }

  /// `07:30` for 450 minutes since midnight.
  public static func text(minute: Int) -> String {
    func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return two(minute / 60) + ":" + two(minute % 60)
  }

  /// The minutes since midnight of `07:30` or `7:30`; `nil` for anything else.
  public static func minute(_ text: String) -> Int? {
    let parts = text.trimmed.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 2,
      parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }
}

extension Settings {
  public var reminders: ReminderSettings {
    var reminders = ReminderSettings()
    let frequency = text("reminders", "frequency").flatMap(ReminderSettings.Frequency.init)
    // Earlier versions had no switch: a frequency other than `off` turned reminders on.
    reminders.isOn = text("reminders", "on").map { $0 == "true" } ?? (frequency ?? .off != .off)
    if let frequency, frequency != .off || text("reminders", "on") != nil { reminders.frequency = frequency }
    reminders.time = text("reminders", "time").flatMap(ReminderSettings.Time.init) ?? reminders.time
    reminders.minute = text("reminders", "at").flatMap(ReminderSettings.minute)
    reminders.includesHarvest = text("reminders", "harvest") != "false"
    reminders.includesSun = text("reminders", "sun") != "false"
    reminders.hidesText = text("privacy", "hide-text") == "true"
    return reminders
  }

  public func set(reminders: ReminderSettings) throws {
    try set(
      "reminders",
      [
        "on": "\(reminders.isOn)", "frequency": reminders.frequency.rawValue, "time": reminders.time.rawValue,
        "at": reminders.minute.map(ReminderSettings.text) ?? "",
        "harvest": "\(reminders.includesHarvest)", "sun": "\(reminders.includesSun)",
      ])
    try set("privacy", ["hide-text": "\(reminders.hidesText)"])
  }
}
