import SQLiteKit
import TrunkModel

/// Parses large bodies one at a time on a dedicated thread.
///
/// Parsing must not block the thread that serves the connections, and parsed JSON takes several times the memory of its
/// text.
actor BodyReader {
  /// Bodies up to this many bytes are parsed directly, and their memory isn't counted.
  static let smallSize = 64 << 10

  private let executor = QueueExecutor(label: "bodies")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Runs `body` directly for a small request body, on the dedicated thread for a large one.
  nonisolated func read<Result: Sendable>(
    _ request: Request, _ body: @Sendable ([UInt8]) throws -> Result
  ) async throws -> Result {
    guard request.body.count > BodyReader.smallSize else { return try body(request.body) }
    return try await readLarge(request.body, body)
  }

  /// Parses the body of a request about accounts. What PostgreSQL can't store is rejected, so that every account can
  /// move there.
  /// - Throws: `AuthError`, `JSONError`.
  nonisolated func json(_ request: Request) async throws -> JSON {
    guard request.body.count <= ServerConfiguration.authBodyLimit else { throw AuthError.tooLarge }
    do {
      return try await read(request) { try StrictJSON.value($0) }
    } catch let error as RestError {
      switch error {
      case .notJSON: throw AuthError.badJSON
      case _ where error.status == 413: throw AuthError.tooLarge
      default: throw AuthError.validation(error.details ?? error.message)
      }
    }
  }

  private func readLarge<Result: Sendable>(
    _ bytes: [UInt8], _ body: @Sendable ([UInt8]) throws -> Result
  ) throws -> Result {
    try body(bytes)
  }
}
