/// Waits for a condition that another task makes true.
/// - Throws: `WaitLimit` after a minute, with the caller's line.
public func until(
  file: String = #fileID, line: Int = #line, isolation: isolated (any Actor)? = #isolation,
  _ isTrue: () async throws -> Bool
) async throws {
  let end = ContinuousClock.now + .seconds(60)
  while try await !isTrue() {
    guard ContinuousClock.now < end else { throw WaitLimit(place: "\(file):\(line)") }
    await Task.yield()
  }
}

/// The error of a condition that did not become true in time.
public struct WaitLimit: Error, CustomStringConvertible {
  /// The file and line of the wait.
  public let place: String

  public var description: String { "The condition at \(place) did not become true within 60 s." }
}
