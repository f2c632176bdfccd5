import TrunkModel

/// How an export is read.
public struct PageOptions: Sendable {
  /// The answers to `PageImport.question`, by its separator. They decide only dates that nothing else decides.
  public var dayMonthOrders: [Character: DayMonthOrder]
  /// Whether to leave out entries that have only tags, such as a mood without a word.
  public var skipsBareTags = false
  public var limits = PageLimits()
  /// Finds a zone of the tz database by its name, such as `Zone.named`. Without it, dates with a named zone become
  /// instants.
  public var zone: @Sendable (String) -> Zone?

  public init(dayMonthOrders: [Character: DayMonthOrder] = [:], zone: @escaping @Sendable (String) -> Zone?) {
    self.dayMonthOrders = dayMonthOrders
    self.zone = zone
  }
}
