import Localization
import TrunkModel

/// The part of the soil that a sprout takes, in words: people compare shares of earth, not numbers.
public enum SoilShare: CaseIterable, Sendable {
  case veryLittle, tenth, fifth, quarter, third, half, twoThirds, threeQuarters, nearlyAll

  /// The word for a share, 0…1: the nearest of the fractions, between “very little” and “nearly all”.
  public init(_ share: Double) {
    if share < 0.07 {
      self = .veryLittle
    } else if share >= 0.85 {
      self = .nearlyAll
    } else {
      self =
        SoilShare.allCases.dropFirst().dropLast().min { abs($0.fraction - share) < abs($1.fraction - share) } ?? .half
    }
  }

  private var fraction: Double {
    switch self {
    case .veryLittle: 0
    case .tenth: 0.1
    case .fifth: 0.2
    case .quarter: 0.25
    case .third: 1 / 3
    case .half: 0.5
    case .twoThirds: 2 / 3
    case .threeQuarters: 0.75
    case .nearlyAll: 1
    }
  }

  /// The words, as they stand in front of “of your soil”.
  public var words: String {
    switch self {
    case .veryLittle: trc("of your soil", "very little")
    case .tenth: trc("of your soil", "about a tenth")
    case .fifth: trc("of your soil", "about a fifth")
    case .quarter: trc("of your soil", "about a quarter")
    case .third: trc("of your soil", "about a third")
    case .half: trc("of your soil", "about half")
    case .twoThirds: trc("of your soil", "about two thirds")
    case .threeQuarters: trc("of your soil", "about three quarters")
    case .nearlyAll: trc("of your soil", "nearly all")
    }
  }
}

extension Garden {
  /// The part of the whole soil that a cost is, in words.
  public func soilShare(of cost: Double) -> SoilShare { SoilShare(capacity > 0 ? cost / capacity : 1) }

  /// How many more sprouts of the same cost there is free soil for, after one was planted.
  public func room(afterPlantingFor cost: Double) -> Int {
    guard cost > 0, available >= cost else { return 0 }
    return Int(((available - cost) / cost + 1e-9).rounded(.down))
  }

  /// How many more sprouts of the same cost there is room for, in a sentence.
  public func roomSentence(afterPlantingFor cost: Double) -> String {
    switch room(afterPlantingFor: cost) {
    case 0: tr("There is no room for another.")
    case 1: tr("There is room for one more like it.")
    case 2: tr("There is room for two more like it.")
    case 3: tr("There is room for three more like it.")
    default: tr("There is plenty of room.")
    }
  }

  /// The longest season for which there is enough free soil now, shorter than `season`.
  public func affordableSeason(shorterThan season: Season, on ground: Ground) -> Season? {
    Season.allCases.prefix { $0 != season }.last { Soil.cost($0, ground) <= available }
  }
}
