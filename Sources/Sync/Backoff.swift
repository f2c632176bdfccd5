/// Ever longer pauses between attempts.
struct Backoff {
  /// Between attempts to sync, in milliseconds: at most twelve in the first hour, then four an hour.
  static let syncing = Backoff(steps: [1, 2, 5, 10, 30, 60, 120, 300, 600, 900].map { $0 * 1000 })
  /// Between attempts to connect.
  static let connecting = Backoff(steps: [1, 2, 5, 10, 30].map { $0 * 1000 })

  private let steps: [Int64]
  private var step = 0

  private init(steps: [Int64]) { self.steps = steps }

  /// The next pause, in milliseconds: a quarter longer at most, so that many clients do not come back at one moment.
  /// - Parameter random: 0 ..< 1.
  mutating func next(random: Double) -> Int64 {
    let pause = steps[min(step, steps.count - 1)]
    step += 1
    return pause + Int64(Double(pause) * random / 4)
  }

  /// The longest pause at once: for what no waiting mends.
  mutating func last() { step = steps.count - 1 }

  mutating func reset() { step = 0 }
}
