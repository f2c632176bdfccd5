import Dispatch

/// Work that occupies a queue of the server from its creation until `end`.
final class BlockingWork: Sendable {
  private let permission = DispatchSemaphore(value: 0)
  private let task: Task<Void, any Error>

  /// Submits the work and waits until it has begun.
  /// - Parameter submit: runs the given closure on the queue, and returns when the closure has ended.
  init(_ submit: @escaping @Sendable (_ work: @escaping @Sendable () -> Void) async throws -> Void) async {
    let (starts, start) = AsyncStream<Void>.makeStream()
    task = Task { [permission] in
      // If the queue rejects the work, `init` must not wait forever.
      defer { start.finish() }
      try await submit {
        start.yield()
        permission.wait()
      }
    }
    for await _ in starts { break }
  }

  /// Ends the work, and waits until the queue has finished it.
  /// - Throws: the error with which the queue rejected the work.
  func end() async throws {
    permission.signal()
    try await task.value
  }
}
