import Glibc
import TrunkModel
import VectorGraphics

/// The tree as a picture. It depends only on the garden's state, the size, the colours and the space for names, so two
/// devices show the same tree.
public struct TreePicture {
  /// The whole tree, without names.
  public private(set) var drawing: Drawing
  /// The cross-section of the trunk, which covers the beginnings of the limbs.
  public let trunk: Drawing
  /// The parts of the 8 branches, from the back to the front.
  private(set) var layers: [Layers]
  /// The space for the names of the 8 branches; none for a tree without names.
  public let places: [NamePlace]
  /// The size of the letters of the names, in pixels; smaller than requested in a low view.
  public let fontSize: Double

  /// The growing and ready sprouts, in the order of branches and twigs.
  let shoots: [Shoot]

  let state: TreeState
  let palette: Palette
  /// The length of a one-year leaflet, in pixels.
  let leafUnit: Double
  let plan: TreePlan
  private let view: Rectangle
  private let trunkRadius: Double
  /// Points of the twigs with their leaves, by branch and twig.
  let twigs: [[[Point]]]

  /// How near the pointer must be to a branch or twig, in pixels.
  private static let reach = 22.0
  /// How much nearer a leaf must be than the wood of a twig, in pixels.
  private static let precedence = 5.0

  /// - Parameter fontSize: the size of the letters of the names, in pixels; `nil` for a tree without names.
  public init(_ state: TreeState, width: Double, height: Double, palette: Palette, fontSize: Double? = nil) {
    self.init(state, width: width, height: height, palette: palette, fontSize: fontSize, turn: 0)
  }

  /// A square picture without names, turned clockwise, in radians.
  init(_ state: TreeState, side: Double, turn: Double, palette: Palette) {
    self.init(state, width: side, height: side, palette: palette, fontSize: nil, turn: turn)
  }

  private init(
    _ state: TreeState, width: Double, height: Double, palette: Palette, fontSize: Double?, turn: Double
  ) {
    view = Rectangle(x: 0, y: 0, width: width, height: height)
    // A new tree fills 88 % of the space, a tree of twenty years all of it. A young one, whose limbs are short, is seen
    // from nearer.
    let layout = LabelLayout(
      fontSize: fontSize, width: width, height: height, growth: 1 - 0.12 * exp(-state.age / 2.2),
      enlargement: 1 / (1 - 0.34 * exp(-state.age / 0.35)), turn: turn)
    places = layout.places
    self.fontSize = LabelLayout.fontSize(fontSize ?? 0, height: height)
    plan = TreePlan(state, in: layout.frame)
    let wood = Wood(palette: palette, plan: plan)
    trunkRadius = plan.trunkRadius
    // The leaves of a young tree are large for its size.
    let unit = layout.frame.unit * (0.106 + 0.09 * exp(-state.age / 3))
    (self.state, self.palette, leafUnit) = (state, palette, unit)
    var twigs: [[[Point]]] = []
    let layers = zip(plan.limbs, state.branches).enumerated().map { number, pair in
      let (limb, branch) = pair
      var foliage = Foliage(palette, in: limb.sector, unit: unit, isResting: state.isResting)
      twigs.append(foliage.draw(branch, number: number, on: limb))
      var bark = wood.limb(number)
      bark.append(wood.lichen(of: number, branch))
      return Layers(
        behind: foliage.behind, shoots: wood.shoots(of: number, branch, age: state.age), twigs: wood.twigs(of: number),
        limb: bark, front: foliage.front, sprouts: foliage.shoots, edges: foliage.edges)
    }
    self.twigs = twigs
    self.layers = layers
    shoots = layers.flatMap(\.sprouts)
    trunk = wood.trunk(state)
    // The leaves of one limb may overlap its neighbour.
    drawing = Drawing(
      layers.map(\.shoots) + layers.map(\.behind) + layers.map(\.twigs) + layers.map(\.limb) + [trunk]
        + layers.map(\.front))
  }

  /// The whole tree without its bare shoots, for a picture that is about to change: thin lines take long to paint.
  public var movingDrawing: Drawing {
    Drawing(
      layers.map(\.behind) + layers.map(\.twigs) + layers.map(\.limb) + [trunk] + layers.map(\.front))
  }

