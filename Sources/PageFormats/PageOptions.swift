import TrunkModel

/// How an export is read.
public struct PageOptions: Sendable {
  /// The answer to `PageImport.question`. It decides only dates that nothing else decides.
  public var dayMonthOrder: DayMonthOrder?
  /// Whether to leave out entries that have only tags, such as a mood without a word.
  public var skipsBareTags = false
  public var limits = PageLimits()
  /// Finds a zone of the tz database by its name, such as `Zone.named`. Without it, dates with a named zone become
  /// instants.
  public var zone: @Sendable (String) -> Zone?

  public init(dayMonthOrder: DayMonthOrder? = nil, zone: @escaping @Sendable (String) -> Zone?) {
    self.dayMonthOrder = dayMonthOrder
    self.zone = zone
  }
}
