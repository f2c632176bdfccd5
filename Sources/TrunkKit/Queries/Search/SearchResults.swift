import Localization
import TrunkModel

/// What a search has found, in groups.
public struct SearchResults: Sendable {
  /// The groups in the order in which they are shown.
  public enum Group: Int, CaseIterable, Sendable {
    /// Waterings, reflections and harvests with the user's own words.
    case entries
    /// Entries that answer a question with the words.
    case questions
    /// Sprouts, by title and the three lines.
    case sprouts
    /// Leaves, by name.
    case leaves
    /// Seedlings, by title and notes.
    case seedlings
    /// Branches and twigs, by label and note.
    case tree
    /// Pages of earlier journals.
    case pages
  }

  /// The place that a result opens.
  public enum Place: Sendable, Equatable {
    case entry(TimelineItem)
    case sprout(String)
    case leaf(String)
    case seedling(String)
    case node(Node)
    case page(PageLine)
  }

  public struct Hit: Sendable, Equatable {
    public let group: Group
    public let place: Place
    /// The sentence with the match; for a title, all of it.
    public let excerpt: Excerpt
    /// The name of the sprout, leaf, seedling, branch or twig if the match is in another of its texts. For a page, what
    /// it is: `Earlier page · Day One · Lisbon`.
    public let title: String?
  }

  /// The search without one of its filters, which would bring results.
  public struct Relaxed: Sendable, Equatable {
    /// The filter as typed.
    public let filter: String
    /// The text of the search without it.
    public let text: String
    public let count: Int
  }

  public let query: SearchQuery
  /// The number of results in each group.
  public let counts: [Group: Int]
  /// The first results of each group. Entries, questions, sprouts, leaves, seedlings and pages are newest first.
  public internal(set) var hits: [Group: [Hit]] = [:]
  /// All entries of the groups `entries` and `questions`, newest first.
  public let items: [Group: [TimelineItem]]
  /// If nothing was found, the searches without one of the filters that would bring results.
  public internal(set) var relaxed: [Relaxed] = []

  /// If nothing was found, the search with the nearest words of the garden in place of unknown ones, which has results.
  public internal(set) var correction: String?

  public var count: Int { counts.values.reduce(0, +) }

  init(_ query: SearchQuery, counts: [Group: Int], items: [Group: [TimelineItem]]) {
    (self.query, self.counts, self.items) = (query, counts, items)
  }
}

extension SearchResults.Group {
  /// `Entries`.
  public var title: String {
    switch self {
    case .entries: trc("search", "Entries")
    case .questions: trc("search", "Questions")
    case .sprouts: trc("search", "Sprouts")
    case .leaves: trc("search", "Leaves")
    case .seedlings: trc("search", "Seedlings")
    case .tree: trc("search", "Tree")
    case .pages: trc("search", "Earlier pages")
    }
  }

  /// `Entries · 14`.
  public func heading(_ count: Int) -> String { title + " · \(count)" }
}
