/// A picture as a list of filled and stroked outlines, painted in order.
public struct Drawing: Equatable, Sendable {
  public var marks: [Mark] = []

  public init() {}

  /// Drawings over each other, the first at the bottom.
  public init(_ layers: [Drawing]) { marks = layers.flatMap(\.marks) }

  public mutating func fill(_ path: Path, _ paint: Paint) { marks.append(Mark(path: path, fill: paint)) }

  public mutating func fill(_ path: Path, _ color: Color) { fill(path, .color(color)) }

  /// - Parameter width: in the unit of the path's coordinates.
  public mutating func stroke(_ path: Path, _ color: Color, width: Double) {
    marks.append(Mark(path: path, stroke: Stroke(color: color, width: width)))
  }

  /// The same picture with no line thinner than this, in the unit of the coordinates.
  public func lines(atLeast width: Double) -> Drawing {
    var drawing = self
    for (index, mark) in marks.enumerated() where mark.stroke != nil {
      drawing.marks[index].stroke?.width = max(mark.stroke?.width ?? 0, width)
    }
    return drawing
  }

  public mutating func append(_ other: Drawing) { marks += other.marks }
}

/// One outline with its fill or stroke. Strokes have round ends and joins.
public struct Mark: Equatable, Sendable {
  public var path: Path
  public var fill: Paint?
  public var stroke: Stroke?
}

public struct Stroke: Equatable, Sendable {
  public var color: Color
  public var width: Double
}

public enum Paint: Equatable, Sendable {
  case color(Color)
  /// From one colour in the centre to another one at the radius and beyond.
  case radial(center: Point, radius: Double, inner: Color, outer: Color)
  /// From one colour at a point to another one at a second point, and unchanged beyond them.
  case linear(from: Point, to: Point, first: Color, last: Color)
}
