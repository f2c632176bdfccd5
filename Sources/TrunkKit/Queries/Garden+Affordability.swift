import Localization
import TrunkModel

/// Forecasts to show before planting.
extension Garden {
  /// The results of earlier sprouts with a season and ground.
  public struct History: Sendable, Equatable {
    public var planted = 0
    public var harvested = 0
    public var uprooted = 0
    /// The most frequent result, the better one of a tie; `nil` without harvests.
    public var usualResult: Int?
  }

  public func history(_ season: Season, _ ground: Ground) -> History {
    var history = History()
    var results = [0, 0, 0, 0, 0]
    for sprout in sprouts where sprout.season == season && sprout.ground == ground {
      history.planted += 1
      switch sprout.state {
      case .active: break
      case .completed(let harvest):
        history.harvested += 1
        results[min(max(harvest.result, 1), 5) - 1] += 1
      case .uprooted: history.uprooted += 1
      }
    }
    if history.harvested > 0, let most = results.max() {
      history.usualResult = results.lastIndex(of: most).map { $0 + 1 }
    }
    return history
  }

  /// Whether and when a cost can be paid.
  public enum Affordability: Sendable, Equatable {
    case now
    /// The soil will suffice at this instant if the garden is watered daily, lit weekly and harvested on time.
    case later(Instant)
    /// The cost exceeds the capacity, which only harvests increase.
    case beyondCapacity
  }

  public func affordability(of cost: Double, at now: Instant) -> Affordability {
    if cost <= available { return .now }
    if cost > capacity { return .beyondCapacity }
    let missing = cost - available
    let dailyGain = Double(Soil.waterings) * Soil.waterGain + Soil.sunGain / 7
    /// When daily care has covered the soil still missing after the harvests return `returned`.
    func dateWithCare(after returned: Double) -> Instant {
      now.adding(seconds: Int64((max(0, missing - returned) / dailyGain * 86_400).rounded(.up)))
    }
    var best = dateWithCare(after: 0)
    var returned = 0.0
    for sprout in growing.sorted(by: { $0.harvestDue < $1.harvestDue }) {
      returned += sprout.soilCost
      best = min(best, max(dateWithCare(after: returned), sprout.harvestDue, now))
    }
    return .later(best)
  }

  /// The longest season that the free soil allows on fertile ground; `nil` if it allows none.
  public var longestSeason: Season? { Season.allCases.last { Soil.cost($0, .fertile) <= available } }

  /// What the free soil is good for, after some of it was given back; `nil` if it allows no sprout.
  public var roomSentence: String? {
    switch longestSeason {
    case .twoWeeks: tr("There is room again for a sprout of two weeks.")
    case .oneMonth: tr("There is room again for a sprout of one month.")
    case .threeMonths: tr("There is room again for a sprout of three months.")
    case .sixMonths: tr("There is room again for a sprout of six months.")
    case .oneYear: tr("There is room again for a sprout of one year.")
    case nil: nil
    }
  }

  /// The capacity that a harvest would add at today's capacity, for each result 1…5.
  public func capacityGains(_ season: Season, _ ground: Ground) -> [Double] {
    (1...5).map { Soil.capacityGained(season, ground, result: $0, capacity: capacity) }
  }
}
