/// Increasing pauses between attempts.
public struct Backoff: Sendable {
  /// In milliseconds: eleven attempts in the first hour, then four an hour.
  private static let steps: [Int64] = [1, 2, 5, 10, 30, 60, 300, 900].map { $0 * 1000 }

  private var step = 0

  public init() {}

  /// Returns the next pause in milliseconds, randomly lengthened by up to a quarter, so that clients don't all return
  /// at the same moment.
  /// - Parameter random: 0 ..< 1.
  public mutating func next(random: Double) -> Int64 {
    let pause = Backoff.steps[min(step, Backoff.steps.count - 1)]
    step += 1
    return pause + Int64(Double(pause) * random / 4)
  }

  /// Jumps to the longest pause: retrying won't fix this error.
  mutating func last() { step = Backoff.steps.count - 1 }

  public mutating func reset() { step = 0 }
}
