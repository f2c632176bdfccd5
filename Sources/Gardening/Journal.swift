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

  /// Keeps the twig and the question that the sun's draft is about.
  public func keepAsked(_ twig: Node, _ question: String) async throws {
    try await store.saveDraft(twig.id + "\n" + question, for: draftKey(.sun, "asked"), now: clock.now())
  }

  /// The twig and the question of the sun's draft; `nil` if there is no draft, or none that tells.
  public func askedBefore() async throws -> (twig: Node, question: String)? {
    guard try await draft(.sun, about: "") != nil, let asked = try await draft(.sun, about: "asked") else { return nil }
    let parts = asked.split(separator: "\n", maxSplits: 1)
    guard parts.count == 2, let twig = Node(id: String(parts[0])), Node.twigs.contains(twig) else { return nil }
    return (twig, String(parts[1]))
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