  /// The same picture without its drawings, which take several megabytes: for the names of the branches.
  public var withoutDrawings: TreePicture {
    var picture = self
    (picture.drawing, picture.layers) = (Drawing(), [])
    return picture
  }

  struct Layers {
    var behind, shoots, twigs, limb, front: Drawing
    var sprouts: [Shoot]
    /// Points at the edges of leaflets.
    var edges: [Point]
  }

  /// One branch with its leaves and the trunk, with all the marks that can be told apart in the camera of the branch.
  public func drawing(of branch: Int) -> Drawing { drawing(of: branch, closeUp: camera(for: branch).scale) }

  /// - Parameter scale: how many times the branch is enlarged.
  func drawing(of branch: Int, closeUp scale: Double) -> Drawing {
    let (layers, limb) = (layers[branch], plan.limbs[branch])
    var foliage = Foliage(palette, in: limb.sector, unit: leafUnit, isResting: state.isResting, closeUp: scale)
    _ = foliage.draw(state.branches[branch], number: branch, on: limb)
    return Drawing([layers.shoots, foliage.behind, layers.twigs, layers.limb, trunk, foliage.front])
  }

  /// One branch with its leaves, as the whole tree shows it.
  public func part(of branch: Int) -> Drawing {
    let layers = layers[branch]
    return Drawing([layers.shoots, layers.behind, layers.twigs, layers.limb, layers.front])
  }

  /// Points of a branch with its leaves and the trunk.
  func points(of branch: Int) -> [Point] {
    let trunk = (0..<8).map { plan.frame.center + Point(angle: Double($0) * .pi / 4) * (trunkRadius * 1.16) }
    let shoots = shoots(inside: branch).flatMap { shoot in
      [Point(shoot.radius, 0), Point(0, shoot.radius)].flatMap { reach in
        shoot.stem.flatMap { [$0 - reach, $0 + reach] }
      }
    }
    return trunk + plan.limbs[branch].spine.points + twigs[branch].joined() + layers[branch].edges + shoots
  }

  /// The turn that lets a branch lie on its side, with its tip to the right, in radians.
  static func turn(ofBranch branch: Int) -> Double { .pi / 2 - Double(branch) * .pi / 4 }

  /// The tips of a branch's twigs with their shoots, and the directions there.
  func twigs(of branch: Int) -> [(tip: Point, direction: Point)] {
    plan.limbs[branch].twigs.enumerated().map { twig, spine in
      let shoot = shoots(inside: branch).last { $0.twig == .twig(branch: branch, twig: twig) }
      guard let shoot, let tip = shoot.stem.last else {
        let isBare = state.branches[branch].twigs[twig].leaves.isEmpty
        let end = isBare ? leafUnit * Foliage.bud : 0
        return ((twigs[branch][twig].last ?? spine.tip) + spine.direction(at: 1) * end, spine.direction(at: 1))
      }
      let direction = shoot.stem.count > 1 ? (tip - shoot.stem[shoot.stem.count - 2]).unit : spine.direction(at: 1)
      return (tip + direction * shoot.radius, direction)
    }
  }

  // MARK: - Looking closer

  /// The camera that shows one branch.
  public func camera(for branch: Int) -> Camera {
    // Leave out the bare base of the limb, which may be outside the view.
    let points = Array(plan.limbs[branch].spine.points.dropFirst(10)) + twigs[branch].joined()
    guard let part = Path.open(through: points).bounds else { return .whole }
    // Around it there is room for the names of the twigs.
    let (x, y) = (min(view.width * 0.17, 110), min(view.height * 0.15, 90))
    let space = Rectangle(x: x, y: y, width: view.width - 2 * x, height: view.height - 2 * y)
    return Camera(showing: part, in: space, atMost: 7)
  }

  /// Returns the rectangles of the names of a branch's twigs, as seen through `camera(for: branch)`.
  /// - Parameter sizes: the sizes of the 8 names.
  public func twigLabels(of branch: Int, sizes: [LabelSize]) -> [Rectangle] {
    let camera = camera(for: branch)
    let tips = twigs(of: branch).map { (camera.place(of: $0.tip), $0.direction) }
    let occupied = (points(of: branch) + plan.limbs[branch].twigs.map(bud)).map { camera.place(of: $0) }
    return TwigLabels(sizes, at: tips, avoiding: occupied, in: view.grown(by: -8)).labels
  }

