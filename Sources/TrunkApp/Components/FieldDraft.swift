import GtkKit
import TrunkKit

/// A field whose text is a part of a draft.
protocol DraftField: AnyObject {
  var text: String { get set }
  /// Whether the user changed the initial text.
  var isChanged: Bool { get }
  var onChange: (@MainActor () -> Void)? { get set }
}

extension LimitedRow: DraftField {}
extension TextArea: DraftField {}

/// The fields of a form. What the user has changed in them is a draft until the form is saved.
final class FieldDraft {
  /// The choices beside the texts. They are saved together with a text; without one there is no draft.
  var choices: () -> [String: String] = { [:] }
  /// Called when a draft has filled the fields, with all its texts.
  var onRestore: (([String: String]) -> Void)?

  private let fields: [String: any DraftField]
  private let session: DraftSession
  private var isShowing = false

  /// - Parameters:
  ///   - entity: what the form is about, or the slot of the draft to continue.
  ///   - fields: by the names that they have on disk.
  init(
    _ context: WindowContext, _ form: GardenModel.DraftForm, about entity: String, foot: Foot,
    _ fields: [String: any DraftField]
  ) {
    self.fields = fields
    session = .open(form, about: entity, in: context, foot: foot)
    for field in fields.values { field.onChange = { [weak self] in self?.changed() } }
    session.onShow = { [weak self] in self?.show($0.fields) }
  }

  /// Fills the fields with the draft, if there is one.
  func restore() { session.restore() }

  /// Call it after every change of a choice.
  func changed() {
    guard !isShowing else { return }
    let texts = fields.filter { $0.value.isChanged }.mapValues(\.text)
    let isWritten = texts.values.contains { !$0.trimmed.isEmpty }
    session.change(to: DraftContent(isWritten ? texts.merging(choices()) { $1 } : [:], in: session.value.key))
  }

  /// Saves the draft; call it when the form is closed.
  func close() { session.close() }

  /// Saves the form. If this fails, it stays a draft.
  /// - Parameter commit: writes the event and removes the draft.
  func finish(_ commit: @MainActor (DraftContent) async throws -> Void) async throws {
    try await session.commit { [session] content in
      // The fields are gone with their window. Their texts stay a draft.
      guard session.onShow != nil else { throw CancellationError() }
      try await commit(content)
    }
  }

  private func show(_ texts: [String: String]) {
    isShowing = true
    for (name, text) in texts { fields[name]?.text = text }
    onRestore?(texts)
    isShowing = false
    changed()
  }
}
