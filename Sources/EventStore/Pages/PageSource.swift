import TrunkModel

/// A journal of another program from which pages were imported.
public struct PageSource: Sendable, Hashable {
  /// Never used again for another source.
  public let id: Int64
  /// Names the format for programs: `dayone`.
  public let format: String
  /// The name of the file or folder of the first import.
  public let name: String
}

/// A source with what was imported from it.
public struct PageSourceSummary: Sendable, Equatable {
  public let source: PageSource
  public let importedAt: Instant
  public let pages: Int
  /// The number of pages that the user has removed.
  public let removed: Int
  /// The days of its pages; `nil` without pages.
  public let days: ClosedRange<Day>?
}

/// A page in the store.
public struct StoredPage: Sendable, Hashable {
  /// Its number, which is never used again for another page.
  public let id: Int64
  public let source: PageSource
  public let page: EarlierPage
}
