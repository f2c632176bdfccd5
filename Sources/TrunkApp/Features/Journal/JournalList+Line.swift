import EventStore
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
    /// - Parameter about: what and from where it is.
    case page(EarlierPage, PageLine, about: String, isFirstOfDay: Bool)

    /// `nil` for a month heading.
    var item: JournalLine? {
      switch self {
      case .month: nil
      case .entry(let entry, _, _, _): .item(entry.item)
      case .page(_, let line, _, _): .page(line)
      }
    }
  }

  /// The names of sprouts, leaves and places, the state of the earlier pages, and the hidden entries.
  struct State: Equatable {
    private var pages: Int64 = 0
    private var hidden: Set<Int64> = []
    private var nodes: [ExactID: NodeText] = [:]
    private var titles: [String] = []
    private var leafIDs: [String] = []
    private var leaves: [String] = []

    init() {}

    @MainActor init(_ model: GardenModel) {
      let garden = model.garden
      (pages, hidden) = (model.pageRevision, model.hidden)
      (nodes, leaves) = (garden.nodes, garden.leaves.map(\.name))
      (titles, leafIDs) = (garden.sprouts.map(\.title), garden.sprouts.map(\.leafID))
    }
  }
}

extension JournalList.Line {
  /// The lines of entries and pages, with the headings of their months.
  /// - Parameters:
  ///   - items: the items above them, on which it depends whether a month or a day begins.
  ///   - headsNewest: whether the newest month has a heading, too.
  static func lines(
    of texts: [JournalText], below items: ArraySlice<JournalLine>, headsNewest: Bool, in garden: Garden
  ) -> [JournalList.Line] {
    var lines: [JournalList.Line] = []
    var current = items.last?.day
    for text in texts {
      let day = text.line.day
      if current.map({ (day.year, day.month) != ($0.year, $0.month) }) ?? headsNewest {
        lines.append(.month(Formats.month(day)))
      }
      switch text {
      case .entry(let entry):
        let subject = EntryTexts.subject(of: entry, in: garden)
        lines.append(.entry(entry, about: subject.text, links: subject.markup, isFirstOfDay: day != current))
      case .page(let line, let stored):
        lines.append(.page(stored.page, line, about: stored.about, isFirstOfDay: day != current))
      }
      current = day
    }
    return lines
  }
}
