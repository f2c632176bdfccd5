import Garden
import Sync
import Synchronization

/// Time that passes when the test says so; the time of day may be off by any amount.
final class TestClock: SyncClock {
  private struct State {
    var uptime: Int64 = 1_000_000
    var skew: Int64 = 0
    var sleepers: [Int: (until: Int64, continuation: CheckedContinuation<Void, any Error>)] = [:]
    var count = 0
    var waiting: [CheckedContinuation<Int64, Never>] = []
  }

  private let state = Mutex(State())

  init(skew: Int64 = 0) { state.withLock { $0.skew = skew } }

  static let start: Int64 = 1_770_000_000_000

  var uptime: Int64 { state.withLock { $0.uptime } }

  var now: Instant { state.withLock { Instant(milliseconds: TestClock.start + $0.uptime + $0.skew) } }

  /// How far the time of day is off, in milliseconds.
  var skew: Int64 {
    get { state.withLock { $0.skew } }
    set { state.withLock { $0.skew = newValue } }
  }

  func sleep(until uptime: Int64) async throws {
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

  /// Until when the next sleeper sleeps, in milliseconds from now; waits until there is one.
  func nextWakeUp() async -> Int64 {
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

  var wakeUps: [Int64] { state.withLock { state in state.sleepers.values.map { $0.until - state.uptime }.sorted() } }

  func advance(milliseconds: Int64) {
    let due = state.withLock { state in
      state.uptime += milliseconds
      let due = state.sleepers.filter { $0.value.until <= state.uptime }
      for number in due.keys { state.sleepers[number] = nil }
      return due.sorted { $0.value.until < $1.value.until }.map(\.value.continuation)
    }
    for continuation in due { continuation.resume() }
  }

  func advance(seconds: Int64) { advance(milliseconds: seconds * 1000) }
}

/// A generator that gives the same numbers for the same seed everywhere (SplitMix64).
struct Dice: RandomNumberGenerator {
  private var state: UInt64

  init(seed: Int) { state = UInt64(bitPattern: Int64(seed)) }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  mutating func next(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

  mutating func isLucky(oneIn count: Int) -> Bool { next(below: count) == 0 }
}
