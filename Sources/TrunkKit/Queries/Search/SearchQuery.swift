import EventStore
import Localization
import TrunkModel

/// A typed search: words, prefixes, “phrases”, -exclusions and filters such as `twig:cello from:2024 result:>=4`.
public struct SearchQuery: Sendable, Equatable {
  /// The words to look for.
  public internal(set) var textQuery = TextQuery()
  /// Where to look for them.
  public internal(set) var filter = TimelineFilter()
  /// Whether to look only into earlier pages.
  public internal(set) var isForPages = false
  /// What is wrong with filters, in plain words. These filters select nothing.
  public internal(set) var problems: [String] = []
  /// The filters as typed, each with the text of the search without it.
  public internal(set) var filters: [(text: String, rest: String)] = []

  /// The places in a text that match: ranges of bytes of UTF-8, in order and without overlaps.
  public func marks(in text: String) -> [Range<Int>] { Words(text).marks(of: textQuery.terms) }

  /// Whether there is nothing to look for.
  public var isEmpty: Bool { textQuery.isEmpty && filter.isEmpty && !isForPages && problems.isEmpty }

  /// The maximum length in scalars; the rest is ignored. The desktop's search passes on any text that is pasted into
  /// it, and each filter copies the text.
  static let longestText = 2000

  /// - Parameters:
  ///   - text: as typed.
  ///   - garden: has the names of branches, twigs and leaves.
  ///   - today: the reset day of the search.
  public init(_ text: String, in garden: Garden, today: Day) {
    let text = String(text.unicodeScalars.prefix(SearchQuery.longestText))
    let tokens = SearchToken.tokens(of: text)
    // The last word may still be typed, or was before the filters after it.
    let last = tokens.lastIndex { $0.key == nil }
    for (index, token) in tokens.enumerated() {
      guard let key = token.key else {
        let isLast = index == last && (index < tokens.count - 1 || token.range.upperBound == text.endIndex)
        let term = TextQuery.Term(token.value, isPrefix: token.hasStar || isLast && token.isOpen)
        guard FoldedTerm(term) != nil else { continue }
        if token.isExcluded { textQuery.excluded.append(term) } else { textQuery.terms.append(term) }
        continue
      }
      // The value may still be typed.
      guard !token.value.isEmpty else { continue }
      let typed = String(text[token.range])
      let rest = (String(text[..<token.range.lowerBound].trimmed) + " " + text[token.range.upperBound...].trimmed)
      filters.append((typed, String(rest.trimmed)))
      if token.isExcluded {
        problems.append(tr("A filter can’t be excluded: “{filter}”.", ["filter": typed]))
      } else if let problem = add(key, token.value, garden, today) {
        problems.append(problem)
      }
    }
  }

  /// The search for a text as it is, such as a question.
  public static func phrase(_ text: String) -> String {
    var words = String.UnicodeScalarView()
    words.append(contentsOf: text.unicodeScalars.lazy.map { isQuotationMark($0) ? " " : $0 })
    return "\"\(String(words))\""
  }

  public static func == (left: SearchQuery, right: SearchQuery) -> Bool {
    left.textQuery == right.textQuery && left.filter == right.filter && left.isForPages == right.isForPages
      && left.problems == right.problems
      && left.filters.elementsEqual(right.filters) { $0 == $1 }
  }
}

extension SearchQuery {
  /// Adds a condition to the filter.
  /// - Returns: what is wrong with the value, in plain words; `nil` if it is valid.
  private mutating func add(_ key: SearchKey, _ value: String, _ garden: Garden, _ today: Day) -> String? {
    switch key {
    case .branch:
      return add(twigs: garden.branches(called: value), tr("No branch is called “{name}”.", ["name": value]))
    case .twig: return add(twigs: garden.twigs(called: value), tr("No twig is called “{name}”.", ["name": value]))
    case .leaf:
      let leaves = garden.leaves(called: value)
      guard !leaves.isEmpty else { return tr("No leaf is called “{name}”.", ["name": value]) }
      filter.leaves = filter.leaves?.intersection(leaves) ?? leaves
    case .kind:
      guard let kind = TimelineItem.Kind(searched: value) else {
        return tr("“{value}” is not a kind of entry. Use water, sun or harvest.", ["value": value])
      }
      filter.kinds.insert(kind)
    case .result: return add(results: value)
    case .in:
      guard SearchQuery.isEarlier(value) else {
        return tr("“{value}” can’t be searched by itself. Write “in:earlier” for earlier pages.", ["value": value])
      }
      isForPages = true
    case .before, .after, .from, .to, .on: return add(key, period: value, today)
    }
    return nil
  }

