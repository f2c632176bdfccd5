import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The line above the journal: the month that is read, the months of its year, and the filter. The name of the month
/// opens its days in place.
final class JournalBar {
  let widget = column()

  /// Called with a day: the newest entry up to it is to be shown.
  var onDay: ((Day) -> Void)?
  /// Called when the user wants to filter the journal.
  var onFilter: (() -> Void)?
  /// Called when the user wants the newest entry.
  var onNewest: (() -> Void)?

  private let context: WindowContext
  private let name = label("", "journal-month")
  private let arrow = icon("pan-down-symbolic")
  private let nameButton: Widget
  private let older = iconButton("go-previous-symbolic", name: "") {}
  private let newer = iconButton("go-next-symbolic", name: "") {}
  private let newest: Widget
  private let filterText = label("").maxChars(16)
  private let filterButton: Widget
  private let spacer = bin().hexpand()
  private let year = TextLink("win.year")
  private let strip = MonthStrip()
  private let days: MonthDays
  private let panel = column(spacing: 6)
  private var lines: [JournalLine] = []
  /// The months with lines, in ascending order; each as its first day.
  private var months: [Day] = []
  private var journalYear: JournalYear
  /// The day of the topmost line.
  private var top: Day

  /// The height of the line, in pixels at the usual size of texts.
  private static let height = 50

  init(_ context: WindowContext) {
    self.context = context
    top = context.today
    journalYear = JournalYear(top.year, of: [])
    days = MonthDays(context)
    nameButton = contentButton(line(spacing: 4, name, arrow)).css("flat", "month-name").valign(.center)
    filterButton = contentButton(filterText).css("text-button", "chip").valign(.center)
    newest = iconButton("go-top-symbolic", name: tr("Back to the newest entry")) {}.visible(false)
    let bar = line(
      spacing: 2, nameButton, spacer, older, strip.widget.valign(.center), year.widget.valign(.center), newer, newest,
      filterButton.margin(start: 8))
    panel.append(
      days.widget,
      paragraph(tr("Arrows move by a day and a week, Page Up and Down by a month, Enter goes there."), "hint"))
    widget.append(bar.css("grows-high-\(JournalBar.height)"), panel.margin(bottom: 8).visible(false))
    connect()
    widget.keeps(self)
  }

  /// Whether there is room for the twelve months.
  var showsMonths = true {
    didSet { if showsMonths != oldValue { show() } }
  }

  /// Whether there is no room for the whole name of the month.
  var isShort = false {
    didSet { if isShort != oldValue { show() } }
  }

  /// Whether the days of the month are shown.
  var isOpen = false {
    didSet { if isOpen != oldValue { showPanel() } }
  }

  /// Whether the newest line is out of sight.
  var isScrolled = false {
    didSet { showNewest() }
  }

  /// Shows the months of these lines, and what the filter is.
  /// - Parameter lines: newest first.
  func show(_ lines: [JournalLine], _ filter: TimelineFilter, in garden: Garden) {
    self.lines = lines
    months = JournalBar.months(of: lines)
    journalYear = JournalYear(top.year, of: lines)
    let conditions = filter.title(in: garden)
    filterText.setText(conditions.isEmpty ? tr("Filter…") : conditions)
    filterButton.accessibleName(conditions.isEmpty ? tr("Filter…") : tr("Filter: {filter}", ["filter": conditions]))
    filterButton.css("set", when: !conditions.isEmpty)
    if isOpen { days.show(lines, at: days.selected) }
    show()
  }

  /// Shows the month of the topmost line.
  func show(top day: Day) {
    guard day != top else { return }
    top = day
    if day.year != journalYear.year { journalYear = JournalYear(day.year, of: lines) }
    show()
  }

  /// Opens or closes the days of the month.
  func toggle() {
    isOpen.toggle()
    if isOpen { days.widget.focus() }
  }
}

extension JournalBar {
  private func connect() {
    nameButton.on("clicked") { [weak self] in self?.toggle() }
    older.on("clicked") { [weak self] in self?.step(-1) }
    newer.on("clicked") { [weak self] in self?.step(1) }
    newest.on("clicked") { [weak self] in self?.onNewest?() }
    filterButton.on("clicked") { [weak self] in self?.onFilter?() }
    strip.onStep = { [weak self] in self?.step($0) }
    strip.onMonth = { [weak self] month in
      guard let self, let day = Day(year: journalYear.year, month: month, day: 1) else { return }
      go(to: day.monthEnd)
    }
    days.onDay = { [weak self] in self?.go(to: $0) }
    days.onMonth = { [weak self] in self?.show() }
  }

  /// The months of lines, which are newest first.
  private static func months(of lines: [JournalLine]) -> [Day] {
    var months: [Day] = []
    for line in lines {
      let day = line.day
      let first = day.adding(days: 1 - day.day)
      if months.last != first { months.append(first) }
    }
    return months.reversed()
  }

  private func show() {
    let shown = isOpen ? days.selected : top
    name.setText(Formats.month(shown, isShort: isShort))
    nameButton.accessibleName(Formats.month(shown)).tooltip(tr("Days of the month (C)"))
    strip.widget.visible(showsMonths && !isOpen)
    spacer.visible(!showsMonths || isOpen)
    strip.show(journalYear, month: top.month)
    year.widget.visible(isOpen)
    year.show("\(shown.year)", target: "\(shown.year)")
    for (button, step) in [(older, -1), (newer, 1)] {
      let name =
        switch (isOpen, step) {
        case (true, -1): tr("Previous year")
        case (true, _): tr("Next year")
        case (false, -1): tr("Previous month")
        case (false, _): tr("Next month")
        }
      button.accessibleName(name).tooltip(name).sensitive(isOpen || month(beside: step) != nil)
    }
  }

  /// A short line has no room for it beside the year.
  private func showNewest() { newest.visible(isScrolled && !(isShort && isOpen)) }

  private func showPanel() {
    panel.visible(isOpen)
    arrow.setIcon(isOpen ? "pan-up-symbolic" : "pan-down-symbolic")
    nameButton.expanded(isOpen)
    if isOpen { days.show(lines, at: top) }
    showNewest()
    show()
  }

  /// The month before or after the one that is read, if it has lines.
  private func month(beside step: Int) -> Day? {
    let first = top.adding(days: 1 - top.day)
    return step < 0 ? months.last { $0 < first } : months.first { $0 > first }
  }

  private func step(_ step: Int) {
    if isOpen { return days.step(years: Int32(step)) }
    if let month = month(beside: step) { go(to: month.monthEnd) }
  }

  private func go(to day: Day) {
    isOpen = false
    onDay?(day)
  }
}
