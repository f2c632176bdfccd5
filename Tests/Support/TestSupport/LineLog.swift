import Synchronization

/// A log of lines. A test can wait for a number of lines.
public final class LineLog: Sendable {
  private struct State {
    var lines: [String] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  public init() {}

  public func add(_ line: String) {
    let woken = state.withLock { state in
      state.lines.append(line)
      defer { state.waiting.removeAll { $0.count <= state.lines.count } }
      return state.waiting.filter { $0.count <= state.lines.count }
    }
    for waiter in woken { waiter.continuation.resume() }
  }

  /// Adds a line and returns it.
  public func adding(_ line: String) -> String {
    add(line)
    return line
  }

  /// All lines so far.
  public var all: [String] { state.withLock { $0.lines } }
  public var count: Int { all.count }

  /// Waits until the log has `count` lines. If they never come, the test's time limit ends it.
  public func waitForLines(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.lines.count < count else { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
