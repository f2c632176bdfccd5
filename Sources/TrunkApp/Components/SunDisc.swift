import Glibc
import GtkKit

/// The weekly sun: a disc with rays if it is ready, otherwise an outline.
final class SunDisc {
  /// Decorative: the parent's accessible name says whether it is ready.
  let widget: Widget

  var isReady: Bool {
    didSet {
      if isReady != oldValue { widget.redraw() }
    }
  }

  /// - Parameter size: width and height in pixels.
  init(isReady: Bool, size: Int = 20) {
    self.isReady = isReady
    widget = drawing(width: size, height: size).css("sun-disc")
    widget.alignDown(.center).align(.center).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  private func draw(on canvas: Canvas) {
    let color = canvas.widget.color.faded(to: isReady ? 1 : 0.75)
    let (x, y) = (canvas.width / 2, canvas.height / 2)
    let radius = min(canvas.width, canvas.height) / 2 - 1
    canvas.circle(x, y, radius: radius * 0.46)
    if isReady {
      canvas.fill(color)
    } else {
      canvas.stroke(color, width: 1.2)
    }
    canvas.rays(x, y, count: 8, from: radius * 0.72, to: radius)
    canvas.stroke(color, width: isReady ? 1.7 : 1.1)
  }
}

extension Canvas {
  /// Adds short lines that point away from the center.
  fileprivate func rays(_ x: Double, _ y: Double, count: Int, from inner: Double, to outer: Double) {
    for position in 0..<count {
      let turn = 2 * Double.pi * Double(position) / Double(count)
      move(x + inner * cos(turn), y + inner * sin(turn))
      line(x + outer * cos(turn), y + outer * sin(turn))
    }
  }
}
