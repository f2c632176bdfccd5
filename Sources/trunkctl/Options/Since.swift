import ArgumentParser
import TrunkModel

/// A day, which begins at 06:00, or an instant.
enum Since: ExpressibleByArgument {
  case day(Day)
  case instant(Instant)

  init?(argument: String) {
    if let instant = Instant(argument) {
      self = .instant(instant)
    } else if let day = Day(argument: argument) {
      self = .day(day)
    } else {
      return nil
    }
  }

  /// The instant before which nothing is included. Where it was written, a day begins up to 14 hours before that of
  /// UTC.
  var earliest: Instant {
    switch self {
    case .day(let day): Zone.utc.start(of: day).adding(seconds: -14 * 3600)
    case .instant(let instant): instant
    }
  }

  /// Whether something of this time is included. A day is that of the place where it was written.
  func includes(_ time: EventTime) -> Bool {
    switch self {
    case .day(let day): time.day >= day
    case .instant(let instant): time.instant >= instant
    }
  }
}
