import EventStore
import TrunkModel

/// Selects a part of the journal for a book. All conditions that are set must hold.
public struct BookSelection: Sendable, Equatable {
  /// The id of a sprout.
  public var sprout: String?
  /// The id of a leaf, for all its sprouts.
  public var leaf: String?
  /// A year of reset days, which begin at 06:00.
  public var year: Int32?
  /// A year in growth instead of entries; the other conditions then have no effect.
  public var growth: Int32?
  public var filter: TimelineFilter
  /// Whether earlier pages are included. A sprout, a leaf and a year in growth have none.
  public var includesPages = false
  /// Only the pages with these numbers, which a search has found; `nil` without a search.
  public var foundPages: Set<Int64>?

  public init(
    sprout: String? = nil, leaf: String? = nil, year: Int32? = nil, growth: Int32? = nil,
    filter: TimelineFilter = TimelineFilter()
  ) {
    (self.sprout, self.leaf, self.year, self.growth, self.filter) = (sprout, leaf, year, growth, filter)
  }
}

extension Garden {
  /// The lines of a selection, oldest first.
  func items(_ selection: BookSelection) -> [TimelineItem] {
    timeline(selection.filter).reversed().filter { item in
      if let wanted = selection.sprout, item.sproutID?.hasSameBytes(as: wanted) != true { return false }
      if let wanted = selection.leaf {
        let leaf = item.sproutID.flatMap { sprout(id: $0) }?.leafID
        if leaf?.hasSameBytes(as: wanted) != true { return false }
      }
      return selection.year.map { item.time.day.year == $0 } ?? true
    }
  }
}

extension GardenModel {
  /// Makes a book of a part of the journal.
  /// - Parameter author: the user's name; may be empty.
  public func book(_ selection: BookSelection, author: String = "") async throws -> JournalBook {
    let garden = garden
    if let number = selection.growth {
      let year = garden.growth(in: number, at: now)
      let events = try await entries(garden.milestones(of: year))
      return JournalBook(year, try await texts(of: year), events, from: garden, author: author)
    }
    let entries = try await entries(garden.items(selection))
    let pages = try await pages(of: selection)
    return JournalBook(entries, pages, of: selection, from: garden, author: author)
  }

  /// The earlier pages of a selection, oldest first.
  private func pages(of selection: BookSelection) async throws -> [(line: PageLine, page: StoredPage)] {
    guard selection.includesPages, selection.sprout == nil, selection.leaf == nil,
      let days = selection.filter.daysOfPages
    else { return [] }
    let lines = try await pageLines(in: days).reversed().filter { line in
      (selection.year.map { line.day.year == $0 } ?? true) && (selection.foundPages?.contains(line.id) ?? true)
    }
    let pages = Dictionary(uniqueKeysWithValues: try await pages(ids: lines.map(\.id)).map { ($0.id, $0) })
    return lines.compactMap { line in pages[line.id].map { (line, $0) } }
  }
}
