/// How much of an export has been read.
public struct PageProgress: Equatable, Sendable {
  /// Files of the export that are read, and all that will be.
  public var files, totalFiles: Int
  /// Entries that were found so far.
  public var entries: Int
}
