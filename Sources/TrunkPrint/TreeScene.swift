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
    /// How much of its colour each limb has, 0…1; `nil` for all of it.
    public var colours: [Double]?

    /// - Parameters:
    ///   - isResting: whether this computer's rest mode is on.
    ///   - showsLastTended: whether limbs fade that weren't tended for a while, and their names say since when.
    public init(_ garden: Garden, at now: Instant, isResting: Bool = false, showsLastTended: Bool = false) {
      self.init(
        TreeState(garden, at: now, isResting: isResting), tended: showsLastTended ? LastTended(garden, at: now) : nil
      ) { garden.label(of: $0) }
    }

    /// The tree at the end of a day, with the names of that time.
    public init(_ life: Life, on day: Day) {
      let end = life.end(of: day)
      self.init(life.state(on: day)) { node in
        life.label(of: node, before: end).flatMap { $0.isEmpty ? nil : $0 } ?? node.presetLabel
      }
    }

    private init(_ state: TreeState, tended: LastTended? = nil, label: (Node) -> String) {
      self.state = state
      branches = TreeName.branches(state, tended: tended, label: label)
      twigs = (0..<8).map { TreeName.twigs(of: $0, state, label: label) }
      colours = tended.map { tended in (0..<8).map { tended.colour(of: $0) } }
    }
  }

  public let picture: TreePicture
  public let palette: Palette
  private let content: Content
  private let width, height: Double
  private let lettering: Lettering
  private let hasNames: Bool
  private let title, detail: Lettering.Style

  /// - Parameter fontSize: the size of the names in pixels; `nil` for a picture without names.
  public init(
    _ content: Content, width: Double, height: Double, palette: Palette, lettering: Lettering, fontSize: Double?
  ) {
    let picture = TreePicture(content.state, width: width, height: height, palette: palette, fontSize: fontSize)
    self.init(
      content, picture, width: width, height: height, palette: palette, lettering: lettering, hasNames: fontSize != nil)
  }

  /// - Parameter picture: was made from the state of `content` for the same size and colours.
  public init(
    _ content: Content, _ picture: TreePicture, width: Double, height: Double, palette: Palette, lettering: Lettering,
    hasNames: Bool = true
  ) {
    (self.content, self.picture, self.width, self.height) = (content, picture, width, height)
    (self.palette, self.lettering, self.hasNames) = (palette, lettering, hasNames)
    title = Lettering.Style(size: picture.fontSize, isBold: true)
    detail = Lettering.Style(size: picture.fontSize * NamePlace.detailSize)
  }

  /// The opacity of the branches that are not zoomed into.
  static let pale = 0.28

  /// Paints the tree without names and without paper.
  /// - Parameters:
  ///   - branch: the branch that is zoomed into; the others are painted pale. `nil` for the whole tree.
  public func paintTree(on cairo: OpaquePointer, camera: Camera = .whole, branch: Int? = nil) {
    let painter = Painter(cairo)
    guard let branch else { return paintWhole(with: painter, camera) }
    painter.paint(picture.drawing, scale: camera.scale, offset: camera.offset)
    painter.fade(to: TreeScene.pale)
    painter.paint(picture.drawing(of: branch), scale: camera.scale, offset: camera.offset)
  }

  private func paintWhole(with painter: Painter, _ camera: Camera) {
    guard let colours = content.colours else {
      return painter.paint(picture.drawing, scale: camera.scale, offset: camera.offset)
    }
    for (branch, colour) in colours.enumerated() {
      painter.paint(picture.part(of: branch), scale: camera.scale, offset: camera.offset, opacity: colour)
    }
    painter.paint(picture.trunk, scale: camera.scale, offset: camera.offset)
  }

  /// How the names look.
  public struct NameStyle: Sendable {
    /// The name that stands out.
    var marked: Int?
    var color: Color?
    /// Whether only that one is bold.
    var isPlain: Bool
    /// The names that are shown; `nil` for all.
    var shown: Set<Int>?

    public init(marked: Int? = nil, color: Color? = nil, isPlain: Bool = false, shown: Set<Int>? = nil) {
      (self.marked, self.color, self.isPlain, self.shown) = (marked, color, isPlain, shown)
    }
  }

  /// Paints the names.
  /// - Parameters:
  ///   - branch: the branch whose twigs are named; `nil` for the names of the branches.
  ///   - opacity: 0…1.
  public func paintNames(
    on cairo: OpaquePointer, branch: Int? = nil, _ style: NameStyle = NameStyle(), opacity: Double = 1
  ) {
    guard hasNames, opacity > 0 else { return }
    for (number, name) in names(of: branch, shown: style.shown).enumerated()
    where style.shown?.contains(number) != false {
      paint(name, isMarked: number == style.marked, style, opacity, cairo)
    }
  }

  /// The rectangles of the names, as they are painted; empty ones for those that aren't shown.
  /// - Parameters:
  ///   - branch: the branch whose twigs are named; `nil` for the names of the branches.
  ///   - shown: the names that are shown; `nil` for all.
  public func rectangles(of branch: Int?, shown: Set<Int>? = nil) -> [Rectangle] {
    names(of: branch, shown: shown).map(\.rectangle)
  }

  /// A name at its place.
  private struct PlacedName {
    var name: TreeName
    /// The space of the name and its second line.
    var rectangle: Rectangle
    var alignment: Double
    var lines: Int
    var maxWidth: Double
  }

  private func names(of branch: Int?, shown: Set<Int>?) -> [PlacedName] {
    guard hasNames else { return [] }
    guard let branch else {
      return zip(content.branches, picture.places).map { name, place in
        let space = place.rectangle
        let size = size(of: name, maxWidth: space.width, lines: place.lines)
        let x = space.x + (space.width - size.width) * (place.alignment + 1) / 2
        let rectangle = Rectangle(
          x: x, y: space.center.y - size.height / 2, width: size.width, height: size.height)
        return PlacedName(
          name: name, rectangle: rectangle, alignment: place.alignment, lines: place.lines, maxWidth: space.width)
      }
    }
    let maxWidth = min(width * 0.42, picture.fontSize * 11)
    let names = content.twigs[branch]
    let sizes = names.enumerated().map { number, name in
      shown?.contains(number) == false
        ? LabelSize(width: 0, height: 0) : size(of: name, maxWidth: maxWidth, lines: 1)
    }
    let places = picture.twigLabels(of: branch, sizes: sizes)
    return zip(names, places).map {
      PlacedName(name: $0, rectangle: $1, alignment: 0, lines: 1, maxWidth: maxWidth)
    }
  }

  private func paint(
    _ placed: PlacedName, isMarked: Bool, _ look: NameStyle, _ opacity: Double, _ cairo: OpaquePointer
  ) {
    let halo = palette.paper.faded(to: 0.9 * opacity)
    var (top, title, ink) = (placed.rectangle.y, title, look.isPlain ? palette.second : palette.ink)
    if isMarked, let color = look.color { ink = color }
    title.isBold = !look.isPlain || isMarked
    for (text, style, color, lines) in [
      (placed.name.title, title, ink, placed.lines), (placed.name.detail, detail, palette.second, 1),
    ] {
      guard let text else { continue }
      let size = lettering.measure(text, style, maxWidth: placed.maxWidth, lines: lines)
      let x = placed.rectangle.x + (placed.rectangle.width - size.width) * (placed.alignment + 1) / 2
      lettering.draw(
        text, style, at: Point(x, top), color: color.faded(to: opacity), halo: halo, maxWidth: placed.maxWidth,
        lines: lines, alignment: placed.alignment, on: cairo)
      top += size.height
    }
  }

  private func size(of name: TreeName, maxWidth: Double, lines: Int) -> LabelSize {
    let first = lettering.measure(name.title, title, maxWidth: maxWidth, lines: lines)
    let second = name.detail.map { lettering.measure($0, detail, maxWidth: maxWidth) } ?? (width: 0, height: 0)
    return LabelSize(width: min(max(first.width, second.width), maxWidth), height: first.height + second.height)
  }
}
