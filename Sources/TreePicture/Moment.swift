import TrunkModel

/// One time of an act on a twig: what was there before, and where the marks are that move.
struct Moment {
  let act: Act
  let pose: Pose
  /// The sprout of the act; `nil` for a reflection.
  let sproutID: String?
  /// The twig before the act.
  let former: TreeState.Twig

  /// The leaf before the act; `nil` for a new one.
  func former(of leaf: TreeState.Leaf) -> TreeState.Leaf? {
    former.leaves.first { $0.id.hasSameBytes(as: leaf.id) }
  }

  func isAbout(_ leaflet: TreeState.Leaflet) -> Bool { sproutID?.hasSameBytes(as: leaflet.sproutID) == true }

  /// The sprouts of a leaf that are drawn as shoots, with the one that the act ends.
  func growing(on leaf: TreeState.Leaf) -> [TreeState.Leaflet] {
    let isEnding = (act == .harvest || act == .uprooting) && pose != Pose()
    let ended = isEnding ? former(of: leaf)?.leaflets.first(where: isAbout) : nil
    return leaf.leaflets.map { isAbout($0) ? ended ?? $0 : $0 }.filter(\.stage.isActive)
  }

  /// Whether the act has added this watering.
  func isNew(_ watering: TreeState.Watering, of leaflet: TreeState.Leaflet) -> Bool {
    guard act == .watering || act == .dayEnd else { return false }
    let before = isAbout(leaflet) ? former.leaves.lazy.flatMap(\.leaflets).first(where: isAbout) : nil
    return before?.waterings.contains(watering) == false
  }

  func size(ofBerry id: String) -> Double { former.seedlings.contains(id) ? 1 : pose.berry }
}

/// How far something has fallen, as leaves do: faster at first, swaying and turning.
struct Fall {
  /// In multiples of a length.
  let down, aside: Double
  /// In radians.
  let turn: Double
  /// 1 at first.
  let opacity: Double

  /// - Parameters:
  ///   - time: since the fall began, in milliseconds.
  ///   - weight: petals have more than leaves.
  init(_ time: Double, weight: Double, _ variation: inout Variation) {
    let seconds = max(time, 0) / 1000
    down = weight * seconds * seconds / (0.16 + seconds)
    aside = variation.signed() * 1.1 * seconds
    turn = variation.signed() * 3.4 * seconds
    opacity = 1 - Ease.smooth(time, from: 260, to: 560)
  }
}
