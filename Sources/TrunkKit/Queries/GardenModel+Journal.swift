import EventStore
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
    let events = try await store.events(seqs: items.filter(\.isEntry).map(\.seq))
    let bySeq = Dictionary(events.map { ($0.seq, $0.event) }) { first, _ in first }
    return items.compactMap { item in
      var (text, question, label, result): (String, String?, String?, Int?) = ("", nil, nil, nil)
      let event = bySeq[item.seq]
      if item.isEntry, event == nil { return nil }
      switch event?.payload {
      case .sproutWatered(let it): (text, question) = (it.content, it.prompt)
      case .sunShone(let it): (text, question, label) = (it.content, it.prompt, it.twigLabel)
      case .sproutHarvested(let it): (text, result) = (it.reflection ?? "", it.result)
      default: break
      }
      // An entry without a question may have an empty prompt.
      if question?.isEmpty == true { question = nil }
      return TimelineEntry(item: item, text: text, question: question, twigLabel: label, result: result)
    }
  }

  /// Searches the entries, also with filters: see `SearchQuery`.
  /// - Returns: the numbers of the matching events; `nil` if there is nothing to look for.
  public func find(_ query: String) async throws -> Set<Int64>? {
    let results = try await makeSearch().results(for: query, in: garden, at: now) { _ in 0 }
    return results.query.isEmpty ? nil : Set(results.items[.entries, default: []].map(\.seq))
  }
}
