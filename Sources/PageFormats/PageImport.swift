import TrunkModel

/// What an export of another journal contains.
public struct PageImport: Equatable, Sendable {
  public var format: PageFormat
  /// Sorted by the text of their dates, then by `sourceID`.
  public var pages: [EarlierPage] = []
  /// Entries and files that became no page, in the order of the source.
  public var skipped: [SkippedPage] = []
  /// How many more there are than `PageLimits.listedSkips`.
  public var unlistedSkips = 0
  /// How often the export has each kind of content that a page can't hold.
  public var leftOut: [LeftOut: Int] = [:]
  /// What the user should know about how the export was read.
  public var notes: [PageNote] = []
  /// The question to answer before anything else is known: read again with `PageOptions.dayMonthOrders`.
  public var question: DayMonthQuestion?
  /// How many pages have only tags, such as Daylio's mood without a word. `PageOptions.skipsBareTags` leaves them out.
  public var bareTagPages = 0

  public init(format: PageFormat) { self.format = format }

  /// Whether the export writes dates that can be read in two ways.
  public var needsDayMonthOrder: Bool { question != nil }
}
