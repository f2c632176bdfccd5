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
  private var middle: Point { base + direction * (length * 0.5) }

  private func bulge(_ side: Double) -> (Point, Point) {
    let sideways = direction.normal * (side * width * 0.72)
    let tipDirection = direction.turned(by: curl * 1.3)
    let last =
      isRound
      ? tip + direction.normal * (side * width * 0.55)
      : tip - tipDirection * (length * 0.42) + tipDirection.normal * (side * width * 0.42)
    return (base + direction * (length * 0.16) + sideways, last)
  }

  var outline: Path {
    let ((left1, left2), (right1, right2)) = (bulge(-1), bulge(1))
    return Path { path in
      path.move(to: base)
      path.curve(left1, left2, to: tip)
      path.curve(right2, right1, to: base)
      path.close()
    }
  }

  var leftHalf: Path { half(-1) }
  var rightHalf: Path { half(1) }

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
}
