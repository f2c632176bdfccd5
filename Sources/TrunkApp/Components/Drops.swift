import GtkKit

/// The waterings of a day as drops: full if still available.
final class Drops {
  /// Decorative: the parent's accessible name has the numbers.
  let widget: Widget

  /// How many waterings are left. A drop that is used falls, and one that comes back rises.
  var filled: Int {
    didSet { level.move(to: Double(filled)) }
  }

  /// `filled`, with intermediate values during the animation.
  let level: GradualValue

  /// How many drops are shown, at the end of the room for all.
  var total: Int {
    didSet { if total != oldValue { widget.redraw() } }
  }

  private let most: Int
  private static let width = 9.0
  private static let height = 14.0
  private static let fullHeight = height + 4
  private static let gap = 9.0

  init(filled: Int, of total: Int = 3) {
    self.filled = filled
    (self.total, most) = (total, total)
    let width = Double(total) * (Self.width + Self.gap) - Self.gap + 2
    widget = growingDrawing(width: Int(width.rounded(.up)), height: Int(Self.fullHeight)).css("drops")
    level = GradualValue(Double(filled), on: widget)
    widget.valign(.center).halign(.start).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  private func draw(on canvas: Canvas) {
    let color = canvas.widget.color
    // Larger texts make the drawing larger.
    let scale = canvas.height / Self.fullHeight
    canvas.scale(by: scale)
    for position in 0..<total {
      let x = 1 + Self.width / 2 + Double(most - total + position) * (Self.width + Self.gap)
      let top = (Self.fullHeight - Self.height) / 2
      let part = min(max(level.shown - Double(position), 0), 1)
      if part > 0 {
        // A drop that is used falls out of its outline and fades.
        outline(on: canvas, x: x, top: top + (1 - part) * Self.height / 2)
        canvas.fill(color.faded(to: part))
      }
      outline(on: canvas, x: x, top: top)
      canvas.stroke(color.faded(to: 0.75 + 0.25 * part), width: 1.2)
    }
  }

  /// A drop: pointed at the top, round at the bottom.
  private func outline(on canvas: Canvas, x: Double, top: Double) {
    let radius = Self.width / 2
    let middle = top + Self.height - radius
    canvas.move(x, top)
    canvas.curve(x + radius * 0.35, top + Self.height * 0.28, x + radius, middle - radius * 0.75, x + radius, middle)
    canvas.arc(x, middle, radius: radius, from: 0, to: .pi)
    canvas.curve(x - radius, middle - radius * 0.75, x - radius * 0.35, top + Self.height * 0.28, x, top)
    canvas.close()
  }
}
