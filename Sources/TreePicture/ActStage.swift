import Glibc
import TrunkModel
import VectorGraphics

/// The picture of an act: what stays still, and the few marks that move. All of it is in the coordinates of the tree,
/// as seen through a camera.
public struct ActStage {
  public let act: Act
  /// Of the still picture.
  public let camera: Camera
  /// At the beginning of a harvest: the shoot is longer than the leaflet that comes out of it.
  private let farther: Camera?
  /// The other limbs and what grows on the other twigs, to be painted pale; empty if the act isn't on the tree.
  public let around: Drawing
  /// The parts that stay still, below the marks that move first and above them.
  public let under, over: Drawing
  /// By which the tree is turned clockwise, in radians.
  let turn: Double
  private let marks: (Double) -> Marks

  /// What moves, at one time.
  public struct Marks: Equatable, Sendable {
    /// Below `over` and above it.
    public var under = Drawing()
    public var over = Drawing()
  }

  /// The marks at a time, in milliseconds. Those of the end are the ones of the still picture.
  public func marks(at time: Double) -> Marks { marks(min(max(time, 0), act.end)) }
}

extension ActStage {
  /// The camera at a time, in milliseconds. That of a harvest comes closer while the leaflet unfolds.
  public func camera(at time: Double) -> Camera {
    guard let farther, time < act.end else { return camera }
    return farther.mixed(with: camera, Ease.inOut(time, from: 400, to: 1250))
  }
}

// MARK: - A shoot alone

extension ActStage {
  /// A watering on the strip with the shoot of its sprout.
  /// - Parameters:
  ///   - before: the sprout before the watering.
  ///   - width: in pixels, like the height.
  public init(
    watering act: Act = .watering, from before: TreeState.Leaflet, to after: TreeState.Leaflet, width: Double,
    height: Double, palette: Palette
  ) {
    (self.act, camera, farther, turn) = (act, .whole, nil, 0)
    (around, under, over) = (Drawing(), Drawing(), Drawing())
    var former = TreeState.Twig()
    former.leaves = [.init(id: "", leaflets: [before])]
    let twig = former
    marks = { time in
      let moment = Moment(act: act, pose: Pose(act, at: time), sproutID: after.sproutID, former: twig)
      return Marks(over: SproutPicture(after, width: width, height: height, palette: palette, moment: moment).drawing)
    }
  }
}

// MARK: - A twig on its limb

extension ActStage {
  /// An act on a twig of the tree.
  /// - Parameters:
  ///   - sproutID: the sprout of the act; `nil` for a reflection.
  ///   - width: of the picture on the screen, in pixels, like the height.
  ///   - limb: for a picture of the limb in the whole tree, the size of the names there, and the camera if it isn't the
  ///     limb's own; `nil` for a picture of the twig.
  public init?(
    _ act: Act, from before: TreeState, to after: TreeState, twig node: Node, sproutID: String?, width: Double,
    height: Double, palette: Palette, limb: (fontSize: Double, camera: Camera?)? = nil
  ) {
    guard case .twig(let branch, let twig) = node else { return nil }
    var after = after
    // The first sprout of a limb bends it, but not while the user watches the act.
    after.branches[branch].oldestSprout = before.branches[branch].oldestSprout ?? after.branches[branch].oldestSprout
    if act == .planting {
      after.branches[branch].oldestSprout = before.branches[branch].oldestSprout
      after.branches[branch].invested = before.branches[branch].invested
    }
    let view = Rectangle(x: 0, y: 0, width: width, height: height)
    func moving(on picture: TreePicture) -> MovingTwig {
      MovingTwig(act, on: picture, from: before.branches[branch].twigs[twig], branch, twig, sproutID)
    }
    self.act = act
    guard let limb else {
      // The limb lies on its side.
      let lying = TreePicture(
        after, side: ActStage.side, turn: TreePicture.turn(ofBranch: branch), palette: palette)
      turn = TreePicture.turn(ofBranch: branch) + ActStage.turn(of: moving(on: lying), in: view)
      let picture = TreePicture(after, side: ActStage.side, turn: turn, palette: palette)
      let moving = moving(on: picture)
      let camera = ActStage.camera(for: moving, act, in: view)
      farther =
        act == .harvest
        ? ActStage.camera(
          showing: moving.points(isAfter: false) + moving.points(isAfter: true) + moving.base, in: view) : nil
      let still = moving.still(closeUp: camera.scale)
      (self.camera, under, over) = (camera, still.under, still.over)
      around = Drawing([picture.drawing(besides: branch), still.behind, still.front])
      marks = { moving.marks(at: $0, camera, in: view) }
      return
    }
    let picture = TreePicture(after, width: width, height: height, palette: palette, fontSize: limb.fontSize)
    let (moving, camera) = (moving(on: picture), limb.camera ?? picture.camera(for: branch))
    let still = moving.still(closeUp: camera.scale)
    (self.camera, farther, around, turn) = (camera, nil, picture.drawing(besides: branch), 0)
    (under, over) = (Drawing([still.behind, still.under]), Drawing([still.over, still.front]))
    marks = { moving.marks(at: $0, camera, in: view) }
  }

