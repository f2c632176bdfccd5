import Garden
import Gardening
import Localization

extension Environment {
  /// What it is like to grow there, and what that is worth.
  var meaning: String {
    switch self {
    case .fertile: tr("Fertile: it comes easily, time and help are there. Costs the least, gains the least.")
    case .firm: tr("Firm: it takes an effort, and you know how.")
    case .barren: tr("Barren: hard, and far from what you do now. Costs the most, gains the most.")
    }
  }
}

extension Garden.History {
  /// How it went with this season and ground so far.
  var sentence: String {
    guard planted > 0 else { return tr("Your first sprout with this season on this ground.") }
    let start = trn("You planted {n} like this before", "You planted {n} like this before", planted)
    guard harvested > 0, let usualResult else { return tr("{start}; none is harvested yet.", ["start": start]) }
    return trn(
      "{start}: {n} harvested, “{result}”.", "{start}: {n} harvested, mostly “{result}”.", harvested,
      ["start": start, "result": Formats.result(usualResult)])
  }
}

extension Garden {
  /// Why something can't be planted, and when it could.
  func sentence(_ affordability: Affordability, cost: Double, now: Instant) -> String {
    let cost = Formats.shortSoil(cost)
    switch affordability {
    case .now: return ""
    case .later(let instant) where instant <= now:
      return tr(
        "This needs {cost} soil, and {available} is free. Harvest what is ready, and it is there.",
        ["cost": cost, "available": Formats.soil(available)])
    case .later(let instant):
      return tr(
        "This needs {cost} soil, and {available} is free. With daily care it is there around {date}.",
        ["cost": cost, "available": Formats.soil(available), "date": Formats.dayAndMonth(instant, in: zone)])
    case .beyondCapacity:
      return tr(
        "This needs {cost} soil, and your garden holds {capacity} in all. Harvests make it larger: start with a shorter season or gentler ground.",
        ["cost": cost, "capacity": Formats.soil(capacity)])
    }
  }
}
