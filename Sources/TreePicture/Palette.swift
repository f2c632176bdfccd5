import Glibc
import VectorGraphics

/// The colours of the picture.
public struct Palette: Equatable, Sendable {
  public enum Theme: String, CaseIterable, Sendable {
    case light, dark
    /// Black on white without tints, for readers who need contrast and for printing in grey.
    case print
  }

  public private(set) var paper, glow, ink, second: Color
  var wood, woodLight, woodDark: Color
  var sapwood, heartwood, ring: Color
  var berry, petal, pollen, scar: Color
  /// What has just opened, and the leaves of a growing sprout.
  var fresh, green: Color
  /// A drop on its way.
  var water: Color
  /// Lichen: of this year, and what the bark has taken in.
  var gold, agedGold: Color
  /// The colour of the outlines of leaves; `nil` without high contrast.
  private(set) var outline: Color?
  /// From the worst harvest to the best, several tints each.
  private var foliage: Foliage
  /// The same of leaflets that winter spares: they keep the colours of autumn until spring.
  private var sparedFoliage: Foliage
  /// How far winter has bared the tree, 0…1.
  private var bareness: Double
  /// The days since the colours of autumn last began to turn, 0…365.
  private var daysSinceTurn: Int32

  /// Leaves before and after the turn of a season. Each leaf turns on its own day.
  private struct Foliage: Equatable {
    var before: [[Color]]
    var after: [[Color]]
    /// The share of leaves that have turned, 0…1.
    var turned: Double
  }

  /// The hour without coloured light.
  public static let noon = 12.0

  /// - Parameters:
  ///   - yearShare: the elapsed part of the year, 0…1, moved by half a year in the south; `nil` without seasons.
  ///   - hour: the local hour, 0 ..< 24.
  ///   - isHighContrast: whether everything stands out from the paper, and leaves have outlines.
  public init(_ theme: Theme, yearShare: Double?, hour: Double = noon, isHighContrast: Bool = false) {
    self.init(theme)
    let share = yearShare ?? 0.5
    foliage = Palette.foliage(at: share, theme, paper: paper)
    sparedFoliage = Palette.foliage(at: share, theme, paper: paper, winter: 3)
    bareness = Palette.bareness(at: share)
    daysSinceTurn = Palette.daysSinceTurn(at: share)
    if theme == .print {
      toGray()
    } else {
      let evening = exp(-pow((hour - 19.5) / 1.8, 2)) * 0.12
      warm(by: evening)
    }
    if isHighContrast { strengthen() }
  }

  private init(_ theme: Theme) {
    let isDark = theme == .dark
    paper = Color(isDark ? 0x141210 : theme == .print ? 0xFFFFFF : 0xF3EBE0)
    glow = Color(isDark ? 0x211D19 : theme == .print ? 0xFFFFFF : 0xFCF9F4)
    ink = Color(isDark ? 0xE8E0D4 : 0x2B1A12)
    second = Color(isDark ? 0xC4B6A4 : 0x5A4434)
    wood = Color(isDark ? 0x8A6440 : 0x6B4423)
    woodLight = Color(isDark ? 0xB98A5C : 0x96693F)
    woodDark = Color(isDark ? 0x4E3520 : 0x462B15)
    sapwood = Color(isDark ? 0xA67C52 : 0xD9BC94)
    heartwood = Color(isDark ? 0x8F6640 : 0xBE966A)
    ring = Color(isDark ? 0x4E3520 : 0x7A5230)
    berry = Color(isDark ? 0xD9A83A : 0xB8452F)
    petal = Color(isDark ? 0xF0A8A0 : 0xE98A86)
    pollen = Color(isDark ? 0xF3D26B : 0xD9A021)
    scar = Color(isDark ? 0x9A8468 : 0x8A735B)
    fresh = Color(isDark ? 0xB4DA66 : 0x8FBF3F)
    green = Color(isDark ? 0x7FB04F : 0x5F9A3A)
    water = Color(isDark ? 0x6FAFDD : 0x3B78A8)
    gold = Color(isDark ? 0xE2B64A : 0xD09F2C)
    agedGold = Color(isDark ? 0xA27C46 : 0x84602D)
    foliage = Foliage(before: [], after: [], turned: 0)
    (sparedFoliage, bareness, daysSinceTurn) = (foliage, 0, 0)
  }

  /// In winter, about half of the leaflets have withered to their outlines and veins, each on its own day.
  func isBare(_ variation: inout Variation) -> Bool { variation.share() < bareness * 0.5 }

  /// Winter spares what was harvested in it, or in the 60 days before.
  func isSpared(_ leaflet: TreeState.Leaflet) -> Bool { leaflet.daysSinceHarvest < daysSinceTurn + 60 }

  /// The lines of a leaflet without its blade.
  var bareVein: Color { second.mixed(with: paper, outline == nil ? 0.36 : 0) }

  /// Buds are green, except in winter.
  var bud: Color { fresh.mixed(with: wood, 0.28 + 0.42 * bareness) }

