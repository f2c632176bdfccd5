import Localization

/// The key of a typed filter, such as `twig` in `twig:cello`. It can be typed in English or in the user's language.
enum SearchKey: String, CaseIterable {
  case branch, twig, leaf, kind, result, before, after, from, to, on, `in`

  init?(_ word: String) {
    // Most words are not followed by a colon, and a key is short.
    guard word.utf8.count <= 40 else { return nil }
    let folded = word.folded
    guard let key = SearchKey.allCases.first(where: { $0.rawValue == folded || $0.localName.folded == folded }) else {
      return nil
    }
    self = key
  }

  /// The key in the user's language: one word.
  private var localName: String {
    switch self {
    case .branch: trc("search filter", "branch")
    case .twig: trc("search filter", "twig")
    case .leaf: trc("search filter", "leaf")
    case .kind: trc("search filter", "kind")
    case .result: trc("search filter", "result")
    case .before: trc("search filter", "before")
    case .after: trc("search filter", "after")
    case .from: trc("search filter", "from")
    case .to: trc("search filter", "to")
    case .on: trc("search filter", "on")
    case .in: trc("search filter", "in")
    }
  }
}

extension SearchQuery {
  /// Whether a word is the value of the filter `in:` for earlier pages.
  static func isEarlier(_ word: String) -> Bool {
    ["earlier", trc("search filter", "earlier")].contains { $0.folded == word.folded }
  }
}

extension TimelineItem.Kind {
  /// Parses the value of the filter `kind:`.
  init?(searched word: String) {
    let folded = word.folded
    let names: [(TimelineItem.Kind, [String])] = [
      (.watering, ["water", "watering", trc("search filter", "water")]),
      (.reflection, ["sun", "reflection", trc("search filter", "sun")]),
      (.harvest, ["harvest", trc("search filter", "harvest")]),
    ]
    guard let kind = names.first(where: { $0.1.contains { $0.folded == folded } })?.0 else { return nil }
    self = kind
  }
}
