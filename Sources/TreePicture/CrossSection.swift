import Glibc
import VectorGraphics

/// The cross-section of the trunk with a ring for each year, wide in good years.
public struct CrossSection: Equatable, Sendable {
  private let center: Point
  /// Without the bark, in pixels.
  private let radius: Double
  /// Where each ring ends, as a share of the radius.
  private let ends: [Double]

  /// The radius with the bark, as a multiple of the radius without it.
  public static let bark = 1.16

  /// In pixels.
  private static let markWidth = 2.5
  /// The least width of a ring, in pixels.
  private static let leastWidth = 0.1

  /// The full months of a tree without a full year.
  private let months: Int

  /// - Parameters:
  ///   - gains: the soil gained in each year, oldest first.
  ///   - months: the full months of a tree in its first year. Each has a fine line, until the year has its ring.
  ///   - radius: without the bark, in pixels.
  public init(_ gains: [Double], months: Int = 0, center: Point, radius: Double) {
    (self.center, self.radius, self.months) = (center, radius, months)
    // A year without a gain still gets a thin ring.
    let least = 0.35 * gains.reduce(0, +) / Double(max(gains.count, 1)) + 0.01
    let total = gains.reduce(0) { $0 + $1 + least }
    var reached = 0.0
    ends = gains.map { gain in
      reached += gain + least
      return reached / total
    }
  }

  /// - Parameter marked: the year whose ring stands out, counted from the first.
  public func drawing(_ palette: Palette, lineWidth: Double, marked: Int? = nil) -> Drawing {
    var drawing = Drawing()
    drawing.fill(ripple(CrossSection.bark, roughness: 0.035), palette.woodDark)
    drawing.fill(ripple(1.1, roughness: 0.03), palette.wood)
    drawing.fill(
      ripple(1, roughness: 0.02),
      .radial(center: center, radius: radius, inner: palette.heartwood, outer: palette.sapwood))
    let months = (0..<months).map { ring(Double($0 + 1) / 12) }
    if !months.isEmpty { drawing.stroke(Path(months), palette.ring.faded(to: 0.4), width: lineWidth * 0.7) }
    for end in visibleEnds { drawing.stroke(ring(end), palette.ring.faded(to: 0.75), width: lineWidth) }
    if let marked, ends.indices.contains(marked) { draw(marked, palette, into: &drawing) }
    drawing.fill(.circle(center, radius: radius * 0.035), palette.ring)
    return drawing
  }

  /// Without the rings that can't be told from the ring inside them. An entry with a wrong date can be a hundred
  /// thousand years old.
  private var visibleEnds: [Double] {
    var last = 0.0
    return ends.filter { end in
      guard (end - last) * radius >= CrossSection.leastWidth else { return false }
      last = end
      return true
    }
  }

  private func draw(_ year: Int, _ palette: Palette, into drawing: inout Drawing) {
    let (start, end) = (year > 0 ? ends[year - 1] : 0, ends[year])
    // A band as wide as the ring, because a drawing can't cut a hole.
    drawing.stroke(ring((start + end) / 2), palette.woodDark.faded(to: 0.25), width: (end - start) * radius)
    // A thin ring must be seen too.
    drawing.stroke(ring(end), palette.berry, width: CrossSection.markWidth)
  }

  private func ring(_ end: Double) -> Path { ripple(end, roughness: 0.012 + 0.01 * end) }

  /// Returns a circle with the same irregularities as the circles inside it.
  /// - Parameter share: the circle's share of the trunk's radius.
  private func ripple(_ share: Double, roughness: Double) -> Path {
    .closed(
      through: (0..<36).map { step in
        let angle = Double(step) * 2 * .pi / 36
        let uneven = sin(angle * 3 + 0.7) * 0.5 + sin(angle * 5 + 2.1) * 0.3 + sin(angle * 2 + 4) * 0.6
        return center + Point(angle: angle) * (radius * share * (1 + roughness * uneven))
      })
  }
}
