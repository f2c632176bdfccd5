import Localization
import TrunkKit
import TrunkModel

/// Sentences about a sprout.
enum SproutTexts {
  /// Its season and ground, and the time left: `3 months, firm · 34 days to go`.
  static func state(of sprout: Sprout, in garden: Garden, now: Instant) -> String {
    dotted([Formats.ground(sprout.season, sprout.ground), end(of: sprout, in: garden, now: now)])
  }

  private static func end(of sprout: Sprout, in garden: Garden, now: Instant) -> String {
    switch sprout.state {
    case .active:
      guard !sprout.isReady(at: now) else { return tr("ready to harvest") }
      return tr("{time} to go", ["time": Formats.left(until: sprout.harvestDue, now: now)])
    case .completed(let harvest):
      return Formats.result(harvest.result) + ", " + Formats.date(harvest.at)
    case .uprooted(let at, _): return tr("uprooted on {date}", ["date": Formats.date(at)])
    }
  }
}
