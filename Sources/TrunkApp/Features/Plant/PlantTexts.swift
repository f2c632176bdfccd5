import Localization
import TrunkKit
import TrunkModel

extension Ground {
  /// What this ground means, and the part of the soil that it takes.
  func meaning(_ share: SoilShare) -> String {
    let share = ["share": share.words]
    return switch self {
    case .fertile: tr("It comes easily, and you have time and help. Takes {share} of your soil.", share)
    case .firm: tr("It takes effort, but you know how. Takes {share} of your soil.", share)
    case .barren:
      tr("It is hard, and far from what you do now. Takes {share} of your soil; a harvest deepens it most.", share)
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
  /// Why a sprout can't be planted now, and when it can; empty if it can.
  func sentence(_ affordability: Affordability, now: Instant) -> String {
    switch affordability {
    case .now: ""
    case .later(let instant) where instant <= now:
      tr("There isn’t enough free soil for this yet. A harvest of what is ready makes room.")
    case .later(let instant):
      tr(
        "There isn’t enough free soil for this yet. With daily care there is around {date}.",
        ["date": Formats.dayAndYear(instant, now: now, in: zone)])
    case .beyondCapacity:
      tr("This takes more than all your soil. Every harvest deepens it: begin with a shorter season or easier ground.")
    }
  }
}
