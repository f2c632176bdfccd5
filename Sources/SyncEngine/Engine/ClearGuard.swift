/// Keeps a sync from bringing back a garden that was cleared, by this program or by another one.
struct ClearGuard {
  /// Whether this program is removing the garden: nothing may sync.
  private(set) var isClosed = false
  /// The garden's clear count when rows were last requested; `nil` if it isn't known. Rows are stored only while the
  /// garden still has this count.
  private(set) var clears: Int64?

  mutating func close() { isClosed = true }

  /// The garden stays, or is to be synced again.
  mutating func reopen() { isClosed = false }

  mutating func requestRows(clears: Int64?) { self.clears = clears }
}
