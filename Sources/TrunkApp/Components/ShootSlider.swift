import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The shoot of a sprout, whose leaves lead to their entries: the left and right arrow keys walk through them, a click
/// chooses one, and pointing at a leaf shows its entry.
final class ShootSlider {
  let widget: Widget

  /// Called with the position of the entry to show, from the oldest on; `nil` for none.
  var onSelect: ((Int?) -> Void)?
  /// Called with the position of the entry that the keys or a click choose, from the oldest on; `nil` for none.
  var onChoose: ((Int?) -> Void)?
  /// Called with the position of the entry below the pointer, from the oldest on; `nil` for none.
  var onPoint: ((Int?) -> Void)?

  private var leaflet: TreeState.Leaflet?
  private var days: [Day] = []
  private var picture: SproutPicture?
  /// The size and colours of the picture.
  private var look: Look?
  /// The entry that the keys or a click have chosen, and the one below the pointer.
  private var chosen, pointed: Int?
  private var pointer: Point?

  private struct Look: Equatable {
    var width, height: Double
    var palette: Palette
  }

  /// How near the pointer must be to the middle of a leaf, in pixels.
  private static let reach = 13.0

  /// - Parameter height: in pixels.
  init(height: Int = 84) {
    widget = sliderDrawing(height: height, name: tr("Entries of this sprout")).css("shoot", "shoot-slider").hexpand()
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.onPointer { [weak self] place in self?.point(at: place.map { Point($0.x, $0.y) }) }
    widget.onClick { [weak self] _, x, y in self?.click(Point(x, y)) }
    widget.onKey { [weak self] in self?.press($0) ?? false }
    widget.keeps(self)
  }

  /// - Parameter waterings: oldest first.
  func show(_ sprout: Sprout, _ waterings: [TimelineItem], in garden: Garden, now: Instant) {
    let leaflet = TreeState.Leaflet(sprout, garden, garden.zone.dayKey(now))
    guard leaflet != self.leaflet else { return }
    (self.leaflet, days, picture) = (leaflet, waterings.map(\.time.day), nil)
    widget.focusable(!days.isEmpty)
    // A position may be that of another entry now, or of none.
    select(chosen: nil, pointed: nil)
    widget.redraw()
  }

  /// The entry that is shown; `nil` for none.
  var selected: Int? { pointed ?? chosen }

  private func select(chosen: Int?, pointed: Int?) {
    let before = (selected: selected, chosen: self.chosen, pointed: self.pointed)
    (self.chosen, self.pointed) = (chosen, pointed)
    describe()
    if selected != before.selected {
      widget.redraw()
      onSelect?(selected)
    }
    if chosen != before.chosen { onChoose?(chosen) }
    if pointed != before.pointed { onPoint?(pointed) }
  }

  /// Chooses an entry. It has priority over the pointer until that moves again.
  private func choose(_ position: Int?) { select(chosen: position, pointed: nil) }

  private func point(at place: Point?) {
    // After a repaint, GTK reports the position of a resting pointer again.
    guard place != pointer else { return }
    pointer = place
    select(chosen: chosen, pointed: place.flatMap(nearest))
  }

  private func click(_ place: Point) {
    guard let position = nearest(to: place) else { return }
    widget.focus()
    choose(position)
  }

  private func describe() {
    let text =
      selected.map {
        tr("{n} of {count}, {date}", ["n": "\($0 + 1)", "count": "\(days.count)", "date": Formats.day(days[$0])])
      }
      ?? trn("{n} entry", "{n} entries", days.count)
    widget.setSlider(selected.map { $0 + 1 } ?? 0, of: days.count, text)
  }

  private func nearest(to point: Point) -> Int? {
    guard let places = picture?.waterings, places.count == days.count else { return nil }
    let nearest = places.indices.min { (places[$0] - point).length < (places[$1] - point).length }
    return nearest.flatMap { (places[$0] - point).length <= ShootSlider.reach ? $0 : nil }
  }

  private func press(_ press: KeyPress) -> Bool {
    guard press.modifiers.isEmpty, !days.isEmpty else { return false }
    let last = days.count - 1
    switch press.key {
    case .left: choose(max((chosen ?? days.count) - 1, 0))
    case .right: choose(min((chosen ?? -1) + 1, last))
    case .home: choose(0)
    case .end: choose(last)
    case .escape where chosen != nil: choose(nil)
    default: return false
    }
    return true
  }

  private func draw(on canvas: Canvas) {
    guard let leaflet else { return }
    let look = Look(width: canvas.width, height: canvas.height, palette: canvas.palette)
    if look != self.look { picture = nil }
    self.look = look
    let picture = picture ?? SproutPicture(leaflet, width: look.width, height: look.height, palette: look.palette)
    self.picture = picture
    Painter(canvas.cairo).paint(picture.drawing)
    if let selected { canvas.mark(selected, of: picture) }
  }
}
