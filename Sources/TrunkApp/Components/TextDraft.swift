import GtkKit
import TrunkKit

/// A text area whose text is a draft, with the question that it answers.
final class TextDraft {
  /// The question that the text answers.
  private(set) var asked: GardenModel.AskedQuestion?
  /// Called with the question of a restored draft.
  var onAsked: ((GardenModel.AskedQuestion) -> Void)?

  private let form: GardenModel.DraftForm
  private let entity: String
  private let area: TextArea
  private let session: DraftSession

  /// - Parameter entity: the id of the sprout that the text is about; empty for the sun.
  init(_ context: WindowContext, _ form: GardenModel.DraftForm, about entity: String, area: TextArea, foot: Foot) {
    (self.form, self.entity, self.area) = (form, entity, area)
    session = .open(form, about: entity, in: context, foot: foot)
    session.onShow = { [weak self] in self?.show($0) }
  }

  /// Puts the draft into the area, before any text typed while it was being read.
  func restore() { session.restore() }

  /// Waits until the draft, if there is one, is in the area.
  func restored() async { await session.restored() }

  /// Call it when another question is shown, even if nothing is written yet.
  func ask(_ asked: GardenModel.AskedQuestion) {
    guard asked != self.asked else { return }
    self.asked = asked
    changed()
  }

  /// Call it after every change by the user.
  func changed() {
    // The area is gone when its form is closed.
    guard session.onShow != nil else { return }
    session.change(to: DraftContent(area.text, form, about: entity, asked: asked))
  }

  /// Saves the draft; call it when the dialog is closed.
  func close() { session.close() }

  /// Makes the text an event, and empties the area. If this fails, the text stays a draft.
  /// - Parameter commit: writes the event and removes the draft.
  func finish(_ commit: @MainActor (String) async throws -> Void) async throws {
    try await session.commit { try await commit($0.words) }
    if session.onShow != nil, session.value.text.isEmpty { area.text = "" }
  }

  private func show(_ draft: DraftContent) {
    // Keep the question that the draft answers, even if another one is shown now.
    asked = draft.asked ?? asked
    if area.text != draft.words { area.text = draft.words }
    if let asked { onAsked?(asked) }
  }
}
