import TrunkModel

/// A difference between this computer's clock and the server's that is too large to come from the network.
public struct ClockDifference: Sendable, Equatable {
  /// This computer's time when the response arrived.
  public let here: Instant
  /// The server's time at that moment.
  public let server: Instant

  /// The largest difference that isn't reported, in seconds. Sessions and entries aren't affected by less.
  public static let tolerance: Int64 = 120

  /// Compares the clocks. The server wrote its time between the two times of this computer, so a slow request never
  /// looks like a wrong clock.
  /// - Parameters:
  ///   - date: the server's time in its response, in whole seconds.
  ///   - sent: this computer's time before the request.
  ///   - received: this computer's time after the response.
  /// - Returns: `nil` if the clocks agree.
  public init?(date: Instant, sent: Instant, received: Instant) {
    let (ahead, behind) = (sent.milliseconds - date.milliseconds - 1000, date.milliseconds - received.milliseconds)
    guard max(ahead, behind) > ClockDifference.tolerance * 1000 else { return nil }
    here = received
    // A slow request makes a clock that is ahead seem further ahead.
    server = ahead > 0 ? Instant(milliseconds: received.milliseconds - sent.milliseconds + date.milliseconds) : date
  }

  /// How far this computer's clock is ahead, in seconds; negative if it is behind.
  public var seconds: Int64 { (here.milliseconds - server.milliseconds) / 1000 }

  /// Whether a user who knows the other difference needs to be told about this one.
  public func isNews(after other: ClockDifference?) -> Bool {
    guard let other else { return true }
    return abs(seconds - other.seconds) > ClockDifference.tolerance
  }
}
