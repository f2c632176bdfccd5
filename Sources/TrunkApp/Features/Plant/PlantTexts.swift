import Localization
import TrunkKit
import TrunkModel

extension Ground {
  /// What this ground means, and its cost.
  var meaning: String {
    switch self {
    case .fertile: tr("Fertile: it comes easily, and you have time and help. Costs the least, gains the least.")
    case .firm: tr("Firm: it takes effort, but you know how.")
    case .barren: tr("Barren: it is hard, and far from what you do now. Costs the most, gains the most.")
    }
  }
}

extension Garden.History {
  /// The results of earlier sprouts with this season and ground, in a sentence.
  var sentence: String {
    guard planted > 0 else { return tr("Your first sprout with this season on this ground.") }
    let start = trn(
      "You have planted {n} sprout like this before", "You have planted {n} sprouts like this before", planted)
    guard harvested > 0, let usualResult else { return tr("{start}; none has been harvested yet.", ["start": start]) }
    return trn(
      "{start}: {n} harvested, “{result}”.", "{start}: {n} harvested, mostly “{result}”.", harvested,
      ["start": start, "result": Formats.result(usualResult)])
  }
}

extension Garden {
  /// Why a sprout can't be planted now, and when it can.
  func sentence(_ affordability: Affordability, cost: Double, now: Instant) -> String {
    let cost = Formats.shortSoil(cost)
    switch affordability {
    case .now: return ""
    case .later(let instant) where instant <= now:
      return tr(
        "This needs {cost} soil, but only {available} is free. Harvest ready sprouts to free enough soil.",
        ["cost": cost, "available": Formats.soil(available)])
    case .later(let instant):
      return tr(
        "This needs {cost} soil, but only {available} is free. With daily care you will have enough around {date}.",
        ["cost": cost, "available": Formats.soil(available), "date": Formats.dayAndMonth(zone.local(instant).day)])
    case .beyondCapacity:
      return tr(
        "This needs {cost} soil, but you have only {capacity} in all. Choose a shorter season or easier ground first: every harvest makes your soil grow.",
        ["cost": cost, "capacity": Formats.soil(capacity)])
    }
  }
}
