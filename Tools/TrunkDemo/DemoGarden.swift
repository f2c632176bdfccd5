import TrunkModel

/// A realistic garden of several years, for pictures, trials and measurements.
///
/// It follows the rules: soil is never overspent, at most three waterings a day and one per sprout, one reflection a
/// week, and harvests only when the season is over. The same inputs produce the same events.
public struct DemoGarden: Sendable {
  /// 1 or more.
  public var years: Int
  /// The latest time of an event.
  public var now: Instant
  public var zone: Zone
  public var seed: UInt64
  /// The approximate number of events; by default as many as such a life produces. The rules limit the number of
  /// entries: beyond that, the demo person rewrites titles, notes and labels.
  public var eventCount: Int?

  public init(years: Int, now: Instant, zone: Zone, seed: UInt64 = 1, eventCount: Int? = nil) {
    self.years = max(1, years)
    self.now = now
    self.zone = zone
    self.seed = seed
    self.eventCount = eventCount
  }

  /// The events in chronological order, the last one not after `now`.
  ///
  /// Today one sprout is ready to harvest, two are due, one has been watered, and an entry was written on this day a
  /// year ago.
  public func events() -> [Event] {
    var life = DemoLife(self)
    life.live()
    return life.events
  }
}
