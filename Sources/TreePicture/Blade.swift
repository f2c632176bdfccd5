import VectorGraphics

/// The outline of one leaflet or petal.
struct Blade {
  let base: Point
  let direction: Point
  let length: Double
  let width: Double
  /// How much the tip turns to the side, in radians.
  let curl: Double
  var isRound = false

  private var tip: Point { base + direction.turned(by: curl * 0.6) * length }
  var middle: Point { base + direction * (length * 0.5) }

  private func bulge(_ side: Double) -> (Point, Point) {
    let sideways = direction.normal * (side * width * 0.72)
    let tipDirection = direction.turned(by: curl * 1.3)
    let last =
      isRound
      ? tip + direction.normal * (side * width * 0.55)
      : tip - tipDirection * (length * 0.42) + tipDirection.normal * (side * width * 0.42)
    return (base + direction * (length * 0.16) + sideways, last)
  }

  var outline: Path { outline(from: -1) }

  /// - Parameter first: the side on which the outline begins: -1 or 1.
  private func outline(from first: Double) -> Path {
    let ((there1, there2), (back1, back2)) = (bulge(first), bulge(-first))
    return Path { path in
      path.move(to: base)
      path.curve(there1, there2, to: tip)
      path.curve(back2, back1, to: base)
      path.close()
    }
  }

  /// A line along the inside of the outline, as an area.
  /// - Parameter thickness: of the line, in pixels.
  func frame(thickness: Double) -> Path {
    let inner = Blade(
      base: base + direction * (thickness * 1.3), direction: direction, length: max(length - thickness * 2.8, 0),
      width: max(width - thickness * 1.7, 0), curl: curl)
    // The inner outline runs the other way round, so it is a hole.
    return Path([outline, inner.outline(from: 1)])
  }

  /// The half that the light falls on: it comes from the top left.
  var litHalf: Path { half(direction.normal.x * 0.6 + direction.normal.y * 0.8 > 0 ? -1 : 1) }

  private func half(_ side: Double) -> Path {
    let (first, second) = bulge(side)
    return Path { path in
      path.move(to: base)
      path.curve(first, second, to: tip)
      path.curve(middle, middle, to: base)
      path.close()
    }
  }

  var midrib: Path {
    Path { path in
      path.move(to: base)
      path.curve(middle, middle, to: base.mixed(with: tip, 0.86))
    }
  }

  /// A vein from the midrib towards the edge.
  /// - Parameters:
  ///   - share: where it leaves the midrib, 0…1 from the base.
  ///   - side: -1 or 1.
  func vein(at share: Double, side: Double) -> Path {
    // There is no room for veins in the last tenth of each end.
    let start = 0.08 + 0.78 * share
    let end = start + (1 - start) * 0.3
    let (first, second) = bulge(side)
    let edge = Blade.point(base, first, second, tip, end)
    let from = Blade.point(base, middle, middle, tip, start)
    let inner = Blade.point(base, middle, middle, tip, end)
    let to = inner.mixed(with: edge, 0.8)
    return Path { path in
      path.move(to: from)
      path.curve(
        from.mixed(with: to, 0.4) + (edge - inner) * 0.06, from.mixed(with: to, 0.75) + (edge - inner) * 0.05, to: to)
    }
  }

  private static func point(_ start: Point, _ first: Point, _ second: Point, _ end: Point, _ share: Double) -> Point {
    let (a, b, c) = (start.mixed(with: first, share), first.mixed(with: second, share), second.mixed(with: end, share))
    return a.mixed(with: b, share).mixed(with: b.mixed(with: c, share), share)
  }
}
