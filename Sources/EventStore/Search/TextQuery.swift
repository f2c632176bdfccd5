/// Words to search for in the texts of the journal.
public struct TextQuery: Sendable, Equatable {
  /// A word, or several words that must be next to each other.
  public struct Term: Sendable, Equatable {
    public let text: String
    /// Whether the last word may continue: `riv` then finds `river`.
    public let isPrefix: Bool

    public init(_ text: String, isPrefix: Bool = false) {
      (self.text, self.isPrefix) = (text, isPrefix)
    }
  }

  /// All of them must occur.
  public var terms: [Term]
  /// None of them may occur.
  public var excluded: [Term]

  public init(_ terms: [Term] = [], excluding excluded: [Term] = []) {
    (self.terms, self.excluded) = (terms, excluded)
  }

  public var isEmpty: Bool { terms.isEmpty && excluded.isEmpty }
}

extension TextQuery {
  /// The maximum number of words in a query; further ones are ignored.
  private static let maximumTerms = 32

  /// The FTS5 query for all terms, without the excluded ones; `nil` if no term has a word.
  var required: String? { TextQuery.fts(terms, joinedBy: " ") }

  /// The FTS5 query for any of the excluded terms; `nil` if none of them has a word.
  var forbidden: String? { TextQuery.fts(excluded, joinedBy: " OR ") }

  /// FTS5 would parse raw text as query syntax and mostly reject it, so every term becomes a quoted string.
  private static func fts(_ terms: [Term], joinedBy separator: String) -> String? {
    let strings = terms.prefix(maximumTerms).filter { $0.text.unicodeScalars.contains(where: \.isWordPart) }.map {
      "\"" + withoutQuotes(SearchIndex.prepared($0.text)) + "\""
        + ($0.isPrefix ? " *" : "")
    }
    return strings.isEmpty ? nil : strings.joined(separator: separator)
  }

  private static func withoutQuotes(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\"" ? " " : $0 }))
  }
}
