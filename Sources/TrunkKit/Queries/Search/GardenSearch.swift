import EventStore
import TrunkModel

/// Searches a garden off the main thread: entries, questions, sprouts, leaves, seedlings, branches and twigs.
public actor GardenSearch {
  let store: EventStore
  /// The garden that the catalog was made from, and the catalog.
  private var prepared: (stamp: Stamp, catalog: SearchCatalog)?

  /// Distinguishes two states of a garden.
  private struct Stamp: Equatable {
    let eventCount: Int
    let lastKey: OrderKey?
  }

  public init(_ store: EventStore) { self.store = store }

  /// Continues with the catalog of an earlier search in the same garden.
  init(_ store: EventStore, _ catalog: SearchCatalog, of garden: Garden) {
    self.store = store
    prepared = (Stamp(eventCount: garden.eventCount, lastKey: garden.lastKey), catalog)
  }

  /// Returns an entry with the beginning of its text; `nil` if the garden doesn't have it or it is hidden.
  func entry(_ seq: Int64, in garden: Garden) async throws -> SearchResults.Hit? {
    let hidden = try await store.head().hidden
    guard !hidden.contains(seq), let item = catalog(of: garden).items.first(where: { $0.seq == seq }) else {
      return nil
    }
    return try await hits([item], .entries, []).first
  }

  /// Returns an earlier page with the beginning of its text; `nil` if it isn't there.
  func page(_ id: Int64, in garden: Garden) async throws -> SearchResults.Hit? {
    guard let page = try await store.pages(ids: [id]).first else { return nil }
    return try await hits([PageLine(id: id, date: page.page.date, in: garden.zone)], []).first
  }

  /// Prepares for a first search, which would otherwise take longer than the next ones.
  public func prepare(_ garden: Garden) { _ = catalog(of: garden) }

  /// Searches the garden.
  /// - Parameters:
  ///   - now: for filters such as `on:today`.
  ///   - limit: the maximum number of hits to return from each group.
  /// - Throws: `CancellationError` if the task was cancelled, for example because the user went on typing.
  public func results(
    for text: String, in garden: Garden, at now: Instant, limit: @Sendable (SearchResults.Group) -> Int
  ) async throws -> SearchResults {
    let today = garden.zone.dayKey(now)
    let found = try await found(text, in: garden, today)
    let matcher = SearchMatcher(found.query.textQuery)
    var results = SearchResults(found.query, counts: found.counts, items: found.items)
    for group in SearchResults.Group.allCases {
      let limit = limit(group)
      results.hits[group] =
        if let items = found.items[group] {
          try await hits(items.prefix(limit), group, found.query.textQuery.terms)
        } else if group == .pages {
          try await hits(found.pages.prefix(limit), found.query.textQuery.terms)
        } else {
          found.matches[group, default: []].prefix(limit).map { matcher.hit($0, group) }
        }
    }
    if results.count == 0 {
      results.relaxed = try await relaxed(found.query, in: garden, today)
      results.correction = try await correction(of: text, in: garden, today)
    }
    return results
  }
}

/// What a search has found, without the texts of entries.
private struct Found {
  let query: SearchQuery
  var items: [SearchResults.Group: [TimelineItem]] = [:]
  var matches: [SearchResults.Group: [SearchMatcher.Match]] = [:]
  /// Newest first.
  var pages: [PageLine] = []

  var counts: [SearchResults.Group: Int] {
    items.mapValues(\.count).merging(matches.mapValues(\.count)) { $1 }.merging([.pages: pages.count]) { $1 }
  }
}

extension GardenSearch {
  func catalog(of garden: Garden) -> SearchCatalog {
    let stamp = Stamp(eventCount: garden.eventCount, lastKey: garden.lastKey)
    if let prepared, prepared.stamp == stamp { return prepared.catalog }
    let catalog = SearchCatalog(garden)
    prepared = (stamp, catalog)
    return catalog
  }

  private func found(_ text: String, in garden: Garden, _ today: Day) async throws -> Found {
    try Task.checkCancellation()
    let query = SearchQuery(text, in: garden, today: today)
    var found = Found(query: query)
    guard !query.isEmpty, query.problems.isEmpty else { return found }
    let matches = try await store.matches(query.textQuery)
    try Task.checkCancellation()
    if let days = query.filter.daysOfPages {
      found.pages = try await pages(matches?.pages, in: days, garden.zone)
    }
    if query.isForPages { return found }
    let catalog = catalog(of: garden)
    let (filter, selection) = (query.filter, TimelineSelection(query.filter, in: garden))
    let items = filter.isEmpty ? catalog.items : catalog.items.filter(selection.includes)
    // A search without words lists what the filters select.
    if let matches {
      found.items[.entries] = items.filter { matches.texts.contains($0.seq) }
    } else {
      let hidden = try await store.head().hidden
      found.items[.entries] = items.filter { !hidden.contains($0.seq) }
    }
    found.items[.questions] = matches.map { matches in items.filter { matches.questions.contains($0.seq) } } ?? []
    let matcher = SearchMatcher(query.textQuery)
    for group in SearchResults.Group.allCases {
      guard let records = catalog.records(group) else { continue }
      found.matches[group] = matcher.matches(
        filter.isEmpty ? records : records.filter { selection.includes($0.place, in: garden) })
    }
    return found
  }

  private func hits(
    _ items: ArraySlice<TimelineItem>, _ group: SearchResults.Group, _ terms: [TextQuery.Term]
  ) async throws -> [SearchResults.Hit] {
    guard !items.isEmpty else { return [] }
    let bySeq = try await store.events(seqs: items.map(\.seq)).bySeq
    return items.compactMap { item in
      guard let event = bySeq[item.seq] else { return nil }
      let text = group == .questions ? event.payload.question ?? "" : event.journalText.joined(separator: "\n")
      return .init(
        group: group, place: .entry(item), excerpt: Excerpt(of: ReadingText(text).plain, finding: terms), title: nil)
    }
  }

  /// The pages that match, newest first.
  /// - Parameter ids: `nil` for all.
  private func pages(_ ids: Set<Int64>?, in days: ClosedRange<Day>?, _ zone: Zone) async throws -> [PageLine] {
    guard let ids else { return try await GardenModel.pageLines(in: days, store, zone) }
    if ids.isEmpty { return [] }
    return try await GardenModel.pageLines(in: days, store, zone).filter { ids.contains($0.id) }
  }

  private func hits(_ lines: ArraySlice<PageLine>, _ terms: [TextQuery.Term]) async throws -> [SearchResults.Hit] {
    guard !lines.isEmpty else { return [] }
    let pages = Dictionary(uniqueKeysWithValues: try await store.pages(ids: lines.map(\.id)).map { ($0.id, $0) })
    return lines.compactMap { line in
      pages[line.id].map { page in
        .init(
          group: .pages, place: .page(line),
          excerpt: Excerpt(of: ReadingText(page.page.wholeText).plain, finding: terms), title: page.about)
      }
    }
  }

  /// The number of results of a search.
  func count(of text: String, in garden: Garden, _ today: Day) async throws -> Int {
    try await found(text, in: garden, today).counts.values.reduce(0, +)
  }

  private func relaxed(
    _ query: SearchQuery, in garden: Garden, _ today: Day
  ) async throws -> [SearchResults.Relaxed] {
    var relaxed: [SearchResults.Relaxed] = []
    for filter in query.filters {
      let count = try await count(of: filter.rest, in: garden, today)
      if count > 0 { relaxed.append(.init(filter: filter.text, text: filter.rest, count: count)) }
    }
    return relaxed
  }
}
