import Glibc
import GtkKit

/// The weekly sun: a disc with rays if it is ready, otherwise an outline.
final class SunDisc {
  /// Decorative: the parent's accessible name says whether it is ready.
  let widget: Widget

  /// Whether the sun is ready. When the user lets it shine, the light fades; when it returns, the light comes back.
  var isReady: Bool {
    didSet { light.move(to: isReady ? 1 : 0) }
  }

  /// From 0 (an outline) to 1 (ready).
  let light: GradualValue

  /// - Parameter size: width and height in pixels.
  init(isReady: Bool, size: Int = 20) {
    self.isReady = isReady
    widget = growingDrawing(width: size, height: size).css("sun-disc")
    light = GradualValue(isReady ? 1 : 0, on: widget)
    widget.valign(.center).halign(.center).keeps(self)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
  }

  private func draw(on canvas: Canvas) {
    let (light, color) = (light.shown, canvas.widget.color)
    let line = color.faded(to: 0.75 + 0.25 * light)
    let (x, y) = (canvas.width / 2, canvas.height / 2)
    let radius = min(canvas.width, canvas.height) / 2 - 1
    if light > 0 {
      canvas.circle(x, y, radius: radius * 0.46)
      canvas.fill(color.faded(to: light))
    }
    if light < 1 {
      canvas.circle(x, y, radius: radius * 0.46)
      canvas.stroke(line, width: 1.2)
    }
    // While the light goes out, the rays grow from the disc.
    let isMoving = light > 0 && light < 1
    canvas.rays(x, y, count: 8, from: radius * (isMoving ? 1 - 0.5 * light : 0.72), to: radius)
    canvas.stroke(line, width: 1.1 + 0.6 * light)
  }
}

extension Canvas {
  /// Adds short lines that point away from the centre.
  fileprivate func rays(_ x: Double, _ y: Double, count: Int, from inner: Double, to outer: Double) {
    for position in 0..<count {
      let turn = 2 * Double.pi * Double(position) / Double(count)
      move(x + inner * cos(turn), y + inner * sin(turn))
      line(x + outer * cos(turn), y + outer * sin(turn))
    }
  }
}
