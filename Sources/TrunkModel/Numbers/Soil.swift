/// The numbers of the garden's economy, shared by all clients.
public enum Soil {
  public static let startingCapacity = 10.0
  public static let maximumCapacity = 120.0
  public static let waterGain = 0.05
  public static let sunGain = 0.35
  /// Waterings per reset day, and reflections per week.
  public static let waterings = 3
  public static let suns = 1

  /// The soil that planting takes from the available soil.
  public static func cost(_ season: Season, _ ground: Ground) -> Double {
    let costs: [Double] =
      switch season {
      case .twoWeeks: [2, 3, 4]
      case .oneMonth: [3, 5, 6]
      case .threeMonths: [5, 8, 10]
      case .sixMonths: [8, 12, 16]
      case .oneYear: [12, 18, 24]
      }
    return switch ground {
    case .fertile: costs[0]
    case .firm: costs[1]
    case .barren: costs[2]
    }
  }

  /// How much a harvest increases the capacity: less the nearer it is to its maximum. Not rounded.
  /// - Parameters:
  ///   - result: 1…5.
  ///   - capacity: the capacity before the harvest.
  public static func capacityGained(
    _ season: Season, _ ground: Ground, result: Int, capacity: Double
  ) -> Double {
    let base =
      switch season {
      case .twoWeeks: 0.26
      case .oneMonth: 0.56
      case .threeMonths: 1.95
      case .sixMonths: 4.16
      case .oneYear: 8.84
      }
    let hardness =
      switch ground {
      case .fertile: 1.1
      case .firm: 1.75
      case .barren: 2.4
      }
    let room = max(0, 1 - capacity / maximumCapacity)
    return base * hardness * multiplier(result: result) * (room * room.squareRoot())
  }

  /// The value of a result of 1…5.
  public static func multiplier(result: Int) -> Double {
    let multipliers = [0.4, 0.55, 0.7, 0.85, 1.0]
    return multipliers[min(max(result, 1), 5) - 1]
  }

  /// The soil that uprooting returns: a quarter of the cost.
  public static func returned(uprooting cost: Double) -> Double { cost * 0.25 }

  /// Rounds half up to two decimals. Applied to the available soil at each step, never to the capacity.
  public static func round2(_ value: Double) -> Double { (value * 100 + 0.5).rounded(.down) / 100 }
}
