import ArgumentParser
import TrunkModel

/// A day, which begins at 06:00, or an instant.
enum Since: ExpressibleByArgument {
  case day(Day)
  case instant(Instant)

  init?(argument: String) {
    if let instant = Instant(argument) {
      self = .instant(instant)
    } else if let noon = Instant(argument + "T12:00:00Z") {
      self = .day(Zone.utc.local(noon).day)
    } else {
      return nil
    }
  }

  func instant(in zone: Zone) -> Instant {
    switch self {
    case .day(let day): zone.start(of: day)
    case .instant(let instant): instant
    }
  }
}
