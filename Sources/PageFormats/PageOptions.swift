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

/// Bounds for the memory and time that an export can take.
public struct PageLimits: Sendable {
  /// Pages of one export.
  public var pages = 200_000
  /// Files and folders of one export, whether or not they are read.
  public var files = 1_000_000
  /// Bytes of all texts that are read, after they are unpacked.
  public var totalBytes = 512 << 20
  /// Bytes of one text that is read, after it is unpacked.
  public var fileBytes = 256 << 20
  /// Bytes of the title, text, tags and place of one page.
  public var pageBytes = 1 << 20
  /// Skipped entries that are named; the others are only counted.
  public var listedSkips = 10_000
  /// Folders within folders.
  public var depth = 64

  public init() {}
}

/// How much of an export has been read.
public struct PageProgress: Equatable, Sendable {
  /// Files of the export that are read, and all that will be.
  public var files, totalFiles: Int
  /// Entries that were found so far.
  public var entries: Int
}
