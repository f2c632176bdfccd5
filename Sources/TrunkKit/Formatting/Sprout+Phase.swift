import TrunkModel

extension Sprout {
  /// The part of a sprout's life that decides which questions are asked.
  public enum Phase: String, Sendable, CaseIterable { case first, middle, last }

  /// The phase in which the next watering is written: the first one while there are fewer than three waterings, the
  /// last one when 85 % of the season have passed or at most two days remain. The first one has priority, because the
  /// questions of the last one may refer to earlier entries.
  public func phase(at now: Instant) -> Phase {
    if waterings.count < Sprout.firstWaterings { return .first }
    let isLast = progress(at: now) >= Sprout.lastShare || harvestDue.seconds(since: now) <= Sprout.lastSeconds
    return isLast ? .last : .middle
  }

  private static let firstWaterings = 3
  private static let lastShare = 0.85
  private static let lastSeconds = 2.0 * 86_400
}
