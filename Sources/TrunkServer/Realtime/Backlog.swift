import Synchronization

/// Counts bytes that wait for clients to read them, up to a limit.
final class Backlog: Sendable {
  private let waiting = Atomic(0)
  private let limit: Int

  init(limit: Int) {
    self.limit = limit
  }

  /// - Returns: `false` if the limit would be exceeded. Then nothing is added.
  func add(_ bytes: Int) -> Bool {
    guard waiting.add(bytes, ordering: .relaxed).newValue > limit else { return true }
    remove(bytes)
    return false
  }

  func remove(_ bytes: Int) { waiting.subtract(bytes, ordering: .relaxed) }
}
