import TrunkModel

/// Whether a journal writes the day or the month first, from dates such as `27.04.2023`. Dates with another separator
/// come from another hand or program, and say nothing.
struct DayMonthEvidence {
  private var orders: [Character: Set<DayMonthOrder>] = [:]

  mutating func add(_ date: WrittenDate) {
    if let separator = date.separator, let order = date.shownOrder { orders[separator, default: []].insert(order) }
  }

  /// The orders that dates such as this one show: none, one, or two that contradict each other.
  func orders(_ date: WrittenDate) -> Set<DayMonthOrder> { date.separator.flatMap { orders[$0] } ?? [] }

  /// What the dates show, unless they contradict each other; else the user's answer.
  func order(_ date: WrittenDate, _ answers: [Character: DayMonthOrder]) -> DayMonthOrder? {
    let shown = orders(date)
    return shown.count == 1 ? shown.first : date.separator.flatMap { answers[$0] }
  }
}

extension PageCollector {
  /// The date in an order. If its order isn't known, the user is asked.
  /// - Parameter text: the date as it is written.
  func date(_ written: WrittenDate, _ text: some StringProtocol, _ order: DayMonthOrder?) -> PageDate? {
    let date = written.pageDate(order)
    if question == nil, date == nil, let separator = written.separator, let day = written.pageDate(.dayFirst),
      let month = written.pageDate(.monthFirst)
    {
      question = DayMonthQuestion(example: String(text), separator: separator, dayFirst: day, monthFirst: month)
    }
    return date
  }

  /// The date in the order that others show or the user answered.
  func date(_ written: WrittenDate, _ text: some StringProtocol, _ evidence: DayMonthEvidence) -> PageDate? {
    date(written, text, evidence.order(written, options.dayMonthOrders))
  }
}
