import Glibc
import TrunkModel
import VectorGraphics

/// A garden's life as a twig from its first day to today, with a blade for each month: the control that moves through
/// time.
public struct LifeStrip {
  /// What a blade stands for.
  public enum Unit: Sendable { case day, month, quarter }

  public let first, last: Day
  private let unit: Unit
  private let blades: [Blade]

  private struct Blade {
    var entries = 0, suns = 0, harvests = 0
  }

  /// Younger gardens have a blade for each day, in days.
  private static let youth: Int32 = 122
  /// The width of the strip below which a blade stands for a quarter, in pixels.
  private static let narrowWidth = 500.0
  /// The harvests of a blade that has a flower.
  private static let flowering = 4
  /// The room beside the twig for the handle, in pixels.
  static let margin = 12.0
  /// From the twig to the lower edge, in pixels.
  static let foot = 32.0
  /// Above the highest blade, in pixels.
  private static let head = 14.0

  /// - Parameters:
  ///   - last: today.
  ///   - width: of the strip, in pixels.
  public init(_ garden: Garden, from first: Day, through last: Day, width: Double) {
    (self.first, self.last) = (first, last)
    unit = first.distance(to: last) < LifeStrip.youth ? .day : width < LifeStrip.narrowWidth ? .quarter : .month
    let (unit, begin) = (unit, LifeStrip.number(of: first, unit))
    var blades = [Blade](repeating: Blade(), count: max(LifeStrip.number(of: last, unit) - begin + 1, 1))
    let count = blades.count
    // Nearly all events have the day of the one before.
    var (day, last) = (first, 0)
    func blade(of next: Day) -> Int {
      if next != day { (day, last) = (next, min(max(LifeStrip.number(of: next, unit) - begin, 0), count - 1)) }
      return last
    }
    for entry in garden.journal {
      let number = blade(of: entry.time.day)
      blades[number].entries += 1
      if entry.sprout == nil { blades[number].suns += 1 }
    }
    for sprout in garden.sprouts {
      guard let harvest = sprout.harvest else { continue }
      blades[blade(of: harvest.at.day)].harvests += 1
    }
    self.blades = blades
  }

  private static func number(of day: Day, _ unit: Unit) -> Int {
    let month = Int(day.year) * 12 + Int(day.month) - 1
    switch unit {
    case .day: return Int(day.number)
    case .month: return month
    case .quarter: return month / 3
    }
  }

  /// The first day of a blade, which may be before the first one of the garden.
  private func start(of blade: Int) -> Day {
    let number = LifeStrip.number(of: first, unit) + blade
    let month = unit == .quarter ? number * 3 : number
    guard unit != .day else { return Day(number: Int32(number)) }
    return Day(year: Int32(month / 12), month: Int32(month % 12) + 1, day: 1) ?? first
  }

  /// Where a day stands on a strip of this width.
  public func x(of day: Day, width: Double) -> Double {
    let share = Double(first.distance(to: day)) / Double(max(first.distance(to: last), 1))
    return LifeStrip.margin + min(max(share, 0), 1) * (width - 2 * LifeStrip.margin)
  }

  /// The day at a place of the strip.
  public func day(at x: Double, width: Double) -> Day {
    let share = (x - LifeStrip.margin) / max(width - 2 * LifeStrip.margin, 1)
    return first.adding(days: Int32((min(max(share, 0), 1) * Double(first.distance(to: last))).rounded()))
  }

  /// The years whose first of January is on the strip, and the first year.
  public var years: [(year: Int32, start: Day)] {
    (first.year...max(last.year, first.year)).compactMap { year in
      Day(year: year, month: 1, day: 1).map { (year, max($0, first)) }
    }
  }

  /// The y coordinate of the twig.
  public static func twig(height: Double) -> Double { height - foot }