  private mutating func add(twigs: Set<Node>, _ problem: String) -> String? {
    guard !twigs.isEmpty else { return problem }
    filter.twigs = filter.twigs?.intersection(twigs) ?? twigs
    return nil
  }

  private mutating func add(results value: String) -> String? {
    guard let range = SearchQuery.results(value) else {
      return tr("“{value}” is not a result. Results go from 1 to 5; write 4, >=4 or 2-3.", ["value": value])
    }
    let low = max(range.lowerBound, filter.results?.lowerBound ?? 1)
    let high = min(range.upperBound, filter.results?.upperBound ?? 5)
    guard low <= high else { return tr("No result fits “{value}”.", ["value": value]) }
    filter.results = low...high
    return nil
  }

  /// Parses `4`, `=4`, `>=4`, `>3`, `<=2`, `<2`, `3-5` and `3..5`.
  private static func results(_ text: String) -> ClosedRange<Int>? {
    let comparison = text.prefix { "<>=".contains($0) }
    let range = text.dropFirst(comparison.count)
    let dotted = range.split(separator: ".", omittingEmptySubsequences: false)
    let isDotted = dotted.count == 3 && dotted[1].isEmpty
    let ends = isDotted ? [dotted[0], dotted[2]].filter { !$0.isEmpty } : range.split(separator: "-")
    let numbers = ends.map { Int($0) ?? 0 }
    guard let first = numbers.first, let last = numbers.last, numbers.count <= 2 else { return nil }
    guard numbers.allSatisfy({ (1...5).contains($0) }), comparison.isEmpty || numbers.count == 1 else { return nil }
    let (low, high) =
      switch comparison {
      case "", "=": (first, last)
      case ">=": (first, 5)
      case ">": (first + 1, 5)
      case "<=": (1, first)
      case "<": (1, first - 1)
      default: (5, 1)
      }
    return low <= high ? low...high : nil
  }

  private mutating func add(_ key: SearchKey, period value: String, _ today: Day) -> String? {
    guard let period = Period(value, today: today) else {
      return tr("“{value}” is not a date. Write it like 2024, 2024-03 or 2024-03-09.", ["value": value])
    }
    func later(_ day: Day) -> Day { max(day, filter.first ?? day) }
    func earlier(_ day: Day) -> Day { min(day, filter.last ?? day) }
    if key == .after { filter.first = later(period.last.adding(days: 1)) }
    if key == .before { filter.last = earlier(period.first.adding(days: -1)) }
    // These include the period itself.
    if key == .from || key == .on { filter.first = later(period.first) }
    if key == .to || key == .on { filter.last = earlier(period.last) }
    return nil
  }
}

extension Garden {
  /// The twigs of the branches with this name, or else of those with a name that contains it.
  fileprivate func branches(called name: String) -> Set<Node> {
    nodes((0..<8).map { .branch($0) }, called: name).compactMap(\.branch)
      .reduce(into: []) { $0.formUnion(TimelineFilter.twigs(ofBranch: $1)) }
  }

  /// The twigs with this name, or else those with a name that contains it; `voice/practice` names both.
  fileprivate func twigs(called name: String) -> Set<Node> {
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return Set(nodes(Node.twigs, called: name)) }
    return Set(nodes(Array(branches(called: parts[0])), called: parts[1]))
  }

  private func nodes(_ nodes: [Node], called name: String) -> [Node] {
    let wanted = String(name.trimmed).folded
    guard !wanted.isEmpty else { return [] }
    let named = nodes.map { (node: $0, names: names(of: $0).map(\.folded)) }
    let whole = named.filter { $0.names.contains(wanted) }
    if !whole.isEmpty { return whole.map(\.node) }
    let part = FoldedText(wanted)
    return named.filter { $0.names.contains { FoldedText($0).contains(part) } }.map(\.node)
  }

  /// The ids of the leaves with this name, or else of those with a name that contains it.
  fileprivate func leaves(called name: String) -> Set<ExactID> {
    let wanted = String(name.trimmed).folded
    guard !wanted.isEmpty else { return [] }
    let names = leaves.map { (id: ExactID($0.id), name: $0.name.folded) }
    let whole = names.filter { $0.name == wanted }
    if !whole.isEmpty { return Set(whole.map(\.id)) }
    let part = FoldedText(wanted)
    return Set(names.filter { FoldedText($0.name).contains(part) }.map(\.id))
  }
}
