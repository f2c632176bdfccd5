import Storage

/// Reads large bodies one at a time on a thread of its own: the thread of the connections must not wait for them, and
/// their JSON values take several times the memory of their text.
actor BodyReader {
  private let executor = QueueExecutor(label: "bodies")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Runs `body`, here or on the other thread.
  nonisolated func read<Result: Sendable>(
    _ request: Request, _ body: @Sendable ([UInt8]) throws -> Result
  ) async throws -> Result {
    guard request.body.count > BodyMemory.freeSize else { return try body(request.body) }
    return try await readLarge(request.body, body)
  }

  private func readLarge<Result: Sendable>(
    _ bytes: [UInt8], _ body: @Sendable ([UInt8]) throws -> Result
  ) throws -> Result {
    try body(bytes)
  }
}
