import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The times of rest: lists them, adds one, and ends the current one early.
final class RestSection: PreferencesSection {
  let groups: [Widget]
  weak var window: (any DialogParent)?

  private let context: WindowContext
  private let problem = paragraph("", "error").visible(false)
  private let list = boxedList()
  private let from = LimitedRow(tr("Rest from (like 2026-12-20)"), limit: 20)
  private let to = LimitedRow(tr("Rest until"), limit: 20)
  private let summary = paragraph("", "hint")
  private let buttons = wrapping()
  private var rows: [Widget] = []
  private var shown = RestDays()

  init(_ context: WindowContext) {
    self.context = context
    groups = [
      settingsGroup(
        tr("Rest"),
        note: tr(
          "While the garden rests, nothing reminds you, your days in a row are kept and the tree has only buds. You can still write. Other devices don’t know about it."
        ), from.widget, to.widget, problem.margin(top: 8, start: 4, end: 4),
        summary.margin(top: 8, start: 4, end: 4), buttons.margin(top: 8)),
      settingsGroup("", list.accessibleName(tr("Times of rest"))),
    ]
    buttons.append(button(tr("Add Rest")) { [weak self] in self?.add() })
    from.text = context.today.description
    from.addCalendar(tr("Choose the First Day")) { context.today }
    to.addCalendar(tr("Choose the Last Day")) { context.today }
    for field in [from, to] {
      field.onChange = { [weak self] in self?.summarise() }
      field.onSubmit = { [weak self] in self?.add() }
    }
    summarise()
    list.keeps(self)
  }

  func render() {
    let problem = context.settings.restProblem
    self.problem.setText(problem ?? "")
    self.problem.visible(problem != nil)
    let days = context.settings.restDays
    list.visible(!days.periods.isEmpty)
    // The buttons depend on the day, too, but it rarely changes while this dialog is open.
    guard days != shown else { return }
    shown = days
    rows.forEach { list.remove($0) }
    rows = days.periods.reversed().map { row(of: $0) }
    rows.forEach { list.append($0) }
  }
}

extension RestSection {
  private func row(of period: RestPeriod) -> Widget {
    let isNow = period.contains(context.today)
    let count = trn("{n} day", "{n} days", period.count)
    let change =
      isNow
      ? button(tr("End Rest")) { [weak self] in self?.end() }
      : iconButton("user-trash-symbolic", name: tr("Remove the rest of {time}", ["time": period.text])) {
        [weak self] in self?.change { $0.remove(period) }
      }
    let note = isNow ? tr("{time}, resting now", ["time": count]) : count
    return GtkKit.row(period.text, note, end: change.valign(.center)).titleLines(0)
  }

  private func end() {
    let today = context.today
    change { $0.end(on: today) }
  }

  private func change(_ change: @escaping (inout RestDays) -> Void) {
    let settings = context.settings
    context.attempt(in: window?.foot) { try settings.changeRestDays(change) }
  }

  private var first: Day? { Period(from.text, today: context.today)?.first }
  private var last: Day? { Period(to.text, today: context.today)?.last }

  /// Says how long the typed time is, so that a wrong year is noticed.
  private func summarise() {
    let typed = first.flatMap { first in last.flatMap { RestPeriod(first: first, last: $0) } }
    summary.visible(typed != nil)
    guard let typed else { return }
    summary.setText(dotted([typed.text, trn("{n} day", "{n} days", typed.count)]))
  }

  private func add() {
    for (field, day) in [(from, first), (to, last)] where day == nil {
      field.show(problem: tr("Write a date like {date}.", ["date": context.today.description]))
      return field.focus()
    }
    guard let first, let last, let period = RestPeriod(first: first, last: last) else {
      to.show(problem: tr("This is before the first day."))
      return to.focus()
    }
    let (settings, today) = (context.settings, context.today)
    context.attempt(in: window?.foot) { [weak self] in
      try settings.changeRestDays { $0.add(period) }
      self?.from.text = today.description
      self?.to.text = ""
    }
  }
}
