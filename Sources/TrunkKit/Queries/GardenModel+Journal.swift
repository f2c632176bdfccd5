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
  /// Reads the texts of journal lines, in the same order. Entries that have left the log are left out; hidden ones have
  /// no text.
  public func entries(_ items: [TimelineItem]) async throws -> [TimelineEntry] {
    let bySeq = try await store.events(seqs: items.filter(\.isEntry).map(\.seq)).bySeq
    return items.compactMap { item in
      let event = bySeq[item.seq]
      if item.isEntry, event == nil { return nil }
      let twigLabel: String? = if case .sunShone(let it) = event?.payload { it.twigLabel } else { nil }
      let isHidden = item.isEntry && hidden.contains(item.seq)
      let shown = isHidden ? nil : event
      return TimelineEntry(
        item: item, text: shown?.journalText.joined(separator: "\n") ?? "", question: shown?.payload.question,
        twigLabel: twigLabel, isHidden: isHidden)
    }
  }

  /// The same without hidden entries, for what other people may read.
  func shownEntries(_ items: [TimelineItem]) async throws -> [TimelineEntry] {
    try await entries(items).filter { !$0.isHidden }
  }

  /// Hides an entry on this computer, or shows it again. The log, backups and other devices keep it.
  /// - Parameter seq: its number in the log.
  public func setHidden(_ isHidden: Bool, entry seq: Int64) async throws {
    try await store.setHidden(isHidden, seq: seq)
    try await refresh()
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
