import TrunkModel

extension GardenModel {
  /// Questions that exclude those answered recently.
  public func questions() async throws -> Questions {
    let water = garden.journal.reversed().lazy.filter { $0.sprout != nil }.prefix(Questions.waterMemory)
    let sun = garden.journal.reversed().lazy.filter { $0.sprout == nil }.prefix(Questions.sunMemory)
    return Questions(
      recentWater: try await entries(garden.items(water.reversed())).compactMap(\.question),
      recentSun: try await entries(garden.items(sun.reversed())).compactMap(\.question))
  }
}

extension GardenModel {
  /// Reads the texts of journal lines, in the same order. Entries that have left the log are left out.
  public func entries(_ items: [TimelineItem]) async throws -> [TimelineEntry] {
    let bySeq = try await store.events(seqs: items.filter(\.isEntry).map(\.seq)).bySeq
    return items.compactMap { item in
      let event = bySeq[item.seq]
      if item.isEntry, event == nil { return nil }
      let twigLabel: String? = if case .sunShone(let it) = event?.payload { it.twigLabel } else { nil }
      return TimelineEntry(
        item: item, text: event?.journalText.joined(separator: "\n") ?? "", question: event?.payload.question,
        twigLabel: twigLabel)
    }
  }

  /// Searches the entries, also with filters: see `SearchQuery`.
  /// - Returns: the numbers of the matching events; `nil` if there is nothing to look for.
  public func find(_ query: String) async throws -> Set<Int64>? {
    let results = try await makeSearch().results(for: query, in: garden, at: now) { _ in 0 }
    return results.query.isEmpty ? nil : Set(results.items[.entries, default: []].map(\.seq))
  }

  /// Searches the earlier pages in the same way.
  /// - Returns: the numbers of the matching pages.
  public func findPages(_ query: String) async throws -> Set<Int64> {
    let results = try await makeSearch().results(for: query, in: garden, at: now) { $0 == .pages ? .max : 0 }
    return Set(
      results.hits[.pages, default: []].compactMap { hit in
        if case .page(let page) = hit.place { page.id } else { nil }
      })
  }
}
