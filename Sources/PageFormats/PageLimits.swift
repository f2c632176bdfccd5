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
