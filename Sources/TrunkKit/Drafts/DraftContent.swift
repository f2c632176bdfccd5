import EventStore
import TrunkModel

/// The content of a draft, as a form knows it.
public struct DraftContent: Sendable, Equatable {
  public let key: DraftKey
  /// A text, or the fields of a form as JSON; empty if nothing has to be saved.
  public let text: String
  private let storedQuestion: String?

  /// The draft of a text; a blank one isn't saved, except that of a harvest whose result is chosen.
  /// - Parameters:
  ///   - entity: the id of the sprout that the text is about; empty for the sun, which has one draft for all twigs.
  ///   - asked: the question that the text answers; for a harvest its `HarvestProgress`.
  public init(
    _ text: String, _ form: GardenModel.DraftForm, about entity: String, asked: GardenModel.AskedQuestion? = nil
  ) {
    self.init(key: form.draftKey(about: entity), text: text, asked: asked?.text)
  }

  /// The draft of a form: the fields that the user has filled in or changed, by their names. It is empty without any.
  public init(_ fields: [String: String], in key: DraftKey) {
    let members = fields.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) }
    self.init(key: key, text: members.isEmpty ? "" : JSON.object(members).compactText, asked: nil)
  }

  fileprivate init(key: DraftKey, text: String, asked: String?) {
    self.key = key
    let isBlank = text.trimmed.isEmpty
    let isKept = !isBlank || (key.isHarvest && asked != nil)
    // An empty text is no draft.
    self.text = isBlank ? (isKept ? DraftContent.noWords : "") : text
    storedQuestion = isKept ? asked : nil
  }

  init(_ draft: Draft) { self.init(key: draft.key, text: draft.text, asked: draft.asked) }

  /// The same draft without any content.
  public var emptied: DraftContent { DraftContent(key: key, text: "", asked: nil) }

  /// The text of a draft without words.
  private static let noWords = "\n"

  /// What the user wrote; empty for a draft without words.
  public var words: String { text == DraftContent.noWords ? "" : text }

  /// The question that the text answers.
  public var asked: GardenModel.AskedQuestion? {
    storedQuestion.flatMap { .init($0, isOfSun: key.kind == GardenModel.DraftForm.sun.rawValue) }
  }

  /// The fields of a form, by their names.
  public var fields: [String: String] {
    // A text that isn't JSON is a draft of an earlier version.
    if let members = (try? JSON(text))?.members {
      let fields = members.compactMap { member in member.value.text.map { (member.name.decoded, $0) } }
      return Dictionary(fields) { $1 }
    }
    // Its text was the only field that was saved.
    switch GardenModel.DraftForm(rawValue: key.kind) {
    case _ where text.isEmpty: return [:]
    case .node: return ["note": text]
    case .seedlingEdit: return ["notes": text]
    case .seedling:
      let title = text.prefix { $0 != "\n" }
      return ["title": String(title), "notes": String(text.dropFirst(title.count + 1)), "twig": storedQuestion ?? ""]
    default: return [:]
    }
  }

  /// This draft after another one that is on disk. If two forms have different texts in one field, they can't be
  /// joined: this one gets its own slot.
  /// - Parameter known: the text that both may begin or end with, because it was on disk before.
  public func joined(after other: DraftContent, known: DraftContent) -> DraftContent {
    if key.isForm {
      guard !text.isEmpty else { return other }
      let fields = other.fields.merging(fields) { $1 }
      let isComplete = other.fields.allSatisfy { fields[$0.key] == $0.value }
      return isComplete
        ? DraftContent(fields, in: other.key) : DraftContent(key: key.newSlot(), text: text, asked: nil)
    }
    // A result that is chosen now counts; a question is that of the earlier text.
    let (mine, others) = (storedQuestion, other.storedQuestion)
    let asked = key.isHarvest ? mine ?? others : others ?? mine
    var (before, after) = (other.words, words)
    if !known.words.isEmpty, before.hasSuffix(known.words), after.hasPrefix(known.words) {
      return DraftContent(key: key, text: before.dropLast(known.words.count) + after, asked: asked)
    }
    if !before.isEmpty, !after.isEmpty { before += "\n" }
    return DraftContent(key: key, text: before + after, asked: asked)
  }

  func draft(at instant: Instant) -> Draft {
    Draft(key: key, text: text, asked: storedQuestion, updated: instant)
  }

  /// Whether this version understands the draft. Another one stays on disk.
  fileprivate var isReadable: Bool {
    !key.isForm || (key.kind == GardenModel.DraftForm.plant.rawValue ? plantForm != nil : !fields.isEmpty)
  }
}

