import EventStore

/// A list of the user's rows, read page by page to its end.
///
/// Only a complete list proves that a row is missing: a proxy may answer `[]` to any page, and a list may end early.
enum RowList {
  /// Whether the list has every row. Other devices may write while it is read.
  /// - Parameters:
  ///   - listed: the number of distinct rows in the list.
  ///   - before: the server's count before the first page was read.
  ///   - after: the server's count after the last page was read.
  static func isComplete(listed: Int, before: Int, after: Int) -> Bool {
    (min(before, after)...max(before, after)).contains(listed)
  }

  /// The number of rows by which a list may exceed the server’s count: other devices may write while it is read.
  static let growth = 10_000

  /// Checks that the list ends: otherwise a faulty server could fill the disk, or keep a sign-out waiting forever.
  /// - Parameters:
  ///   - read: the number of rows that were read so far.
  ///   - before: the server's count before the first page was read.
  static func checkLength(read: Int, before: Int) throws(SyncProblem) {
    if read > growth, read - growth > before { throw incomplete }
  }

  /// The failure for an incomplete list. It is retried like any other unexpected response.
  static let incomplete = SyncProblem.service(.unintelligible(detail: "a list and a count that differ"))

  /// Returns the position after which the next page is read.
  /// - Parameters:
  ///   - last: the last position of this page.
  ///   - position: the position after which this page was read.
  /// - Returns: `nil` after the last page, which is empty. A short page isn't the last: the server may return fewer
  ///   rows than requested.
  /// - Throws: `unintelligible` if the page does not advance.
  static func next(_ last: Cursor?, after position: Cursor?) throws(SyncProblem) -> Cursor? {
    if let last, let position, !last.isAfter(position) {
      throw .service(.unintelligible(detail: "a page that does not go on"))
    }
    return last
  }
}