  // MARK: - Pointing

  /// Returns the node at a point of the picture: the trunk, a branch or, inside a branch, one of its twigs.
  /// - Parameter branch: the branch that the window shows; `nil` for the whole tree.
  public func node(at point: Point, inside branch: Int?) -> Node? {
    if (point - plan.frame.center).length < trunkRadius * 1.15 { return .trunk }
    if let branch {
      let scale = camera(for: branch).scale
      let shoots = shoots(inside: branch)
      let distances = zip(plan.limbs[branch].twigs, twigs[branch]).enumerated().map { number, twig in
        // Leaves may hang over other twigs. The bud of a bare one is what the pointer is on.
        let growing = shoots.filter { $0.twig == .twig(branch: branch, twig: number) }
          .map { max(distance($0.stem, point) - $0.radius, 0) }
        let leaves = min(distance(twig.1, point), growing.min() ?? .infinity)
        let isBare = state.branches[branch].twigs[number].leaves.isEmpty
        return min(
          twig.0.distance(to: point), leaves + TreePicture.precedence / scale,
          isBare ? distanceToBud(of: twig.0, point) : .infinity)
      }
      return nearest(distances, atMost: TreePicture.reach / scale).map { .twig(branch: branch, twig: $0) }
    }
    let distances = plan.limbs.indices.map { branch in
      min(plan.limbs[branch].spine.distance(to: point), twigs[branch].map { distance($0, point) }.min() ?? .infinity)
    }
    return nearest(distances, atMost: TreePicture.reach).map { .branch($0) }
  }

  /// The outlines of a node's wood, to be painted over the picture when it has the focus or the pointer.
  public func outline(of node: Node) -> [Path] {
    switch node {
    case .trunk: [.circle(plan.frame.center, radius: trunkRadius * 1.1)]
    case .branch(let branch): [plan.limbs[branch].spine.outline] + plan.limbs[branch].twigs.map(\.outline)
    case .twig(let branch, let twig): [plan.limbs[branch].twigs[twig].outline]
    }
  }

  /// A circle around the tip of a branch, or around the bud of a twig.
  /// - Parameter scale: how many times the picture is enlarged.
  public func ring(around node: Node, scale: Double) -> Path {
    switch node {
    case .trunk: .circle(plan.frame.center, radius: trunkRadius * 1.3)
    case .branch(let branch): ring(around: .twig(branch: branch, twig: 7), scale: scale)
    case .twig(let branch, let twig):
      .circle(bud(of: plan.limbs[branch].twigs[twig]), radius: leafUnit * Foliage.bud * 0.6 + 8 / scale)
    }
  }

  /// The middle of the bud at the tip of a bare twig.
  private func bud(of twig: Spine) -> Point { twig.tip + twig.direction(at: 1) * (leafUnit * Foliage.bud / 2) }

  private func distanceToBud(of twig: Spine, _ point: Point) -> Double {
    max((bud(of: twig) - point).length - leafUnit * Foliage.bud / 2, 0)
  }

  private func distance(_ points: [Point], _ point: Point) -> Double {
    points.map { ($0 - point).length }.min() ?? .infinity
  }

  private func nearest(_ distances: [Double], atMost limit: Double) -> Int? {
    distances.indices.min { distances[$0] < distances[$1] }.flatMap { distances[$0] <= limit ? $0 : nil }
  }
}

extension Palette {
  /// The paper behind the tree.
  public func background(width: Double, height: Double) -> Drawing {
    var drawing = Drawing()
    drawing.fill(
      Path { path in
        path.move(to: Point(0, 0))
        for corner in [Point(width, 0), Point(width, height), Point(0, height)] { path.line(to: corner) }
        path.close()
      },
      .radial(
        center: Point(width / 2, height / 2), radius: max(width, height) * 0.5, inner: glow, outer: paper))
    return drawing
  }
}
