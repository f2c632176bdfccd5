import TrunkModel

/// The proportions of a leaf: its leaflets stand in pairs along the rachis, the oldest at its base. What grows begins
/// at its tip.
struct CompoundLeaf {
  struct Position: Equatable {
    /// The distance from the base of the leaf, in pixels.
    var distance: Double
    /// -1 and 1 beside the rachis, 0 at its tip.
    var side: Double
    /// In pixels.
    var length: Double
  }

  /// One for each leaflet that doesn't grow any more.
  let positions: [Position]
  /// The length of the rachis, in pixels.
  let length: Double

  /// The distance between the leaflets of a side, as a multiple of their length. They are narrower than that, so the
  /// rachis stays visible.
  private static let spacing = 0.56

  /// - Parameter unit: the length of the leaflet of a whole year, in pixels.
  init(_ leaf: TreeState.Leaf, unit: Double) {
    let ended = leaf.leaflets.filter { !$0.stage.isActive }
    let lengths = ended.map { CompoundLeaf.length(of: $0, unit: unit) }
    let grows = ended.count < leaf.leaflets.count
    let hasTip = lengths.count % 2 == 1 && !grows
    let besideCount = lengths.count - (hasTip ? 1 : 0)
    var positions: [Position] = []
    var distance = unit * (lengths.isEmpty ? 0.04 : lengths.count > 2 ? 0.34 : 0.24)
    var previous: Double?
    for first in stride(from: 0, to: besideCount, by: 2) {
      let pair = lengths[first..<min(first + 2, besideCount)]
      let longest = pair.max() ?? 0
      if let previous { distance += CompoundLeaf.spacing * (previous + longest) / 2 }
      for (index, length) in pair.enumerated() {
        // The two leaflets of a pair don't begin at exactly the same place.
        positions.append(
          Position(distance: distance + Double(index) * 0.07 * longest, side: index == 0 ? -1 : 1, length: length))
      }
      previous = longest
    }
    distance += (previous ?? 0) * (hasTip ? 0.42 : grows ? 0.3 : 0.07)
    if hasTip, let last = lengths.last { positions.append(Position(distance: distance, side: 0, length: last)) }
    self.positions = positions
    length = max(distance, unit * 0.04)
  }

  /// The length of a leaflet, in pixels: the longer its sprout's season, the longer it is.
  static func length(of leaflet: TreeState.Leaflet, unit: Double) -> Double {
    unit * (leaflet.stage == .uprooted ? 0.24 : leaflet.season.size)
  }
}

extension Season {
  /// The length of what grows in this season, as a share of that of a year.
  var size: Double {
    switch self {
    case .twoWeeks: 0.46
    case .oneMonth: 0.56
    case .threeMonths: 0.7
    case .sixMonths: 0.84
    case .oneYear: 1
    }
  }
}
