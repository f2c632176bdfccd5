import CairoKit
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The picture of the tree with its names, as the window and posters show it.
public struct TreeScene {
  /// The content of a scene. Scenes with equal content look the same.
  public struct Content: Equatable, Sendable {
    public var state: TreeState
    public var branches: [TreeName]
    /// The names of the twigs of each branch.
    public var twigs: [[TreeName]]

    /// - Parameter isResting: whether this computer's rest mode is on.
    public init(_ garden: Garden, at now: Instant, isResting: Bool = false) {
      let state = TreeState(garden, at: now, isResting: isResting)
      self.state = state
      branches = TreeName.branches(garden, state)
      twigs = (0..<8).map { TreeName.twigs(of: $0, garden, state) }
    }
  }

  public let picture: TreePicture
  public let palette: Palette
  private let content: Content
  private let width, height: Double
  private let lettering: Lettering
  private let hasNames: Bool
  private let title, detail: Lettering.Style
  /// The maximum width of a name, in pixels; longer names end with an ellipsis.
  private let maxWidth: Double

  /// - Parameter fontSize: the size of the names in pixels; `nil` for a picture without names.
  public init(
    _ content: Content, width: Double, height: Double, palette: Palette, lettering: Lettering, fontSize: Double?
  ) {
    (self.content, self.width, self.height) = (content, width, height)
    (self.palette, self.lettering) = (palette, lettering)
    hasNames = fontSize != nil
    let size = fontSize ?? 0
    title = Lettering.Style(size: size, isBold: true)
    detail = Lettering.Style(size: size * 0.82)
    // Three names fit side by side.
    let limit = width * 0.28
    maxWidth = limit
    // Always reserve space for the second line, so that the tree doesn't move when the first sprout of a branch grows.
    let sizes = content.branches.map { [title, detail] in
      TreeScene.size($0.withRoom, title, detail, lettering, limit)
    }
    picture = TreePicture(
      content.state, width: width, height: height, palette: palette, labels: fontSize == nil ? [] : sizes)
  }

  /// The opacity of the branches that are not zoomed into.
  private static let pale = 0.28

  /// Paints the tree without names and without paper.
  /// - Parameter branch: the branch that is zoomed into; the others are painted pale. `nil` for the whole tree.
  public func paintTree(on cairo: OpaquePointer, camera: Camera = .whole, branch: Int? = nil) {
    let painter = Painter(cairo)
    painter.paint(picture.drawing, scale: camera.scale, offset: camera.offset)
    guard let branch else { return }
    painter.fade(to: TreeScene.pale)
    painter.paint(picture.drawing(of: branch), scale: camera.scale, offset: camera.offset)
  }

  /// Paints the names.
  /// - Parameters:
  ///   - branch: the branch whose twigs are named; `nil` for the names of the branches.
  ///   - opacity: 0…1.
  public func paintNames(on cairo: OpaquePointer, branch: Int? = nil, opacity: Double = 1) {
    guard hasNames, opacity > 0 else { return }
    let (names, places) =
      branch.map { (content.twigs[$0], twigLabels(of: $0)) } ?? (content.branches, picture.labels)
    for (name, place) in zip(names, places) { paint(name, in: place, opacity, cairo) }
  }

  /// The rectangles of the names of a branch's twigs when the camera shows the branch.
  public func twigLabels(of branch: Int) -> [Rectangle] {
    picture.twigLabels(
      of: branch, sizes: content.twigs[branch].map { TreeScene.size($0, title, detail, lettering, maxWidth) })
  }

  /// Paints the scores of the branches over the whole tree.
  /// - Parameters:
  ///   - color: the colour of the polygon.
  ///   - selected: the branch whose score is written beside its corner.
  public func paint(
    _ radar: Radar, _ scores: [Double], color: Color, selected: Int?, on cairo: OpaquePointer
  ) {
    Painter(cairo).paint(radar.drawing(palette, color: color, selected: selected))
    guard let selected else { return }
    let (text, corner) = (Formats.percent(scores[selected]), radar.corners[selected])
    let size = lettering.measure(text, title)
    // Beside the corner, towards the middle of the window, where there is room.
    let x = corner.x > width / 2 ? corner.x - size.width - 11 : corner.x + 11
    lettering.draw(
      text, title, at: Point(x, corner.y - size.height / 2), color: palette.ink, halo: palette.paper.faded(to: 0.95),
      on: cairo)
  }

  private func paint(_ name: TreeName, in place: Rectangle, _ opacity: Double, _ cairo: OpaquePointer) {
    let halo = palette.paper.faded(to: 0.9 * opacity)
    let size = TreeScene.size(name, title, detail, lettering, maxWidth)
    var top = place.center.y - size.height / 2
    for (text, style, color) in [(name.title, title, palette.ink), (name.detail, detail, palette.second)] {
      guard let text else { continue }
      let size = lettering.measure(text, style, maxWidth: maxWidth)
      lettering.draw(
        text, style, at: Point(place.center.x - size.width / 2, top), color: color.faded(to: opacity), halo: halo,
        maxWidth: maxWidth, on: cairo)
      top += size.height
    }
  }

  private static func size(
    _ name: TreeName, _ title: Lettering.Style, _ detail: Lettering.Style, _ lettering: Lettering, _ maxWidth: Double
  ) -> LabelSize {
    let first = lettering.measure(name.title, title, maxWidth: maxWidth)
    let second = name.detail.map { lettering.measure($0, detail, maxWidth: maxWidth) } ?? (width: 0, height: 0)
    return LabelSize(width: min(max(first.width, second.width), maxWidth), height: first.height + second.height)
  }
}