  /// By how much the picture is turned further so that the limb is level where the twig leaves it; or, if the twig is
  /// too high then, as little away from that as makes the twig and its leaf fill the greater part of the width.
  private static func turn(of moving: MovingTwig, in view: Rectangle) -> Double {
    let level = -moving.direction.angle
    let (base, after) = (moving.base, moving.points(isAfter: true))
    let twig = moving.act == .harvest ? after : moving.points(isAfter: false) + after
    func share(_ turn: Double) -> Double {
      func turned(_ points: [Point]) -> [Point] { points.map { $0.turned(by: level + turn) } }
      guard let part = Path.open(through: turned(twig)).bounds else { return 0 }
      return part.width / view.width * camera(showing: turned(twig + base), in: view).scale
    }
    let turns = stride(from: 0, through: 0.7, by: 0.1).flatMap { turn in [turn, -turn] }
    return level + (turns.first { share($0) >= 0.6 } ?? turns.max { share($0) < share($1) } ?? 0)
  }

  private static func camera(for moving: MovingTwig, _ act: Act, in view: Rectangle) -> Camera {
    let after = moving.points(isAfter: true) + moving.base
    if act == .harvest { return camera(showing: after, in: view) }
    let all = Path.open(through: after + moving.points(isAfter: false)).bounds ?? view
    var part = all
    // What was uprooted leaves its place empty: what remains is in the middle.
    if act == .uprooting, let center = Path.open(through: after).bounds?.center {
      let reach = Point(
        max(all.right - center.x, center.x - all.x), max(all.bottom - center.y, center.y - all.y))
      part = Rectangle(x: center.x - reach.x, y: center.y - reach.y, width: 2 * reach.x, height: 2 * reach.y)
    }
    return Camera(showing: part, in: view.grown(by: -margin), atLeast: least, atMost: closest)
  }

  private static func camera(showing points: [Point], in view: Rectangle) -> Camera {
    Camera(
      showing: Path.open(through: points).bounds ?? view, in: view.grown(by: -margin), atLeast: least, atMost: closest)
  }

  /// The sides of the whole tree when a twig is looked at, in pixels.
  private static let side = 900.0
  /// The space around what is looked at, in pixels.
  private static let margin = 12.0
  /// The scales of a picture of a twig.
  private static let (least, closest) = (0.4, 4.0)
}

// MARK: - The leaves of a day

