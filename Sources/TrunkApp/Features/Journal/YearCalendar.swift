import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// A year of the journal at a glance: a column for each week, and a cell for each day, which is darker with more
/// entries. A dot below a week stands for a reflection, and an outline for a day of rest. Arrow keys select a day;
/// Enter or a click jumps to it.
final class YearCalendar {
  let widget: Widget

  private let context: WindowContext
  private let onDay: @MainActor (Day) -> Void
  private let heading = label("", "section-title")
  private let summary = label("", "hint", "numeric").hexpand().xalign(1)
  private let picture = drawing(width: 160, height: 52, name: tr("Calendar of the year"))
  private var older: Widget?
  private var newer: Widget?
  private var items: [TimelineItem] = []
  private var year: JournalYear
  private var rest = RestDays()
  /// The day that is selected with the keys or under the pointer.
  private var selected: Day?

  private static let rows = 7
  /// The height in pixels; a narrow window uses less.
  private static let height = 104
  /// The share of a cell that is a gap.
  private static let gap = 0.22
  /// The colour around a day without an entry.
  static let emptyDay = "track"
  /// The number of entries that gives a day the darkest shade.
  private static let most = 3

  /// - Parameter onDay: called with the day that the user has pressed.
  init(_ context: WindowContext, onDay: @escaping @MainActor (Day) -> Void) {
    self.context = context
    self.onDay = onDay
    let zone = context.model.garden.zone
    year = JournalYear(zone.dayKey(context.model.now).year, of: [], in: zone)
    let bar = line(spacing: 4, heading, summary)
    widget = column(spacing: 6, bar, picture)
    let older = iconButton("go-previous-symbolic", name: tr("Earlier year")) { [weak self] in self?.move(-1) }
    let newer = iconButton("go-next-symbolic", name: tr("Later year")) { [weak self] in self?.move(1) }
    let growth = iconButton("trunk-tree-symbolic", name: tr("The year in growth")) { [weak self] in
      if let self { widget.activate("win.year", target: "\(year.year)") }
    }
    bar.append(growth, older, newer)
    (self.older, self.newer) = (older, newer)
    picture.focusable(true).size(height: YearCalendar.height)
    picture.onDraw { [weak self] in self?.draw(on: $0) }
    picture.onPointer { [weak self] place in self?.select(place.flatMap { self?.day(at: $0.x, $0.y) }) }
    picture.onClick { [weak self] _, x, y in self?.press(self?.day(at: x, y)) }
    picture.onKey { [weak self] press in self?.press(key: press.key) ?? false }
    picture.onFocus { [weak self] isIn in if !isIn { self?.select(nil) } }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.showRest() }
  }

  /// Whether the window is narrow: the cells are then smaller.
  var isNarrow = false {
    didSet {
      picture.size(height: isNarrow ? -1 : YearCalendar.height)
      describe()
    }
  }

  /// Counts the entries among these items.
  func show(_ items: [TimelineItem]) {
    self.items = items
    show(year.year)
  }

  /// Shows the newest year with entries, unless the shown one has some.
  func leaveEmptyYear() {
    if year.daysWritten == 0, let last = year.years.last { show(last) }
  }

  private func show(_ number: Int32) {
    let (zone, now) = (context.model.garden.zone, context.model.now)
    year = JournalYear(number, of: items, in: zone)
    let thisYear = zone.dayKey(now).year
    older?.sensitive((year.years.first ?? thisYear) < number)
    newer?.sensitive(max(year.years.last ?? thisYear, thisYear) > number)
    heading.setText(title)
    select(nil)
    describe()
    picture.redraw()
  }

  private func showRest() {
    let rest = context.settings.restDays
    guard rest != self.rest else { return }
    self.rest = rest
    describe()
    picture.redraw()
  }

  private var title: String { "\(year.year)" }

  private func move(_ step: Int32) { show(year.year + step) }

  private func select(_ day: Day?) {
    guard day != selected else { return }
    selected = day
    describe()
    picture.redraw()
  }

  private func describe() {
    if let selected, let count = year.count(on: selected) {
      let date = Formats.day(selected)
      var text =
        count == 0
        ? tr("{date}: no entry", ["date": date])
        : trn("{date}: {n} entry", "{date}: {n} entries", count, ["date": date])
      if rest.contains(selected) { text += ", " + tr("day of rest") }
      summary.setText(text)
      picture.accessibleDescription(text)
    } else {
      let days = trn("{n} day with an entry", "{n} days with entries", year.daysWritten)
      let weeks = trn("{n} week with sun", "{n} weeks with sun", year.sunWeeks.count)
      summary.setText(isNarrow ? days : days + " · " + weeks)
      let resting = year.counts.indices.count { rest.contains(year.first.adding(days: Int32($0))) }
      let rested = resting == 0 ? [] : [trn("{n} day of rest", "{n} days of rest", resting)]
      picture.accessibleDescription(([title, days, weeks] + rested).joined(separator: ", "))
    }
  }

  private func press(_ day: Day?) {
    if let day, year.count(on: day) != nil { onDay(day) }
  }

  private func press(key: KeyPress.Key) -> Bool {
    let today = context.model.garden.zone.dayKey(context.model.now)
    let last = year.first.adding(days: Int32(year.counts.count - 1))
    let start = selected ?? min(today, last)
    func go(_ days: Int32) { select(min(max(start.adding(days: days), year.first), last)) }
    switch key {
    case .left: go(selected == nil ? 0 : -7)
    case .right: go(selected == nil ? 0 : 7)
    case .up: go(selected == nil ? 0 : -1)
    case .down: go(selected == nil ? 0 : 1)
    case .home: select(year.first)
    case .end: select(last)
    case .pageUp: if older?.isSensitive == true { move(-1) }
    case .pageDown: if newer?.isSensitive == true { move(1) }
    case .enter, .space: press(selected)
    default: return false
    }
    return true
  }
}

extension YearCalendar {
  private var monday: Day { year.first.monday }

  private var weeks: Int {
    Int(year.first.adding(days: Int32(year.counts.count - 1)).monday.number - monday.number) / 7 + 1
  }

  /// The size of a day with its gap, for a width.
  private func cell(_ width: Double) -> Double { min(width / Double(weeks), 14) }

  private func day(at x: Double, _ y: Double) -> Day? {
    let size = cell(Double(picture.width))
    let (week, weekday) = (Int(x / size), Int(y / size))
    guard x >= 0, y >= 0, week < weeks, weekday < YearCalendar.rows else { return nil }
    let day = monday.adding(days: Int32(week * 7 + weekday))
    return year.count(on: day) == nil ? nil : day
  }

  private func place(of day: Day, _ size: Double) -> (x: Double, y: Double) {
    let offset = Int(day.number - monday.number)
    return (Double(offset / 7) * size, Double(offset % 7) * size)
  }

  private func outlineRest(on canvas: Canvas, _ size: Double) {
    let inner = size * (1 - YearCalendar.gap)
    for day in year.counts.indices.map({ year.first.adding(days: Int32($0)) }) where rest.contains(day) {
      let (x, y) = place(of: day, size)
      canvas.rectangle(x + 0.5, y + 0.5, inner - 1, inner - 1)
      canvas.stroke(canvas.widget.color("wood"), width: 1.2)
    }
  }

  private func draw(on canvas: Canvas) {
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
    outlineRest(on: canvas, size)
    for day in year.sunWeeks where day.number >= monday.number {
      canvas.circle(
        place(of: day, size).x + inner / 2, Double(YearCalendar.rows) * size + size * 0.3, radius: max(size * 0.22, 1.2)
      )
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
