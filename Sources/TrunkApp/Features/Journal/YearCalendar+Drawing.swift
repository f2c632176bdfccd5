import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The picture of the year.
extension YearCalendar {
  private static let rows = 7
  /// The least number of columns: 365 days touch 53 weeks, those of some leap years 54.
  private static let leastWeeks = 53.0
  /// The height of the suns below the weeks, in cells.
  private static let sunHeight = 0.6
  /// The height of the months' names in pixels, at the usual size of texts.
  private static let namesHeight = 15.0
  /// The share of a cell that is a gap.
  private static let gap = 0.22
  /// The lines that hatch a cell, as shares of its size.
  private static let hatching: [(left: Double, top: Double, right: Double, bottom: Double)] = [
    (0, 0, 0.5, 0.5), (0, 0, 1, 1), (0.5, 0.5, 1, 1),
  ]
  /// The room that a month's name needs, in pixels at the usual size of texts.
  private static let nameWidth = 30.0
  /// The largest size of a cell with its gap, in pixels.
  private static let largestCell = 14.0
  /// The number of entries that gives a day the darkest shade.
  private static let most = 3

  /// The first day of the first column, which may be in the year before. Weeks begin as in other calendars of the
  /// locale, while the week of a reflection begins on Monday everywhere.
  private var start: Day { year.first.weekStart(LocaleTime.current.firstWeekday) }

  private var weeks: Int { (Int(year.first.number - start.number) + year.counts.count - 1) / 7 + 1 }

  /// The size of a day with its gap, for a width.
  private func cell(_ width: Double) -> Double { min(width / Double(weeks), YearCalendar.largestCell) }

  /// The height that the names, the weeks and the suns of any year need.
  func height(forWidth width: Double) -> Int {
    let size = min(width / YearCalendar.leastWeeks, YearCalendar.largestCell)
    return Int((namesHeight + size * (Double(YearCalendar.rows) + YearCalendar.sunHeight)).rounded(.up))
  }

  private var namesHeight: Double { YearCalendar.namesHeight * textScale }

  func day(at x: Double, _ y: Double) -> Day? {
    let (size, y) = (cell(Double(picture.width)), y - namesHeight)
    let (week, weekday) = (Int(x / size), Int(y / size))
    guard x >= 0, y >= 0, week < weeks, weekday < YearCalendar.rows else { return nil }
    let day = start.adding(days: Int32(week * 7 + weekday))
    return year.count(on: day) == nil ? nil : day
  }

  private func place(of day: Day, _ size: Double) -> (x: Double, y: Double) {
    let offset = Int(day.number - start.number)
    return (Double(offset / 7) * size, Double(offset % 7) * size + namesHeight)
  }

  /// The names of the months above their first weeks, or only their first letters if the names are too wide.
  private func drawNames(on canvas: Canvas, _ size: Double) {
    let firsts = (1...12).compactMap { Day(year: year.year, month: $0, day: 1) }
    let hasRoom = size * 4 >= YearCalendar.nameWidth * textScale
    for first in firsts {
      let name = Formats.shortMonth(first)
      canvas.text(
        hasRoom ? name : String(name.prefix(1)), place(of: first, size).x, 0, color: canvas.widget.color,
        size: hasRoom ? 1 : 0.85, anchor: (0, 0))
    }
  }

  private func hatchRest(on canvas: Canvas, _ size: Double) {
    let inner = size * (1 - YearCalendar.gap)
    for day in year.counts.indices.map({ year.first.adding(days: Int32($0)) }) where rest.contains(day) {
      let (x, y) = place(of: day, size)
      for (left, top, right, bottom) in YearCalendar.hatching {
        canvas.move(x + left * inner, y + bottom * inner)
        canvas.line(x + right * inner, y + top * inner)
      }
      canvas.stroke(canvas.widget.color("wood"), width: max(0.8, size * 0.09))
    }
  }

  func draw(on canvas: Canvas) {
    let size = cell(canvas.width)
    let inner = size * (1 - YearCalendar.gap)
    let (none, ink) = (canvas.widget.color(YearCalendar.emptyDay), canvas.widget.color("water"))
    let today = context.model.garden.zone.dayKey(context.model.now)
    for (index, count) in year.counts.enumerated() {
      let day = year.first.adding(days: Int32(index))
      let (x, y) = place(of: day, size)
      guard count > 0 else {
        // An outline: a filled cell that stands out from the page would look like a day with an entry.
        canvas.rectangle(x + 0.5, y + 0.5, inner - 1, inner - 1)
        canvas.stroke(none.faded(to: day > today ? 0.5 : 1), width: 1)
        continue
      }
      canvas.rectangle(x, y, inner, inner)
      let shade = Double(min(count, YearCalendar.most)) / Double(YearCalendar.most)
      canvas.fill(ink.faded(to: 0.25 + 0.75 * shade))
    }
    drawNames(on: canvas, size)
    hatchRest(on: canvas, size)
    let sunMiddle = namesHeight + size * (Double(YearCalendar.rows) + YearCalendar.sunHeight / 2)
    for day in year.sunWeeks {
      canvas.circle(place(of: max(day, start), size).x + inner / 2, sunMiddle, radius: max(size * 0.22, 1.2))
      canvas.fill(canvas.widget.color("sun"))
    }
    for (day, color) in [(today, "wood"), (selected, "ink")] {
      guard let day, year.count(on: day) != nil else { continue }
      let (x, y) = place(of: day, size)
      canvas.rectangle(x - 0.5, y - 0.5, inner + 1, inner + 1)
      canvas.stroke(canvas.widget.color(color), width: day == selected ? 2 : 1.2)
    }
  }
}
