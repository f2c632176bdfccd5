import TrunkModel

/// Whether a journal writes the day or the month first, from dates such as `27.04.2023`.
struct DayMonthEvidence {
  private var orders: Set<DayMonthOrder> = []
  private var ambiguous: (text: String, date: WrittenDate)?

  mutating func add(_ date: WrittenDate, _ text: some StringProtocol) {
    if let order = date.shownOrder { orders.insert(order) }
    if ambiguous == nil, case .either = date.dayMonth { ambiguous = (String(text), date) }
  }

  /// What the dates show, unless they contradict each other; else the user's answer.
  func order(_ answer: DayMonthOrder?) -> DayMonthOrder? { orders.count == 1 ? orders.first : answer }

  /// What to ask if no order is known; `nil` if there is no date that needs one.
  var question: DayMonthQuestion? {
    guard let ambiguous, let day = ambiguous.date.pageDate(.dayFirst), let month = ambiguous.date.pageDate(.monthFirst)
    else { return nil }
    return DayMonthQuestion(example: ambiguous.text, dayFirst: day, monthFirst: month)
  }
}