extension ActStage {
  /// The leaves of today, on their limb or, if they are on several, on the whole tree.
  /// - Parameters:
  ///   - sprouts: the ids of the sprouts, in the order in which they were watered.
  ///   - width: in pixels, like the height.
  public init(dayOf sprouts: [String], _ state: TreeState, width: Double, height: Double, palette: Palette) {
    let limbs = Set(
      state.growing().filter { shoot in sprouts.contains { $0.hasSameBytes(as: shoot.id) } }.compactMap(\.twig.branch))
    let branch = limbs.count == 1 ? limbs.first : nil
    turn = branch.map(TreePicture.turn) ?? 0
    let (turn, side) = (turn, ActStage.side)
    let picture =
      branch.map { _ in TreePicture(state, side: side, turn: turn, palette: palette) }
      ?? TreePicture(state, width: width, height: height, palette: palette)
    let today = sprouts.compactMap { id in picture.shoots.first { $0.id.hasSameBytes(as: id) } }
    let leaves = today.compactMap(\.newest)
    let view = Rectangle(x: 0, y: 0, width: width, height: height)
    let shown =
      branch.map { picture.points(of: $0) } ?? Array(picture.twigs.joined().joined()) + picture.shoots.flatMap(\.stem)
    let camera = ActStage.camera(showing: shown, with: leaves.compactMap(\.bounds), in: view)
    (act, self.camera, farther, under) = (.dayEnd, camera, nil, Drawing())
    around = branch.map { picture.drawing(besides: $0) } ?? Drawing()
    over = branch.map { picture.drawing(of: $0, closeUp: camera.scale) } ?? picture.drawing
    // All of them between 800 and 1,200 ms.
    let step = (400 - 270) / Double(max(leaves.count - 1, 1))
    marks = { time in
      var drawing = Drawing()
      for (index, leaf) in leaves.enumerated() {
        let start = 800 + step * Double(index)
        let light =
          Ease.smooth(time, from: start, to: start + 120) * (1 - Ease.smooth(time, from: start + 120, to: start + 270))
        guard light > 0, let center = leaf.bounds?.center else { continue }
        let radius = 26 / camera.scale
        drawing.fill(
          .circle(center, radius: radius),
          .radial(
            center: center, radius: radius, inner: palette.water.faded(to: 0.42 * light),
            outer: palette.water.faded(to: 0)))
        drawing.fill(leaf, palette.glow.faded(to: 0.5 * light))
      }
      return Marks(over: drawing)
    }
  }
}

extension ActStage {
  /// The length of a new leaf that can be seen, in pixels.
  private static let newLeaf = 24.0

  /// Shows all of the points, or, if the new leaves would be too small then, a part with all of these.
  private static func camera(showing points: [Point], with leaves: [Rectangle], in view: Rectangle) -> Camera {
    func camera(_ points: [Point], atMost limit: Double) -> Camera {
      let bounds = Path.open(through: points).bounds ?? view
      return Camera(
        showing: bounds.grown(by: 6), in: view.grown(by: -margin), atLeast: least, atMost: limit)
    }
    let whole = camera(points, atMost: closest)
    let smallest = leaves.map { max($0.width, $0.height) }.min() ?? .infinity
    guard smallest * whole.scale < newLeaf else { return whole }
    let corners = leaves.flatMap { [Point($0.x, $0.y), Point($0.right, $0.bottom)] }
    let close = camera(corners, atMost: newLeaf / smallest)
    guard let all = Path.open(through: points).bounds else { return close }
    // There is no empty place beside the tree where more of it could be.
    let (width, height) = (view.width / close.scale, view.height / close.scale)
    func start(_ wanted: Double, _ length: Double, within low: Double, _ high: Double) -> Double {
      high - low <= length ? (low + high - length) / 2 : min(max(wanted, low), high - length)
    }
    let corner = close.point(at: Point(view.x, view.y))
    let part = Rectangle(
      x: start(corner.x, width, within: all.x, all.right), y: start(corner.y, height, within: all.y, all.bottom),
      width: width, height: height)
    return Camera(showing: part, in: view, atLeast: least, atMost: closest)
  }
}

extension TreePicture {
  /// The whole tree without one branch, and without the trunk.
  func drawing(besides branch: Int) -> Drawing {
    let others = layers.enumerated().filter { $0.offset != branch }.map(\.element)
    return Drawing(
      others.map(\.shoots) + others.map(\.behind) + others.map(\.twigs) + others.map(\.limb) + others.map(\.front))
  }
}
