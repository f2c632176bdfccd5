import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The days of a month, which are darker with more entries, and brown with earlier pages; hatching is a day of rest.
/// Arrow keys move by a day and a week, Page Up and Page Down by a month; Enter or a click goes to a day.
final class MonthDays {
  let widget = drawing(width: 7 * MonthDays.leastCell, height: 0, name: tr("Days of the month")).css("chart")

  /// Called with the day that the user has pressed.
  var onDay: ((Day) -> Void)?
  /// Called when another month is shown.
  var onMonth: (() -> Void)?

  private let context: WindowContext
  private var year: JournalYear
  private var lines: [JournalLine] = []
  /// The day that is selected with the keys or under the pointer.
  private(set) var selected: Day

  private static let leastCell = 38
  private static let (cellHeight, gap, names) = (34.0, 6.0, 24.0)
  /// The number of entries that gives a day the darkest shade.
  private static let most = 3

  init(_ context: WindowContext) {
    self.context = context
    selected = context.today
    year = JournalYear(selected.year, of: [])
    widget.hexpand().focusable(true)
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.onPointer { [weak self] place in
      if let self, let place, let day = day(at: place.x, place.y) { select(day) }
    }
    widget.onClick { [weak self] _, x, y in
      if let self, let day = day(at: x, y) { onDay?(day) }
    }
    widget.onKey { [weak self] in self?.press($0) ?? false }
    widget.keeps(self)
  }

  /// Shows the month of a day, and selects it.
  func show(_ lines: [JournalLine], at day: Day) {
    (self.lines, year) = (lines, JournalYear(day.year, of: lines))
    select(day, isNew: true)
  }

  /// Shows the same month of another year.
  func step(years: Int32) { select(selected.adding(months: 12 * years)) }

  private func select(_ day: Day, isNew: Bool = false) {
    let isOtherMonth = isNew || day.year != selected.year || day.month != selected.month
    selected = day
    if day.year != year.year { year = JournalYear(day.year, of: lines) }
    if isOtherMonth {
      widget.size(height: Int(MonthDays.names + Double(weeks) * (MonthDays.cellHeight + MonthDays.gap)))
      onMonth?()
    }
    describe()
    widget.redraw()
  }

  private func describe() {
    let (count, pages) = (year.count(on: selected) ?? 0, year.pages(on: selected) ?? 0)
    let date = Formats.day(selected)
    var text =
      if count > 0 {
        trn("{date}: {n} entry", "{date}: {n} entries", count, ["date": date])
      } else if pages > 0 {
        trn("{date}: {n} earlier page", "{date}: {n} earlier pages", pages, ["date": date])
      } else {
        tr("{date}: no entry", ["date": date])
      }
    if count > 0, pages > 0 { text += ", " + trn("{n} earlier page", "{n} earlier pages", pages) }
    if context.settings.restDays.contains(selected) { text += ", " + tr("day of rest") }
    widget.accessibleDescription(text)
    widget.tooltip(text)
  }

  private func press(_ press: KeyPress) -> Bool {
    guard press.modifiers.isEmpty else { return false }
    switch press.key {
    case .left: select(selected.adding(days: -1))
    case .right: select(selected.adding(days: 1))
    case .up: select(selected.adding(days: -7))
    case .down: select(selected.adding(days: 7))
    case .pageUp: select(selected.adding(months: -1))
    case .pageDown: select(selected.adding(months: 1))
    case .home: select(days.first ?? selected)
    case .end: select(selected.monthEnd)
    case .enter, .space: onDay?(selected)
    default: return false
    }
    return true
  }
}

// MARK: - The picture

extension MonthDays {
  private var days: [Day] { selected.daysOfMonth }

  /// The first day of the first row, which may be in the month before. Weeks begin as in other calendars of the locale.
  private var start: Day { (days.first ?? selected).weekStart(LocaleTime.current.firstWeekday) }

  private var weeks: Int { Int(start.distance(to: selected.monthEnd)) / 7 + 1 }

  private func place(of day: Day, width: Double) -> (x: Double, y: Double, width: Double) {
    let offset = Int(start.distance(to: day))
    let cell = width / 7
    return (
      Double(offset % 7) * cell + MonthDays.gap / 2,
      MonthDays.names + Double(offset / 7) * (MonthDays.cellHeight + MonthDays.gap), cell - MonthDays.gap
    )
  }

  func day(at x: Double, _ y: Double) -> Day? {
    let week = Int((y - MonthDays.names) / (MonthDays.cellHeight + MonthDays.gap))
    let weekday = Int(x / (Double(max(widget.width, 7)) / 7))
    guard x >= 0, y >= MonthDays.names, (0..<7).contains(weekday) else { return nil }
    let day = start.adding(days: Int32(week * 7 + weekday))
    return days.contains(day) ? day : nil
  }

  private func draw(on canvas: Canvas) {
    let (faint, ink, today) = (canvas.widget.color, canvas.widget.color("ink"), context.today)
    for weekday in 0..<7 {
      let day = start.adding(days: Int32(weekday))
      let (x, _, width) = place(of: day, width: canvas.width)
      canvas.text(Formats.shortWeekday(day), x + width / 2, MonthDays.names / 2 - 2, color: faint)
    }
    for day in days {
      let (x, y, width) = place(of: day, width: canvas.width)
      let (count, pages) = (year.count(on: day) ?? 0, year.pages(on: day) ?? 0)
      canvas.rounded(x + 0.5, y + 0.5, width - 1, MonthDays.cellHeight - 1, radius: 8)
      if count + pages > 0 {
        let shade = Double(min(max(count, pages), MonthDays.most)) / Double(MonthDays.most)
        let tint = canvas.widget.color(count > 0 ? "water" : "wood")
        canvas.fill(tint.faded(to: 0.12 + 0.4 * shade), keep: true)
      }
      canvas.stroke(canvas.widget.color("edge").faded(to: day > today ? 0.4 : 0.9), width: 1)
      if count > 0, pages > 0 {
        canvas.rounded(x + 8, y + MonthDays.cellHeight - 6, width - 16, 3, radius: 1.5)
        canvas.fill(canvas.widget.color("wood"))
      }
      if context.settings.restDays.contains(day) { hatch(x, y, width, on: canvas) }
      canvas.text(
        "\(day.day)", x + width / 2, y + MonthDays.cellHeight / 2, color: day > today ? faint : ink, size: 1.05,
        bold: day == selected)
      guard day == selected || day == today else { continue }
      canvas.rounded(x + 0.5, y + 0.5, width - 1, MonthDays.cellHeight - 1, radius: 8)
      canvas.stroke(day == selected ? ink : canvas.widget.color("wood"), width: day == selected ? 2 : 1.4)
    }
  }

  /// Hatches a day of rest in its lower right corner, beside the number.
  private func hatch(_ x: Double, _ y: Double, _ width: Double, on canvas: Canvas) {
    for step in [5.0, 9, 13] {
      canvas.move(x + width - 3, y + MonthDays.cellHeight - step - 2)
      canvas.line(x + width - step - 2, y + MonthDays.cellHeight - 3)
    }
    canvas.stroke(canvas.widget.color("wood"), width: 1)
  }
}
