import Localization
import TrunkModel

/// What a notification mentions.
public struct Reminder: Equatable, Sendable {
  public enum Subject: Equatable, Sendable {
    /// A due sprout, by its id.
    case water(String)
    /// A ready sprout, by its id.
    case harvest(String)
    /// The week's reflection.
    case sun
  }

  public let subject: Subject
  /// Whether the user may ask to see it again later: once only.
  public let canWait: Bool

  public init(_ subject: Subject, canWait: Bool = true) {
    (self.subject, self.canWait) = (subject, canWait)
  }

  /// The shortest time, in seconds, after which a postponed reminder returns.
  static let shortestDelay: Int64 = 3600
  /// The hours at which the timer starts the program, ascending. The last one is only for postponed reminders.
  static let hours = ReminderSettings.Time.allCases.map(\.hour) + [22]
}

extension Reminder {
  /// The sentence of the notification. It asks and never scolds: it says nothing about the time since the last entry.
  public func sentence(_ garden: Garden, at now: Instant, hidesText: Bool) -> String {
    if hidesText { return tr("A moment for your garden?") }
    func title(_ id: String) -> [String: String] { ["title": garden.sprout(id: id)?.title ?? ""] }
    switch subject {
    case .water(let id):
      let sentences = [
        tr("A few lines about “{title}”?", title(id)), tr("What is new with “{title}”?", title(id)),
        tr("“{title}” has room for a thought today.", title(id)),
      ]
      return sentences[Int(garden.zone.dayKey(now).number.magnitude) % sentences.count]
    case .harvest(let id): return tr("“{title}” is ready to harvest.", title(id))
    case .sun: return tr("The sun has a question for you this week.")
    }
  }

  /// The button that opens the dialog.
  public var buttonTitle: String {
    switch subject {
    case .water: tr("Water…")
    case .harvest: tr("Harvest…")
    case .sun: tr("Shine…")
    }
  }
}
