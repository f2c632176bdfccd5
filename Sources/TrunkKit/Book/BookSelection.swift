import Localization
import TrunkModel

/// Selects a part of the journal for a book. All conditions that are set must hold.
public struct BookSelection: Sendable, Equatable {
  /// The id of a sprout.
  public var sprout: String?
  /// The id of a leaf, for all its sprouts.
  public var leaf: String?
  /// A year of reset days, which begin at 06:00.
  public var year: Int32?
  public var filter: TimelineFilter

  public init(
    sprout: String? = nil, leaf: String? = nil, year: Int32? = nil, filter: TimelineFilter = TimelineFilter()
  ) {
    (self.sprout, self.leaf, self.year, self.filter) = (sprout, leaf, year, filter)
  }
}

extension Garden {
  /// The lines of a selection, oldest first.
  func items(_ selection: BookSelection) -> [TimelineItem] {
    timeline(selection.filter).reversed().filter { item in
      if let wanted = selection.sprout, item.sproutID != wanted { return false }
      if let wanted = selection.leaf, item.sproutID.flatMap({ sprout(id: $0) })?.leafID != wanted { return false }
      return selection.year.map { zone.dayKey(item.instant).year == $0 } ?? true
    }
  }
}

extension GardenModel {
  /// Makes a book of a part of the journal.
  public func book(_ selection: BookSelection) async throws -> JournalBook {
    let garden = garden
    let entries = try await entries(garden.items(selection))
    return JournalBook(entries, of: selection, from: garden, author: profile[.name]?.text ?? "")
  }
}
