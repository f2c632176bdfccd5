import TrunkKit
import TrunkModel

/// The garden as a reading command sees it.
struct GardenSnapshot {
  /// `nil` if there is no garden yet.
  let model: GardenModel?
  let garden: Garden
  let now: Instant
  let rest: RestDays
  /// What is due, as Today in the window shows it.
  let today: Today
  /// The numbers of the events that are hidden on this computer.
  let hidden: Set<Int64>

  /// - Parameters:
  ///   - garden: an empty one if there is no garden yet.
  ///   - now: the present.
  @MainActor
  init(_ model: GardenModel?, _ garden: Garden, now: Instant, rest: RestDays) {
    (self.model, self.garden, self.now, self.rest) = (model, garden, now, rest)
    hidden = model?.hidden ?? []
    today = model?.today(resting: rest) ?? garden.today(at: now, resting: rest)
  }

  var zone: Zone { garden.zone }

  /// The reset day of the present.
  var day: Day { zone.dayKey(now) }
  /// The time of rest that today belongs to.
  var resting: RestPeriod? { rest.period(on: day) }

  /// Consecutive days with a watering; days of rest don't interrupt them.
  var streak: (current: Int, longest: Int) { garden.streak(at: now, resting: rest) }

  /// The texts of journal entries, in the same order.
  func entries(of journal: [JournalEntry]) async throws -> [TimelineEntry] {
    try await model?.entries(garden.items(journal)) ?? []
  }
}
