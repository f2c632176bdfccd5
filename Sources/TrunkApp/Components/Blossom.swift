import Glibc
import GtkKit

/// The result of a harvest as a blossom that has kept one to five of its petals.
final class Blossom {
  /// Decorative: the parent's accessible name has the result in words.
  let widget: Widget

  /// From 1 (withered) to 5 (flourished).
  var result = 5 {
    didSet {
      if result != oldValue { widget.redraw() }
    }
  }

  private static let petals = 5

  /// - Parameter size: the diameter in pixels.
  init(size: Int = 28) {
    widget = growingDrawing(width: size, height: size).css("blossom")
    widget.valign(.center).halign(.center).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  private func draw(on canvas: Canvas) {
    let radius = min(canvas.width, canvas.height) / 2
    for petal in 0..<Blossom.petals {
      outline(petal, on: canvas, radius)
      canvas.fill(petal < result ? canvas.widget.color : canvas.widget.color("track"))
    }
    canvas.circle(canvas.width / 2, canvas.height / 2, radius: radius * 0.18)
    canvas.fill(canvas.widget.color("sun"))
  }

  /// Adds a petal to the path, clockwise from the top one. Its measures are fractions of the blossom's radius.
  private func outline(_ petal: Int, on canvas: Canvas, _ radius: Double) {
    let angle = 2 * .pi * (Double(petal) / Double(Blossom.petals) - 0.25)
    let (sine, cosine) = (sin(angle), cos(angle))
    func point(_ along: Double, _ aside: Double) -> (x: Double, y: Double) {
      (
        canvas.width / 2 + radius * (along * cosine - aside * sine),
        canvas.height / 2 + radius * (along * sine + aside * cosine)
      )
    }
    let (base, tip) = (point(0.2, 0), point(0.98, 0))
    canvas.move(base.x, base.y)
    for side in [0.5, -0.5] {
      let (near, far) = (point(0.34, side), point(0.9, side * 0.95))
      let (first, second, end) = side > 0 ? (near, far, tip) : (far, near, base)
      canvas.curve(first.x, first.y, second.x, second.y, end.x, end.y)
    }
    canvas.close()
  }
}
