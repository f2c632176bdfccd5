import Glibc
import TrunkModel
import VectorGraphics

/// The picture of an act: what stays still, and the few marks that move. All of it is in the coordinates of the tree,
/// as seen through a camera.
public struct ActStage {
  public let act: Act
  public let camera: Camera
  /// The other limbs, to be painted pale; empty if the act isn't on the tree.
  public let around: Drawing
  /// The parts that stay still, below the marks that move first and above them.
  public let under, over: Drawing
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
    (self.act, camera, around, under, over) = (act, .whole, Drawing(), Drawing(), Drawing())
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
    let picture = TreePicture(
      after, width: limb == nil ? ActStage.side : width, height: limb == nil ? ActStage.side : height, palette: palette,
      fontSize: limb?.fontSize)
    let moving = MovingTwig(act, on: picture, from: before.branches[branch].twigs[twig], branch, twig, sproutID)
    let view = Rectangle(x: 0, y: 0, width: width, height: height)
    camera =
      limb.map { $0.camera ?? picture.camera(for: branch) }
      ?? Camera(
        showing: moving.space, in: view.grown(by: -ActStage.margin), atLeast: 0.4, atMost: ActStage.closest)
    self.act = act
    around = picture.drawing(besides: branch)
    (under, over) = moving.still(closeUp: camera.scale)
    let camera = camera
    marks = { time in moving.marks(at: time, camera, in: view) }
  }

  /// The sides of the whole tree when a twig is looked at, in pixels.
  private static let side = 900.0
  /// The space around what is looked at, in pixels.
  private static let margin = 12.0
  private static let closest = 2.0
}

// MARK: - The leaves of a day

extension ActStage {
  /// The leaves of today, on their limb or, if they are on several, on the whole tree.
  /// - Parameters:
  ///   - sprouts: the ids of the sprouts, in the order in which they were watered.
  ///   - width: in pixels, like the height.
  public init(dayOf sprouts: [String], _ state: TreeState, width: Double, height: Double, palette: Palette) {
    let picture = TreePicture(state, width: width, height: height, palette: palette)
    let today = sprouts.compactMap { id in picture.shoots.first { $0.id.hasSameBytes(as: id) } }
    let limbs = Set(today.compactMap(\.twig.branch))
    let branch = limbs.count == 1 ? limbs.first : nil
    let view = Rectangle(x: 0, y: 0, width: width, height: height)
    let shown =
      branch.map { picture.points(of: $0) } ?? Array(picture.twigs.joined().joined()) + picture.shoots.flatMap(\.stem)
    let camera = Camera(
      showing: (Path.open(through: shown).bounds ?? view).grown(by: 6), in: view.grown(by: -ActStage.margin),
      atLeast: 0.4, atMost: 3)
    (act, self.camera, under) = (.dayEnd, camera, Drawing())
    around = branch.map { picture.drawing(besides: $0) } ?? Drawing()
    over = branch.map { picture.drawing(of: $0) } ?? picture.drawing
    let leaves = today.compactMap(\.newest)
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

extension TreePicture {
  /// The whole tree without one branch, and without the trunk.
  func drawing(besides branch: Int) -> Drawing {
    let others = layers.enumerated().filter { $0.offset != branch }.map(\.element)
    return Drawing(
      others.map(\.shoots) + others.map(\.behind) + others.map(\.twigs) + others.map(\.limb) + others.map(\.front))
  }
}
