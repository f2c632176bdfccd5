import Garden
import GardenStore

extension Gardener {
  /// A form whose text is kept as it is typed.
  public enum Form: String, Sendable {
    case water, sun, harvest
  }

  /// Keeps what was typed so far, on disk; a blank text removes the draft.
  public func keepDraft(_ text: String, _ form: Form, about entity: String) async throws {
    let key = draftKey(form, entity)
    if text.trimmed.isEmpty {
      try await store.removeDraft(for: key)
    } else {
      try await store.saveDraft(text, for: key, now: clock.now())
    }
  }

  /// What was typed and not yet written, be it on an earlier day; `nil` if there is nothing.
  public func draft(_ form: Form, about entity: String) async throws -> String? {
    try await store.draft(for: draftKey(form, entity))?.text
  }

  /// - Parameter entity: the sprout; empty for the sun, which has one draft whatever the twig.
  func draftKey(_ form: Form, _ entity: String) -> DraftKey {
    // No day in the key: what was begun before 06:00 is still there after it.
    DraftKey(kind: form.rawValue, entity: entity, day: "")
  }
}

extension Gardener {
  /// An entry with its words.
  public struct Page: Sendable, Equatable {
    public let entry: JournalEntry
    public let content: String
    public let prompt: String?
    /// What the twig was called when the sun shone on it; `nil` for a watering.
    public let twigLabel: String?
  }

  /// The words of journal entries, in the same order.
  public func pages(_ entries: [JournalEntry]) async throws -> [Page] {
    let events = try await store.events(seqs: entries.map(\.seq))
    let bySeq = Dictionary(events.map { ($0.seq, $0.event) }) { first, _ in first }
    return entries.compactMap { entry in
      guard let event = bySeq[entry.seq], let words = event.entry else { return nil }
      let label: String? = if case .sunShone(let sun) = event.content { sun.twigLabel } else { nil }
      // An entry that answers no question has an empty one.
      let prompt = words.prompt.flatMap { $0.isEmpty ? nil : $0 }
      return Page(entry: entry, content: words.content, prompt: prompt, twigLabel: label)
    }
  }

  /// Questions that know which ones were answered lately.
  public func questions() async throws -> Questions {
    let water = garden.journal.reversed().lazy.filter { $0.sprout != nil }.prefix(Questions.waterMemory)
    let sun = garden.journal.reversed().lazy.filter { $0.sprout == nil }.prefix(Questions.sunMemory)
    return Questions(
      recentWater: try await pages(water.reversed()).compactMap(\.prompt),
      recentSun: try await pages(sun.reversed()).compactMap(\.prompt))
  }
}