  /// - Parameter palette: returns the colours of a share of the year, 0…1.
  public func drawing(width: Double, height: Double, palette: (_ month: Int32) -> Palette) -> Drawing {
    var drawing = Drawing()
    let palettes = (1...12).map { palette(Int32($0)) }
    let base = LifeStrip.twig(height: height)
    let most = Double(max(blades.map(\.entries).max() ?? 1, 1))
    for (number, blade) in blades.enumerated() {
      let start = max(start(of: number), first)
      let end = number + 1 < blades.count ? self.start(of: number + 1) : last.adding(days: 1)
      let (left, right) = (x(of: start, width: width), x(of: end, width: width))
      let (middle, room) = ((left + right) / 2, max(right - left, 1.5))
      let palette = palettes[Int(Day(number: (start.number + end.number) / 2).month) - 1]
      let size = pow(Double(blade.entries) / most, 0.8) * (base - LifeStrip.head)
      if blade.entries > 0 {
        let path = LifeStrip.blade(at: Point(middle, base), height: max(size, 3), width: min(room * 0.82, 11))
        drawing.fill(path, palette.leaf(number))
      }
      if blade.harvests >= LifeStrip.flowering {
        drawing.fill(.circle(Point(middle, base - size - 6), radius: 2.2), palette.petal)
      }
      if blade.suns > 0 {
        let radius = 0.5 + 1.5 * min(Double(blade.suns) / 6, 1)
        drawing.fill(.circle(Point(middle, base + 5), radius: radius), palette.gold)
      }
    }
    return drawing
  }

  /// A month on a twig, with a blade for each week.
  /// - Parameters:
  ///   - weeks: the number of entries in each week, and of earlier pages.
  ///   - most: the number of both that the highest blade has.
  public static func month(
    _ weeks: [(entries: Int, pages: Int)], most: Int, width: Double, height: Double, palette: Palette
  ) -> Drawing {
    var drawing = Drawing()
    let (base, step) = (height - 1, (width - 6) / Double(max(weeks.count, 1)))
    for (week, count) in weeks.enumerated() where count.entries + count.pages > 0 {
      let size = max(pow(Double(count.entries + count.pages) / Double(max(most, 1)), 0.8) * (base - 1), 4)
      let foot = Point(3 + (Double(week) + 0.5) * step, base)
      // Pages have the colour that they have in the calendar.
      let color = count.entries > 0 ? palette.leaf(week) : palette.wood
      drawing.fill(blade(at: foot, height: size, width: min(step, 8)), color)
    }
    drawing.stroke(.line(from: Point(0, base), to: Point(width, base)), palette.wood, width: 1.4)
    return drawing
  }

  /// The twig itself, and a mark where each year begins.
  public func twig(width: Double, height: Double, palette: Palette) -> Drawing {
    var drawing = Drawing()
    let base = LifeStrip.twig(height: height)
    func line(_ from: Point, _ to: Point, _ width: Double) {
      drawing.stroke(
        Path { path in
          path.move(to: from)
          path.line(to: to)
        }, palette.wood, width: width)
    }
    line(Point(LifeStrip.margin, base), Point(width - LifeStrip.margin, base), 1.6)
    for (_, start) in years where start > first {
      let x = x(of: start, width: width)
      line(Point(x, base + 8.5), Point(x, base + 11), 1)
    }
    return drawing
  }

  /// The handle: a small cross-section on a hairline.
  public func handle(at x: Double, height: Double, palette: Palette) -> Drawing {
    var drawing = Drawing()
    let center = Point(x, LifeStrip.twig(height: height))
    drawing.stroke(
      Path { path in
        path.move(to: Point(x, 2))
        path.line(to: center)
      }, palette.ink, width: 1.4)
    drawing.fill(.circle(center, radius: 9), palette.ink)
    drawing.fill(.circle(center, radius: 7.4), palette.sapwood)
    drawing.stroke(.circle(center, radius: 4.2), palette.ring, width: 1.2)
    drawing.fill(.circle(center, radius: 1.5), palette.ring)
    return drawing
  }

  private static func blade(at base: Point, height: Double, width: Double) -> Path {
    Path { path in
      let (top, side) = (base - Point(0, height), Point(width * 0.66, 0))
      path.move(to: base)
      path.curve(base - side - Point(0, height * 0.3), top - side + Point(0, height * 0.42), to: top)
      path.curve(top + side + Point(0, height * 0.42), base + side - Point(0, height * 0.3), to: base)
      path.close()
    }
  }
}

extension Palette {
  /// The colour of a good leaf.
  /// - Parameter number: tells leaves apart.
  public func leaf(_ number: Int) -> Color {
    var variation = Variation("blade-\(number)")
    return tint(result: 5, &variation)
  }
}
