import TrunkModel

/// Whether `03.04.2023` is 3 April or March 4.
public enum DayMonthOrder: Sendable, CaseIterable {
  case dayFirst, monthFirst
}

/// Dates such as `03.04.2023`, and nothing in the export shows their order.
public struct DayMonthQuestion: Equatable, Sendable {
  /// A date as the export writes it.
  public var example: String
  /// How the example reads with each answer.
  public var dayFirst, monthFirst: PageDate
}
