import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The shoot of a sprout, whose leaves lead to their entries: the left and right arrow keys walk through them, and
/// pointing at a leaf shows its entry.
final class ShootSlider {
  let widget: Widget

  /// Called with the position of the entry to show, from the oldest on; `nil` for none.
  var onSelect: ((Int?) -> Void)?

  private var leaflet: TreeState.Leaflet?
  private var days: [Day] = []
  private var picture: SproutPicture?
  /// The size and colours of the picture.
  private var look: Look?
  /// The entry that the keys have chosen, and the one below the pointer.
  private var chosen, pointed: Int?

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
    widget.onPointer { [weak self] in self?.point(at: $0) }
    widget.onKey { [weak self] in self?.press($0) ?? false }
    widget.onFocus { [weak self] isIn in if !isIn { self?.choose(nil) } }
    widget.keeps(self)
  }

  /// - Parameter waterings: oldest first.
  func show(_ sprout: Sprout, _ waterings: [TimelineItem], in garden: Garden, now: Instant) {
    let leaflet = TreeState.Leaflet(sprout, garden, garden.zone.dayKey(now))
    guard leaflet != self.leaflet else { return }
    (self.leaflet, days, picture) = (leaflet, waterings.map(\.time.day), nil)
    widget.focusable(!days.isEmpty)
    choose(nil)
    widget.redraw()
  }

  /// The entry that is shown; `nil` for none.
  var selected: Int? { pointed ?? chosen }

  private func choose(_ position: Int?) {
    let before = selected
    chosen = position
    update(before)
  }

  private func point(at place: (x: Double, y: Double)?) {
    let before = selected
    pointed = place.flatMap { nearest(to: Point($0.x, $0.y)) }
    update(before)
  }

  private func update(_ before: Int?) {
    describe()
    guard selected != before else { return }
    widget.redraw()
    onSelect?(selected)
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
    guard let selected, picture.waterings.indices.contains(selected) else { return }
    let place = picture.waterings[selected]
    canvas.circle(place.x, place.y, radius: 11)
    canvas.stroke(canvas.widget.color("wood"), width: 2)
  }
}
