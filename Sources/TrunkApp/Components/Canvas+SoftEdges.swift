import CairoKit
import GtkKit
import VectorGraphics

extension Canvas {
  /// Lets a part of the tree end in the paper, not at a line.
  func softenEdges() {
    let (paper, depth) = (widget.color("ground"), 22.0)
    var edges = Drawing()
    func soften(_ edge: Rectangle, from start: Point, to end: Point) {
      edges.fill(
        Path { path in
          path.move(to: Point(edge.x, edge.y))
          path.line(to: Point(edge.x + edge.width, edge.y))
          path.line(to: Point(edge.x + edge.width, edge.y + edge.height))
          path.line(to: Point(edge.x, edge.y + edge.height))
          path.close()
        }, .linear(from: start, to: end, first: paper, last: paper.faded(to: 0)))
    }
    for (y, inner) in [(0, depth), (height, height - depth)] {
      soften(
        Rectangle(x: 0, y: min(y, inner), width: width, height: depth), from: Point(0, y), to: Point(0, inner))
    }
    for (x, inner) in [(0, depth), (width, width - depth)] {
      soften(
        Rectangle(x: min(x, inner), y: 0, width: depth, height: height), from: Point(x, 0), to: Point(inner, 0))
    }
    Painter(cairo).paint(edges)
  }
}
