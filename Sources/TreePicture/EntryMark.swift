import TrunkModel
import VectorGraphics

/// What an entry has left on a limb: the small leaf of a watering, the leaflet of a harvest, or the lichen of a
/// reflection.
public struct EntryMark: Equatable, Sendable {
  public enum Entry: Equatable, Sendable {
    /// - Parameter position: among the waterings of the sprout, from the oldest on.
    case watering(sproutID: String, position: Int)
    case harvest(sproutID: String)
    /// - Parameter age: among the reflections on the twig, from the latest on.
    case reflection(age: Int)
  }

  public let entry: Entry
  public let twig: Node
  public let center: Point
  /// From the centre to the edge, in pixels.
  let radius: Double
}

extension TreePicture {
  /// How near the pointer must be to the centre of a small mark, in pixels.
  private static let markReach = 5.0

  /// The marks of entries on a branch as the window shows it if it is zoomed in. This takes as long as to draw the
  /// branch.
  public func entryMarks(of branch: Int) -> [EntryMark] {
    let limb = plan.limbs[branch]
    var foliage = Foliage(
      palette, in: limb.sector, unit: leafUnit, isResting: state.isResting, closeUp: camera(for: branch).scale)
    foliage.marks = []
    _ = foliage.draw(state.branches[branch], number: branch, on: limb)
    let wood = Wood(palette: palette, plan: plan)
    return (foliage.marks ?? []) + wood.reflections(of: branch, state.branches[branch])
  }

  /// The mark at a point of the picture.
  /// - Parameter marks: those of the branch.
  public func entryMark(at point: Point, of marks: [EntryMark], inside branch: Int) -> EntryMark? {
    let reach = TreePicture.markReach / camera(for: branch).scale
    return marks.filter { ($0.center - point).length <= max($0.radius, reach) }
      .min { ($0.center - point).length < ($1.center - point).length }
  }

  /// A line around a mark, to be painted over the picture when it is pointed at.
  /// - Parameter scale: of the camera.
  public func ring(around mark: EntryMark, scale: Double) -> Path {
    .circle(mark.center, radius: max(mark.radius, 6 / scale) + 3 / scale)
  }
}
