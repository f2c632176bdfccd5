import GtkKit

/// The waterings of a day as drops: full if still available.
final class Drops {
  /// Decorative: the parent's accessible name has the numbers.
  let widget: Widget

  /// How many waterings are left.
  var filled: Int {
    didSet {
      if filled != oldValue { widget.redraw() }
    }
  }

  private let total: Int
  private static let width = 9.0
  private static let height = 14.0
  private static let gap = 9.0

  init(filled: Int, of total: Int = 3) {
    self.filled = filled
    self.total = total
    let width = Double(total) * (Self.width + Self.gap) - Self.gap + 2
    widget = drawing(width: Int(width.rounded(.up)), height: Int(Self.height) + 4).css("drops")
    widget.alignDown(.center).align(.start).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  private func draw(on canvas: Canvas) {
    let color = canvas.widget.color
    for position in 0..<total {
      outline(
        on: canvas, x: 1 + Self.width / 2 + Double(position) * (Self.width + Self.gap),
        top: (canvas.height - Self.height) / 2)
      if position < filled {
        canvas.fill(color, keep: true)
      }
      canvas.stroke(color.faded(to: position < filled ? 1 : 0.75), width: 1.2)
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
