import SyncEngine
import Synchronization
import TrunkModel

/// A clock that the test advances, which wakes sleeping tasks. Its time of day can be wrong by any amount.
public final class TestClock: SyncClock {
  private struct State {
    var uptime: Int64 = 1_000_000
    var skew: Int64 = 0
    var sleepers: [Int: (until: Int64, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var count = 0
    var waiting: [CheckedContinuation<Int64, Never>] = []
  }

  private let state = Mutex(State())

  /// - Parameter skew: the error of the time of day, in milliseconds.
  public init(skew: Int64 = 0) { state.withLock { $0.skew = skew } }

  /// The true time of day at uptime 0, in milliseconds since 1970.
  public static let start: Int64 = 1_770_000_000_000

  /// The milliseconds since the computer started.
  public var uptime: Int64 { state.withLock { $0.uptime } }

  /// The time of day, with its error.
  public var now: Instant { state.withLock { Instant(milliseconds: TestClock.start + $0.uptime + $0.skew) } }

  /// The error of the time of day, in milliseconds.
  public var skew: Int64 {
    get { state.withLock { $0.skew } }
    set { state.withLock { $0.skew = newValue } }
  }

  public func sleep(until uptime: Int64) async throws {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (result, woken) = state.withLock {
          state -> (Result<Void, any Error>?, [CheckedContinuation<Int64, Never>]) in
          if Task.isCancelled { return (.failure(CancellationError()), []) }
          if uptime <= state.uptime { return (.success(()), []) }
          state.sleepers[number] = (uptime, continuation)
          defer { state.waiting = [] }
          return (nil, state.waiting)
        }
        if let result { continuation.resume(with: result) }
        for waiter in woken { waiter.resume(returning: uptime) }
      }
    } onCancel: {
      let sleeper = state.withLock { $0.sleepers.removeValue(forKey: number) }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Waits until a task sleeps, and returns the milliseconds until the first task wakes.
  public func nextWakeUp() async -> Int64 {
    let until = await withCheckedContinuation { continuation in
      let until = state.withLock { state -> Int64? in
        let until = state.sleepers.values.map(\.until).min()
        if until == nil { state.waiting.append(continuation) }
        return until
      }
      if let until { continuation.resume(returning: until) }
    }
    return until - uptime
  }

  /// The milliseconds until each sleeping task wakes, in ascending order.
  public var wakeUps: [Int64] {
    state.withLock { state in state.sleepers.values.map { $0.until - state.uptime }.sorted() }
  }

  /// Moves the clock forward and wakes the tasks whose time has come, in order.
  public func advance(milliseconds: Int64) {
    let due = state.withLock { state in
      state.uptime += milliseconds
      let due = state.sleepers.filter { $0.value.until <= state.uptime }
      for number in due.keys { state.sleepers[number] = nil }
      return due.sorted { $0.value.until < $1.value.until }.map(\.value.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  public func advance(seconds: Int64) { advance(milliseconds: seconds * 1000) }
}
