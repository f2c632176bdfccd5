import TrunkKit
import TrunkModel

extension JournalList {
  /// A line of the list. Equal lines look the same.
  enum Line: Equatable {
    case month(String)
    /// - Parameters:
    ///   - about: the subject of the entry, such as its sprout, leaf and twig.
    ///   - links: the subject as markup with links.
    ///   - isFirstOfDay: whether it is the first line of its day.
    case entry(TimelineEntry, about: String, links: String, isFirstOfDay: Bool)

    /// `nil` for a month heading.
    var item: TimelineItem? {
      switch self {
      case .month: nil
      case .entry(let entry, _, _, _): entry.item
      }
    }
  }

  /// The names of sprouts, leaves and places.
  struct Names: Equatable {
    private var nodes: [ExactID: NodeText] = [:]
    private var titles: [String] = []
    private var leafIDs: [String] = []
    private var leaves: [String] = []

    init() {}

    init(_ garden: Garden) {
      (nodes, leaves) = (garden.nodes, garden.leaves.map(\.name))
      (titles, leafIDs) = (garden.sprouts.map(\.title), garden.sprouts.map(\.leafID))
    }
  }
}

extension JournalList.Line {
  /// The lines of entries, with the headings of their months.
  /// - Parameters:
  ///   - items: the items above them, on which it depends whether a month or a day begins.
  ///   - headsNewest: whether the newest month has a heading, too.
  static func lines(
    of entries: [TimelineEntry], below items: ArraySlice<TimelineItem>, headsNewest: Bool, in garden: Garden
  ) -> [JournalList.Line] {
    var lines: [JournalList.Line] = []
    var current = items.last.map { $0.time.day }
    for entry in entries {
      let day = entry.item.time.day
      if current.map({ (day.year, day.month) != ($0.year, $0.month) }) ?? headsNewest {
        lines.append(.month(Formats.month(day)))
      }
      let subject = EntryTexts.subject(of: entry, in: garden)
      lines.append(.entry(entry, about: subject.text, links: subject.markup, isFirstOfDay: day != current))
      current = day
    }
    return lines
  }
}
