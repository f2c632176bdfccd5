import SQLiteKit

/// Parses large bodies one at a time on a dedicated thread.
///
/// Parsing must not block the thread that serves the connections, and parsed JSON takes several times the memory of its
/// text.
actor BodyReader {
  private let executor = QueueExecutor(label: "bodies")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Runs `body` directly for a small request body, on the dedicated thread for a large one.
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
