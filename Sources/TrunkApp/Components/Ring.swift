import GtkKit

/// The progress of a sprout's season: a ring that fills clockwise from the top.
final class Ring {
  /// Decorative: the row's accessible name has the same information.
  let widget: Widget

  /// From 0 (just planted) to 1 (ready).
  var progress: Double {
    get { part.shown }
    set { if newValue != part.shown { part.set(newValue) } }
  }

  private let part: GradualValue

  /// - Parameter size: the diameter in pixels.
  init(progress: Double = 0, size: Int = 28) {
    widget = growingDrawing(width: size, height: size).css("ring")
    part = GradualValue(progress, on: widget)
    widget.valign(.center).halign(.center).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  /// Fills the empty ring in a moment, for a season that is over.
  func close() {
    part.set(0)
    part.move(to: 1)
  }

  private func draw(on canvas: Canvas) {
    let thickness = max(2.5, canvas.width * 0.11)
    let radius = (min(canvas.width, canvas.height) - thickness) / 2
    let (x, y) = (canvas.width / 2, canvas.height / 2)
    canvas.circle(x, y, radius: radius)
    canvas.stroke(canvas.widget.color("track"), width: thickness)
    let part = min(max(part.shown, 0), 1)
    guard part > 0 else { return }
    canvas.arc(x, y, radius: radius, from: -.pi / 2, to: -.pi / 2 + 2 * .pi * part)
    canvas.stroke(canvas.widget.color, width: thickness)
  }
}
