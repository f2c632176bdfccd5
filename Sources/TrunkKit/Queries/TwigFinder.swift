import Localization
import TrunkModel

/// Finds twigs for the form for planting: by what the user types as the place, and by a sprout's title.
///
/// It knows the garden that it was made from, so make a new one when the garden has changed.
public struct TwigFinder: Sendable {
  /// The maximum number of twigs for a typed place.
  public static let matchLimit = 6
  /// The maximum number of twigs for a title.
  public static let suggestionLimit = 3

  private let entries: [Entry]

  /// - Parameter language: the language of the words in `data/words`; by default that of the texts. Another language
  ///   has the English words.
  public init(_ garden: Garden, language: String = catalogueLanguage) {
    var own: [String: [String]] = [:]
    for leaf in garden.leaves { own[leaf.twigID, default: []].append(leaf.name) }
    for seedling in garden.seedlings { own[seedling.twigID, default: []].append(seedling.title) }
    let words = ResourceTexts.words(in: language)
    entries = Node.twigs.map { twig in
      Entry(
        twig: twig,
        words: [
          .name: garden.names(of: twig), .word: words[twig, default: []],
          .garden: own[twig.id, default: []], .description: [garden.note(of: twig)],
          .branch: twig.branch.map { garden.names(of: .branch($0)) } ?? [],
        ])
    }
  }

  /// Returns the twigs for a typed place, the best first; at most six, and none for a text without words. Each word may
  /// be the beginning or a part of one of the twig's words.
  ///
  /// A twig is found by its own, default and English name, by the words for it in `data/words`, its leaves and
  /// seedlings, its description, and the names of its branch, in this order.
  public func matches(_ place: String) -> [Node] {
    let wanted = Words(place).words.map(\.folded)
    guard !wanted.isEmpty else { return [] }
    let found = entries.enumerated().compactMap { position, entry -> (position: Int, rank: Int)? in
      let ranks = wanted.compactMap(entry.rank)
      return ranks.count == wanted.count ? (position, ranks.reduce(0, +)) : nil
    }
    // Equal ones keep the order of the tree.
    return found.sorted { ($0.rank, $0.position) < ($1.rank, $1.position) }.prefix(TwigFinder.matchLimit)
      .map { entries[$0.position].twig }
  }

  /// Returns the twigs that a sprout's title suggests, the best first; at most three, and often none.
  public func suggestions(forTitle title: String) -> [Node] {
    let all = Words(title).words
    let functionWords = StopWords.of(all)
    let telling = Set(all.map(\.folded)).filter { $0.count > 2 && !functionWords.contains($0) }
    let found = entries.enumerated().compactMap { position, entry -> (position: Int, points: Int)? in
      let points = telling.reduce(0) { $0 + entry.points(for: $1) }
      return points > 0 ? (position, points) : nil
    }
    return found.sorted { ($1.points, $0.position) < ($0.points, $1.position) }.prefix(TwigFinder.suggestionLimit)
      .map { entries[$0.position].twig }
  }
}

extension TwigFinder {
  /// Where a twig has a word, the most important place first.
  private enum Source: Int, CaseIterable {
    case name, word, garden, description, branch

    /// How strongly a word of a title suggests a twig that has it here.
    var points: Int {
      switch self {
      case .name: 8
      case .garden: 7
      case .word: 5
      case .description: 2
      case .branch: 0
      }
    }
  }

  private struct Entry {
    let twig: Node
    private let words: [Source: Set<String>]

    init(twig: Node, words: [Source: [String]]) {
      self.twig = twig
      self.words = words.mapValues { texts in Set(texts.flatMap { Words($0).words.map(\.folded) }) }
    }

    /// The place of the best match of a typed word, from 0; `nil` if the twig doesn't have the word.
    func rank(of wanted: String) -> Int? {
      let parts = Source.allCases.count * 2
      return words.lazy.compactMap { source, words -> Int? in
        let rank = source.rawValue * 2
        if words.contains(wanted) { return rank }
        if words.contains(where: { $0.hasPrefix(wanted) }) { return rank + 1 }
        // The part of a compound, such as “zeug” in “Werkzeug”.
        guard wanted.count > 2 else { return nil }
        let part = FoldedText(folded: Array(wanted.utf8CString))
        return words.contains { FoldedText(folded: Array($0.utf8CString)).contains(part) } ? rank + parts : nil
      }.min()
    }

    /// How strongly a word of a title suggests the twig; 0 if it doesn't.
    func points(for wanted: String) -> Int {
      Source.allCases.lazy.map { source -> Int in
        let words = words[source, default: []]
        if words.contains(wanted) { return source.points }
        return source.points > 2 && words.contains { $0.isRelated(to: wanted) } ? source.points - 1 : 0
      }.max() ?? 0
    }
  }
}

extension String {
  /// Whether two folded words may be forms of one: “run” and “running”, “meditate” and “meditation”.
  fileprivate func isRelated(to other: String) -> Bool {
    let (shorter, longer) = count < other.count ? (self, other) : (other, self)
    let common = zip(shorter, longer).prefix { $0 == $1 }.count
    let isStem = common == shorter.count ? common > 2 : common > 4
    return isStem && shorter.count - common < 4 && longer.count - common < 5
  }
}
