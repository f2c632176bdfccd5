import GtkKit
import TrunkModel

/// A small sprout with the roots that it has in a ground: short in fertile, deep in firm, wide and deep in barren
/// ground.
func rootsPicture(_ ground: Ground) -> Widget {
  growingDrawing(width: 44, height: 34).valign(.center).onDraw { canvas in
    canvas.scale(by: canvas.width / 44)
    let (wood, green) = (canvas.widget.color("wood"), canvas.widget.color("green"))
    canvas.move(2, 14)
    canvas.line(42, 14)
    canvas.stroke(wood, width: 1.8)
    for side in [-1.0, 1.0] {
      canvas.move(22, 13)
      canvas.curve(22 + side * 1, 8, 22 + side * 4, 6, 22 + side * 7, 6)
      canvas.curve(22 + side * 6, 10, 22 + side * 3, 12, 22, 13)
      canvas.fill(green)
    }
    for (x, y) in roots(of: ground) {
      canvas.move(22, 14)
      canvas.curve(22, 17, 22 + x * 0.7, 14 + y * 0.5, 22 + x, 14 + y)
      canvas.stroke(wood, width: 1.3)
    }
  }
}

/// The ends of the roots, from where they begin.
private func roots(of ground: Ground) -> [(x: Double, y: Double)] {
  switch ground {
  case .fertile: [(-4, 5), (0, 6), (4, 5)]
  case .firm: [(-7, 9), (-3, 14), (0, 16), (3, 14), (7, 9)]
  case .barren: [(-18, 9), (-13, 13), (-7, 16), (0, 18), (7, 16), (13, 13), (18, 9)]
  }
}
