import EventStore
import TrunkModel

/// The content of a draft, as a form knows it.
public struct DraftContent: Sendable, Equatable {
  let key: DraftKey
  /// The text of a text area, or a plant form as JSON; empty if nothing has to be saved.
  public let text: String
  /// See `AskedQuestion.text`.
  private let asked: String?

  /// The draft of a text; a blank one isn't saved, except that of a harvest whose result is chosen.
  /// - Parameters:
  ///   - entity: the id of the sprout or place that the text is about; empty for the sun, which has one draft for all
  ///     twigs.
  ///   - asked: the question that the text answers; for a harvest its `HarvestProgress`.
  public init(
    _ text: String, _ form: GardenModel.TextForm, about entity: String, asked: GardenModel.AskedQuestion? = nil
  ) {
    self.init(key: form.draftKey(about: entity), text: text, asked: asked?.text)
  }

  /// The draft of a plant form; `nil` if nothing was changed in the form.
  public init(_ form: GardenModel.PlantForm?, in slot: GardenModel.PlantFormSlot) {
    key = slot.key
    text = form?.draftText ?? ""
    asked = nil
  }

  fileprivate init(key: DraftKey, text: String, asked: String?) {
    self.key = key
    let isBlank = text.trimmed.isEmpty
    let isKept = !isBlank || (key.isHarvest && asked != nil)
    // An empty text is no draft.
    self.text = isBlank ? (isKept ? DraftContent.noWords : "") : text
    self.asked = isKept ? asked : nil
  }

  /// The text of a draft without words.
  private static let noWords = "\n"

  /// What the user wrote; empty for a draft without words.
  public var words: String { text == DraftContent.noWords ? "" : text }

  fileprivate init(_ draft: Draft) { self.init(key: draft.key, text: draft.text, asked: draft.asked) }

  /// This text after another one that is on disk. Two plant forms can't be joined: this one gets its own slot.
  /// - Parameter known: the text that both may begin or end with, because it was on disk before.
  public func joined(after other: DraftContent, known: DraftContent) -> DraftContent {
    if let origin = GardenModel.PlantFormSlot.origin(of: key) {
      return DraftContent(key: GardenModel.PlantFormSlot(origin: origin).key, text: text, asked: nil)
    }
    // A result that is chosen now counts; a question is that of the earlier text.
    let asked = key.isHarvest ? asked ?? other.asked : other.asked ?? asked
    var (before, after) = (other.words, words)
    if !known.words.isEmpty, before.hasSuffix(known.words), after.hasPrefix(known.words) {
      return DraftContent(key: key, text: before.dropLast(known.words.count) + after, asked: asked)
    }
    if !before.isEmpty, !after.isEmpty { before += "\n" }
    return DraftContent(key: key, text: before + after, asked: asked)
  }

  /// The question that the text answers, in this form.
  public func asked(in form: GardenModel.TextForm) -> GardenModel.AskedQuestion? { asked.flatMap { .init($0, form) } }

  /// The plant form; `nil` if nothing was changed in it.
  public var plantForm: GardenModel.PlantForm? { .init(draftText: text) }

  /// The place of the plant form on disk; `nil` for a text.
  public var slot: GardenModel.PlantFormSlot? { .init(key) }

  func draft(at instant: Instant) -> Draft {
    Draft(key: key, text: text, asked: asked, updated: instant)
  }
}

extension DraftKey {
  fileprivate var isHarvest: Bool { kind == GardenModel.TextForm.harvest.rawValue }
}

extension GardenModel {
  /// A form whose text is saved as a draft while the user types.
  public enum TextForm: String, Sendable {
    case water, sun, harvest, seedling
    /// The note of a branch or twig.
    case node
    /// The notes of a seedling that is edited.
    case seedlingNotes = "seedling-notes"

    func draftKey(about entity: String) -> DraftKey {
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

    /// - Returns: `nil` if the text has no twig and the form needs one.
    init?(_ text: String, _ form: TextForm) {
      guard form == .sun else {
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
    let nothing = DraftContent(key: draft.key, text: "", asked: nil)
    var (known, new) = (nothing, draft)
    while let other = try await save(new, replacing: known) {
      (known, new) = (other, draft.joined(after: other, known: nothing))
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

  /// The draft of a text, which may be from an earlier day; `nil` if there is none.
  public func unfinishedText(_ form: TextForm, about entity: String) async throws -> DraftContent? {
    try await store.draft(for: form.draftKey(about: entity)).map {
      DraftContent($0.text, form, about: entity, asked: $0.asked.flatMap { AskedQuestion($0, form) })
    }
  }
}
