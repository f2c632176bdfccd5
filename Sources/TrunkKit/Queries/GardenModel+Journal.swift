import EventStore
import TrunkModel

extension GardenModel {
  /// A form whose text is saved as a draft while the user types.
  public enum Form: String, Sendable {
    case water, sun, harvest
  }

  /// The question that a text answers.
  public struct Asked: Sendable, Equatable {
    public let question: String
    /// The twig of a reflection's question; `nil` for other forms.
    public let twig: Node?

    public init(_ question: String, on twig: Node? = nil) {
      self.question = question
      self.twig = twig
    }

    /// The question, after a line with the twig if there is one.
    var text: String { (twig.map { $0.id + "\n" } ?? "") + question }

    /// - Returns: `nil` if the text has no twig and the form needs one.
    init?(_ text: String, _ form: Form) {
      guard form == .sun else {
        self.init(text)
        return
      }
      let parts = text.split(separator: "\n", maxSplits: 1)
      guard parts.count == 2, let twig = Node(id: String(parts[0])), Node.twigs.contains(twig) else { return nil }
      self.init(String(parts[1]), on: twig)
    }
  }

  /// Saves a draft on disk with the question it answers; a blank text removes the draft.
  public func keepDraft(_ text: String, _ form: Form, about entity: String, asked: Asked? = nil) async throws {
    let key = draftKey(form, entity)
    defer { draftRevision += 1 }
    if text.trimmed.isEmpty {
      try await store.removeDraft(for: key)
    } else {
      try await store.save(Draft(key: key, text: text, asked: asked?.text, updated: clock.now()))
    }
  }

  /// The draft, which may be from an earlier day, and the question it answers; `nil` if there is none.
  public func begun(_ form: Form, about entity: String) async throws -> (text: String, asked: Asked?)? {
    try await store.draft(for: draftKey(form, entity)).map { draft in
      (draft.text, draft.asked.flatMap { Asked($0, form) })
    }
  }

  /// The text of the draft.
  public func draft(_ form: Form, about entity: String) async throws -> String? {
    try await begun(form, about: entity)?.text
  }

  /// - Parameter entity: the sprout; empty for the sun, which has one draft for all twigs.
  func draftKey(_ form: Form, _ entity: String) -> DraftKey {
    // The key has no day, so that a draft from before 06:00 is still there afterwards.
    DraftKey(kind: form.rawValue, entity: entity, day: "")
  }
}

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
      switch event?.content {
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