  /// Returns the colour of one leaflet.
  /// - Parameter result: 1…5.
  func tint(result: Int, isSpared: Bool = false, _ variation: inout Variation) -> Color {
    let foliage = isSpared ? sparedFoliage : self.foliage
    let turn = min(max((foliage.turned * 1.3 - variation.share()) / 0.3, 0), 1)
    let place = variation.share()
    let index = min(max(result, 1), 5) - 1
    return Palette.tint(foliage.before[index], at: place).mixed(
      with: Palette.tint(foliage.after[index], at: place), turn)
  }

  private static func tint(_ tints: [Color], at share: Double) -> Color {
    let place = share * Double(tints.count - 1)
    return tints[Int(place)].mixed(with: tints[min(Int(place) + 1, tints.count - 1)], place - place.rounded(.down))
  }

  // MARK: - Seasons

  /// Colours of good leaves in the middle of January, April, July and October.
  private static let seasons: [[UInt32]] = [
    [0x5F7F7C, 0x86A09B, 0x6B8A92, 0x93A3A0],
    [0x7DB84A, 0x9CCB5B, 0x6AA744, 0xB3D36E],
    [0x2F7D3C, 0x4A9A45, 0x286B39, 0x6BAA4C],
    [0xD9822B, 0xC2452D, 0xE0A92F, 0xA8652B],
  ]
  private static let withered = [Color(0x8C7A66), Color(0x77695C), Color(0x9A8468)]

  /// The season, 0…3 from winter to autumn, and how much of the next one has come, 0…1.
  private static func season(at share: Double) -> (number: Int, turned: Double) {
    let position = position(at: share)
    return (Int(position) % 4, min(max((position - position.rounded(.down) - turn) * 2, 0), 1))
  }

  /// 0 ..< 4 from the middle of January.
  private static func position(at share: Double) -> Double {
    // The middle of a month is half a month after its beginning.
    (share - 0.5 / 12 + 1).truncatingRemainder(dividingBy: 1) * 4
  }

  /// Leaves keep their colour for this part of a season, and after the turn for as long again.
  private static let turn = 0.25

  /// The days since the colours of autumn last began to turn, 0…365.
  private static func daysSinceTurn(at share: Double) -> Int32 {
    Int32((position(at: share) + 4 - (3 + turn)).truncatingRemainder(dividingBy: 4) / 4 * 365.25)
  }

  private static func bareness(at share: Double) -> Double {
    let (season, turned) = season(at: share)
    return season == 0 ? 1 - turned : season == 3 ? turned : 0
  }

  /// - Parameter winter: the season whose colours leaves have in winter.
  private static func foliage(at share: Double, _ theme: Theme, paper: Color, winter: Int = 0) -> Foliage {
    let (season, turned) = season(at: share)
    let seasons = [winter, 1, 2, 3, winter]
    return Foliage(
      before: foliage(seasons[season], theme, paper: paper), after: foliage(seasons[season + 1], theme, paper: paper),
      turned: turned)
  }

  /// How much winter's leaves are mixed with the paper.
  private static let pale = 0.34

  private static func foliage(_ season: Int, _ theme: Theme, paper: Color) -> [[Color]] {
    let best = seasons[season].map { tint in
      Color(tint).mixed(with: paper, season == 0 ? pale : 0).mixed(with: Color(0xFFFFFF), theme == .dark ? 0.06 : 0)
    }
    return [0.78, 0.5, 0.28, 0.1, 0].map { dullness in
      best.enumerated().map { index, color in color.mixed(with: withered[index % withered.count], dullness) }
    }
  }

  // MARK: - Light

  private mutating func warm(by share: Double) {
    let light = Color(0xFF9A4A)
    change { $0.mixed(with: light.faded(to: $0.alpha), share) }
  }

  /// The lowest contrast with the paper that WCAG 2 asks of graphics is 3.
  private static let highContrast = 3.2

  private mutating func strengthen() {
    let isDark = paper.red < 0.5
    paper = Color(isDark ? 0x000000 : 0xFFFFFF)
    (glow, ink) = (paper, Color(isDark ? 0xFFFFFF : 0x000000))
    (second, outline) = (ink, ink)
    let (paper, ink) = (self.paper, self.ink)
    change { color in
      let steps = stride(from: 0, through: 1, by: 0.05).lazy.map { color.mixed(with: ink, $0) }
      return steps.first { $0.contrast(with: paper) >= Palette.highContrast } ?? ink
    }
    // The rings are inside the wood.
    sapwood = wood.mixed(with: paper, 0.75)
    heartwood = wood.mixed(with: paper, 0.6)
    (woodLight, woodDark, ring) = (wood.mixed(with: paper, 0.15), ink, ink)
  }

  private mutating func toGray() { change(\.gray) }

  private mutating func change(_ change: (Color) -> Color) {
    for path in [
      \Palette.wood, \.woodLight, \.woodDark, \.sapwood, \.heartwood, \.ring, \.berry, \.petal, \.pollen, \.scar,
      \.fresh, \.green, \.water, \.gold, \.agedGold,
    ] {
      self[keyPath: path] = change(self[keyPath: path])
    }
    for path in [\Palette.foliage, \.sparedFoliage] {
      self[keyPath: path].before = self[keyPath: path].before.map { $0.map(change) }
      self[keyPath: path].after = self[keyPath: path].after.map { $0.map(change) }
    }
  }
}
