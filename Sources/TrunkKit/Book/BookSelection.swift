import EventStore
import TrunkModel

/// Selects a part of the journal for a book. All conditions that are set must hold.
public struct BookSelection: Sendable, Equatable {
  /// The id of a sprout.
  public var sprout: String?
  /// The id of a leaf, for all its sprouts.
  public var leaf: String?
  /// Years of reset days, which begin at 06:00.
  public var years: ClosedRange<Int32>?
  public var filter: TimelineFilter
  /// Whether earlier pages are included. A sprout and a leaf have none.
  public var includesPages = false
  /// Only the pages with these numbers, which a search has found; `nil` without a search.
  public var foundPages: Set<Int64>?

  public init(
    sprout: String? = nil, leaf: String? = nil, years: ClosedRange<Int32>? = nil,
    filter: TimelineFilter = TimelineFilter()
  ) {
    (self.sprout, self.leaf, self.years, self.filter) = (sprout, leaf, years, filter)
  }

  /// The years, if everything in them is selected.
  var wholeYears: ClosedRange<Int32>? { sprout == nil && leaf == nil && filter.isEmpty ? years : nil }
}

/// What can be chosen for the book of whole years.
public struct BookChoices: Sendable, Equatable {
  /// At most three lines.
  public var dedication = ""
  public var hasChapters = true
  public var hasEarlierYears = true
  /// Whether waterings without words are printed as dates.
  public var hasSilence = false
  /// Whether the earlier pages of the years stand among the entries.
  public var hasPages = false
  /// Whether printed pages get a small tree at their corners.
  public var hasFlipTrees = false
  /// The day of the cover's tree; `nil` for the last one.
  public var coverDay: Day?
  /// The sentence on the back; empty for none, `nil` for one of the user's reflections.
  public var quote: String?
  public init() {}
}

/// A year of which a book can be made.
public struct BookYear: Sendable, Equatable {
  public let year: Int32
  public let hasEntries: Bool
  /// Whether it has earlier pages. If it has no entries, its book is a plain one.
  public let hasPages: Bool
}

extension GardenModel {
  /// The years with entries or earlier pages, the latest first.
  public func bookYears() async throws(StoreError) -> [BookYear] {
    let written = Set(garden.timeline().filter(\.isEntry).map(\.time.day.year))
    let paged = Set(try await pageLines().map(\.day.year))
    return written.union(paged).sorted(by: >)
      .map { BookYear(year: $0, hasEntries: written.contains($0), hasPages: paged.contains($0)) }
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
      return selection.years.map { $0.contains(item.time.day.year) } ?? true
    }
  }
}

extension GardenModel {
  /// Makes a book of a part of the journal.
  /// - Parameter author: the user's name; may be empty.
  public func book(
    _ selection: BookSelection, author: String = "", _ choices: BookChoices = BookChoices()
  ) async throws -> JournalBook {
    let (garden, items) = (garden, garden.items(selection))
    // A year before the tree has a plain book.
    if let years = selection.wholeYears, !selection.includesPages || items.contains(where: \.isEntry) {
      var choices = choices
      choices.hasPages = choices.hasPages || selection.includesPages
      return try await yearBook(years).book(author: author, choices)
    }
    let entries = try await shownEntries(items)
    let pages = selection.includesPages ? try await pages(of: selection) : []
    return JournalBook(entries, pages, of: selection, from: garden, author: author)
  }

  /// Reads what the book of whole years is made from.
  public func yearBook(_ years: ClosedRange<Int32>) async throws -> YearBook {
    // Other years have the words to compare with, and what happened on the same days.
    await GardenModel.yearBook(
      years, try await shownEntries(garden.timeline().reversed()), try await pages(of: BookSelection(years: years)),
      garden, garden.zone.dayKey(now))
  }

  @concurrent private nonisolated static func yearBook(
    _ years: ClosedRange<Int32>, _ entries: [TimelineEntry], _ pages: [(line: PageLine, page: StoredPage)],
    _ garden: Garden, _ today: Day
  ) async -> YearBook {
    YearBook(years, entries, pages, garden, today: today)
  }

  /// The earlier pages of a selection, oldest first, also if it doesn't include them.
  public func pageLines(of selection: BookSelection) async throws -> [PageLine] {
    guard selection.sprout == nil, selection.leaf == nil, let days = selection.filter.daysOfPages else { return [] }
    return try await pageLines(in: days).reversed().filter { line in
      (selection.years.map { $0.contains(line.day.year) } ?? true) && (selection.foundPages?.contains(line.id) ?? true)
    }
  }

  /// The earlier pages of a selection with their texts, oldest first, also if it doesn't include them.
  private func pages(of selection: BookSelection) async throws -> [(line: PageLine, page: StoredPage)] {
    let lines = try await pageLines(of: selection)
    let pages = Dictionary(uniqueKeysWithValues: try await pages(ids: lines.map(\.id)).map { ($0.id, $0) })
    return lines.compactMap { line in pages[line.id].map { (line, $0) } }
  }
}
