import TrunkModel

/// Whether `03.04.2023` is 3 April or March 4.
public enum DayMonthOrder: Sendable, CaseIterable {
  case dayFirst, monthFirst
}

/// Dates such as `03.04.2023`, and nothing in the export shows the order of those with the same separator.
public struct DayMonthQuestion: Equatable, Sendable {
  /// A date as the export writes it.
  public var example: String
  /// What stands between its numbers.
  public var separator: Character
  /// How the example reads with each answer.
  public var dayFirst, monthFirst: PageDate
}
