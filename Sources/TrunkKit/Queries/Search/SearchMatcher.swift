import EventStore

/// Matches a search with titles, names and notes.
struct SearchMatcher {
  private let query: TextQuery
  private let terms: [FoldedTerm]
  private let excluded: [FoldedTerm]

  init(_ query: TextQuery) {
    self.query = query
    terms = query.terms.compactMap(FoldedTerm.init)
    excluded = query.excluded.compactMap(FoldedTerm.init)
  }

  /// A record and the first of its texts that matches.
  struct Match {
    let record: SearchCatalog.Record
    let index: Int
  }

  /// Returns the records with a text that contains every term, without those that contain an excluded term.
  func matches(_ records: [SearchCatalog.Record]) -> [Match] {
    records.compactMap { record in matchingText(of: record).map { Match(record: record, index: $0) } }
  }

  func hit(_ match: Match, _ group: SearchResults.Group) -> SearchResults.Hit {
    let (texts, isTitle) = (match.record.texts, match.index == 0)
    let excerpt =
      isTitle
      ? Excerpt(whole: texts[0], finding: query.terms) : Excerpt(of: texts[match.index], finding: query.terms)
    return .init(group: group, place: match.record.place, excerpt: excerpt, title: isTitle ? nil : texts[0])
  }

  private func matchingText(of record: SearchCatalog.Record) -> Int? {
    if excluded.contains(where: { term in record.folded.contains { $0.contains(term) } }) { return nil }
    return record.folded.firstIndex { text in terms.allSatisfy(text.contains) }
  }
}
