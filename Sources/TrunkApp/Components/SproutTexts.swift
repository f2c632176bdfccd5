import Localization
import TrunkKit
import TrunkModel

/// Sentences about a sprout.
enum SproutTexts {
  /// Its season and ground, and the time left: `3 months, firm · 34 days to go`.
  static func state(of sprout: Sprout, in garden: Garden, now: Instant) -> String {
    dotted([Formats.ground(sprout.season, sprout.ground), end(of: sprout, in: garden, now: now)])
  }

  /// Its planting and its end in one sentence: `Planted on 28 November, for one month, on fertile ground · harvest from
  /// 28 December`.
  static func story(of sprout: Sprout, in garden: Garden, now: Instant) -> String {
    func date(_ day: Day) -> String { Formats.dayAndYear(day, today: garden.zone.local(now).day) }
    let planted = tr(
      "Planted on {date}, for {season}, on {ground} ground",
      [
        "date": date(sprout.plantedAt.day), "season": Formats.seasonWord(sprout.season),
        "ground": Formats.groundWord(sprout.ground),
      ])
    let end =
      switch sprout.state {
      case .active: tr("harvest from {date}", ["date": date(garden.zone.local(sprout.harvestDue).day)])
      case .completed(let harvest): tr("harvested on {date}", ["date": date(harvest.at.day)])
      case .uprooted(let at, _): tr("uprooted on {date}", ["date": date(at.day)])
      }
    return dotted([planted, end])
  }

  /// The twig of a growing sprout, and the time until its harvest: `Voice · practice · 34 days to go`.
  static func placeAndTime(of sprout: Sprout, in garden: Garden, now: Instant) -> String {
    let time = timeToGo(sprout, in: garden, now: now)
    return tr("{place} · {time}", ["place": garden.path(ofTwig: sprout.twigID), "time": time])
  }

  /// `34 days to go`, or that it is ready.
  private static func timeToGo(_ sprout: Sprout, in garden: Garden, now: Instant) -> String {
    guard !sprout.isReady(at: now) else { return tr("ready to harvest") }
    return tr("{time} to go", ["time": garden.timeLeft(of: sprout, at: now)])
  }

  private static func end(of sprout: Sprout, in garden: Garden, now: Instant) -> String {
    switch sprout.state {
    case .active: return timeToGo(sprout, in: garden, now: now)
    case .completed(let harvest):
      return Formats.result(harvest.result) + ", " + Formats.date(harvest.at)
    case .uprooted(let at, _): return tr("uprooted on {date}", ["date": Formats.date(at)])
    }
  }
}
