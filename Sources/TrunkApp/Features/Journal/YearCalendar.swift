import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// A year of the journal at a glance: a column for each week below the names of the months, and a cell for each day,
/// which is darker with more entries. A dot below a week stands for a reflection, and hatching for a day of rest. Arrow
/// keys select a day; Enter or a click jumps to it.
final class YearCalendar {
  let widget: Widget

  let context: WindowContext
  private let onDay: @MainActor (Day) -> Void
  private let heading = label("", "section-title")
  private let summary = label("", "hint", "numeric").hexpand().xalign(1)
  let picture = drawing(width: 160, height: 0, name: tr("Calendar of the year")).css("chart")
  private var older: Widget?
  private var newer: Widget?
  private var items: [TimelineItem] = []
  var year: JournalYear
  var rest = RestDays()
  /// The day that is selected with the keys or under the pointer.
  var selected: Day?

  /// The colour around a day without an entry.
  static let emptyDay = "track"

  /// - Parameter onDay: called with the day that the user has pressed.
  init(_ context: WindowContext, onDay: @escaping @MainActor (Day) -> Void) {
    self.context = context
    self.onDay = onDay
    let zone = context.model.garden.zone
    year = JournalYear(zone.dayKey(context.model.now).year, of: [])
    let bar = line(spacing: 4, heading, summary)
    widget = column(spacing: 6, bar, picture)
    let older = iconButton("go-previous-symbolic", name: tr("Previous year")) { [weak self] in self?.move(-1) }
    let newer = iconButton("go-next-symbolic", name: tr("Next year")) { [weak self] in self?.move(1) }
    let growth = iconButton("trunk-tree-symbolic", name: tr("The year in growth")) { [weak self] in
      if let self { widget.activate("win.year", target: "\(year.year)") }
    }
    bar.append(growth, older, newer)
    (self.older, self.newer) = (older, newer)
    picture.focusable(true)
    fit()
    picture.onDraw { [weak self] in self?.draw(on: $0) }
    picture.onPointer { [weak self] place in self?.select(place.flatMap { self?.day(at: $0.x, $0.y) }) }
    picture.onClick { [weak self] _, x, y in self?.press(self?.day(at: x, y)) }
    picture.onKey { [weak self] press in self?.press(key: press.key) ?? false }
    picture.onFocus { [weak self] isIn in if !isIn { self?.select(nil) } }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.showRest() }
  }

  /// Whether there is only room for one of its numbers.
  var isNarrow = false {
    didSet { if isNarrow != oldValue { describe() } }
  }

  /// The width of the picture in pixels, on which its height depends.
  var width = columnWidth {
    didSet { fit() }
  }

  private func fit() { picture.size(height: height(forWidth: Double(width))) }

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
    year = JournalYear(number, of: items)
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
