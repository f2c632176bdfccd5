import TrunkKit
import TrunkModel

/// The garden as a reading command sees it.
struct GardenSnapshot {
  /// `nil` if there is no garden yet.
  let model: GardenModel?
  let garden: Garden
  let now: Instant

  var zone: Zone { garden.zone }

  /// The texts of journal entries, in the same order.
  func entries(of journal: [JournalEntry]) async throws -> [TimelineEntry] {
    try await model?.entries(garden.items(journal)) ?? []
  }
}