extension DraftKey {
  fileprivate var isHarvest: Bool { kind == GardenModel.DraftForm.harvest.rawValue }
}

extension GardenModel {
  /// What is saved as a draft while the user fills it in.
  public enum DraftForm: String, Sendable {
    case water, sun, harvest
    case plant
    /// A new seedling.
    case seedling
    case seedlingEdit = "seedling-notes"
    case sproutEdit = "sprout"
    /// The name and the note of a branch or twig.
    case node

    /// - Parameter entity: what the form is about; one with several fields can name a slot instead.
    public func draftKey(about entity: String) -> DraftKey {
      // The key has no day, so that a draft from before 06:00 is still there afterwards.
      DraftKey(kind: rawValue, entity: entity, day: "")
    }
  }

  /// The question that a text answers.
  public struct AskedQuestion: Sendable, Equatable {
    public let question: String
    /// The twig of a reflection's question; `nil` for other forms.
    public let twig: Node?

    public init(_ question: String, on twig: Node? = nil) {
      self.question = question
      self.twig = twig
    }

    /// The question, after a line with the twig if there is one.
    var text: String { (twig.map { $0.id + "\n" } ?? "") + question }

    /// - Returns: `nil` if the text has no twig, but should.
    fileprivate init?(_ text: String, isOfSun: Bool) {
      guard isOfSun else {
        self.init(text)
        return
      }
      let parts = text.split(separator: "\n", maxSplits: 1)
      guard parts.count == 2, let twig = Node(id: String(parts[0])), Node.twigs.contains(twig) else { return nil }
      self.init(String(parts[1]), on: twig)
    }
  }

  /// Saves a draft on disk; an empty one is removed.
  /// - Parameter known: what the form knows to be on disk; `nil` to replace anything.
  /// - Returns: what is on disk instead. Then nothing was changed.
  @discardableResult
  public func save(_ draft: DraftContent, replacing known: DraftContent? = nil) async throws -> DraftContent? {
    defer { draftRevision += 1 }
    return try await store.save(draft.draft(at: clock.now()), replacing: known?.text).map { DraftContent($0) }
  }

  /// Saves a text as a draft, after any text that the draft already has.
  public func add(_ draft: DraftContent) async throws {
    var (known, new) = (draft.emptied, draft)
    while let other = try await save(new, replacing: known) {
      (known, new) = (other, draft.joined(after: other, known: draft.emptied))
    }
  }

  /// Writes a draft that can't be saved into a file in the garden's folder. The next program that opens the garden
  /// saves it.
  /// - Parameter saved: its last version that was saved.
  public func setAside(_ draft: DraftContent, replacing saved: DraftContent) throws {
    try EventStore.setAside(draft.draft(at: clock.now()), replacing: saved.text, in: folder)
  }

  /// Saves all drafts that were set aside; call it before the garden is copied and removed.
  public func saveSetAsideDrafts() async throws { try await store.saveSetAsideDrafts() }

  /// The newest draft of a form, which may be from an earlier day; `nil` if there is none that can be read.
  /// - Parameter entity: see `DraftForm.draftKey`. Without a slot, the drafts in all slots count.
  public func unfinished(_ form: DraftForm, about entity: String) async throws -> DraftContent? {
    let key = form.draftKey(about: entity)
    if let draft = try await store.draft(for: key).map({ DraftContent($0) }), draft.isReadable { return draft }
    guard key.isForm else { return nil }
    return try await store.drafts().lazy
      .filter { DraftKey(kind: $0.key.kind, entity: $0.key.origin, day: "") == key }
      .map { DraftContent($0) }.first(where: \.isReadable)
  }
}
