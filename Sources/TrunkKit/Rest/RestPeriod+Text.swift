import Localization

extension RestPeriod {
  /// `20 December 2026 – 3 January 2027`, `2 March – 5 March 2026`, or its only day.
  public var text: String {
    first == last
      ? Formats.day(first)
      : tr("{first} – {last}", ["first": Formats.dayAndYear(first, today: last), "last": Formats.day(last)])
  }
}
