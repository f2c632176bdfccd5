import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Saves the text of a text area as a draft shortly after each change, with the question it answers, and restores it.
final class DraftKeeper {
  private let context: WindowContext
  private let form: GardenModel.TextForm
  private let entity: String
  private let area: TextArea
  /// The text that the user edits, which is no draft.
  private let original: String
  private let writer: DraftWriter
  /// A copy of the area's text: the area may be gone before the draft is saved.
  private var text = ""
  /// The question that the text answers.
  private(set) var asked: GardenModel.AskedQuestion?
  /// Called with the question of a restored draft.
  var onAsked: ((GardenModel.AskedQuestion) -> Void)?
  private var isClosed = false
  private var restoring: Task<Void, Never>?
  /// The text of an earlier dialog is becoming an event, so the writer can't take the text of this one yet.
  private var isWaiting = false
  /// Why the earlier draft could not be read.
  private var readingError: (any Error)?

  /// - Parameters:
  ///   - entity: the id of the sprout or place that the text is about; empty for the sun.
  ///   - area: shows the text that the user edits, or nothing.
  init(_ context: WindowContext, _ form: GardenModel.TextForm, about entity: String, area: TextArea, foot: Foot) {
    (self.context, self.form, self.entity) = (context, form, entity)
    (self.area, original) = (area, area.text)
    writer = .of(
      form.rawValue + "/" + entity, empty: DraftContent("", form, about: entity), in: context, foot: foot)
    writer.keeper = self
  }

  /// Puts the draft into the area, before any text typed while it was being read.
  func restore() {
    writer.pauseForReading()
    if !writer.isCommitting, let unsaved = writer.unsaved { put(unsaved) }
    restoring = untilDone { [self] in
      defer { restoring = nil }
      if writer.isCommitting {
        isWaiting = true
        await writer.waitForCommit()
        isWaiting = false
        // Empty if the text became an event.
        put(writer.version)
      }
      while writer.keeper === self {
        do {
          if writer.hasEarlier { await writer.endAttempt() }
          let earlier = try await context.model.unfinishedText(form, about: entity)
          // Another dialog may have been opened for the same draft.
          guard writer.keeper === self else { return }
          readingError = nil
          if writer.hasEarlier { return writer.resume(joining: earlier ?? DraftContent("", form, about: entity)) }
          if let earlier { put(earlier) }
          return writer.resume(with: draft, saved: earlier)
        } catch {
          readingError = error
          guard await writer.retry(afterReading: error) else { return }
        }
      }
    }
  }

  /// Waits until the draft, if there is one, is in the area.
  func restored() async { await restoring?.value }

  /// Call it when another question is shown, even if nothing is written yet.
  func ask(_ asked: GardenModel.AskedQuestion) {
    guard asked != self.asked else { return }
    self.asked = asked
    if !draft.text.isEmpty, !isWaiting { writer.change(to: draft) }
  }

  /// Call it after every change by the user.
  func changed() {
    text = area.text == original ? "" : area.text
    if !isWaiting { writer.change(to: draft) }
  }

  /// Saves the draft; call it when the dialog is closed.
  func close() {
    isClosed = true
    writer.skipPause()
  }

  /// Saves the draft of a form that is closed, and waits until it is on disk.
  /// - Returns: `nil` if there is none.
  func closeAndSave() async -> DraftContent? {
    close()
    return await writer.saveFinally() ? writer.version : nil
  }

  /// Makes the text an event, and empties the area. If this fails, the text stays a draft.
  /// - Parameter commit: writes the event and removes the draft.
  func finish(_ commit: @MainActor (String) async throws -> Void) async throws {
    if restoring != nil, let problem = await writer.save() ?? readingError { throw problem }
    await restoring?.value
    let text = text
    try await writer.replace(with: DraftContent("", form, about: entity)) { try await commit(text) }
    self.text = ""
    if !isClosed { area.text = "" }
  }
}

extension DraftKeeper: DraftForm {
  func show(_ draft: DraftContent) {
    text = draft.words
    // Keep the question that the draft answers, even if another one is shown now.
    asked = draft.asked(in: form) ?? asked
    guard !isClosed else { return }
    area.text = text
    if let asked { onAsked?(asked) }
  }

  private var draft: DraftContent { DraftContent(text, form, about: entity, asked: asked) }

  /// Puts a draft before what is in the area.
  private func put(_ draft: DraftContent) {
    guard !draft.text.isEmpty, draft.words.isEmpty || draft.words != text else { return }
    show(self.draft.joined(after: draft, known: DraftContent("", form, about: entity)))
  }
}

extension WindowContext {
  /// Saves the draft of a form that the user has closed, and offers to discard it.
  func keepDraft(_ drafts: DraftKeeper, _ form: GardenModel.TextForm, about entity: String) {
    attempt { [self] in
      guard let draft = await drafts.closeAndSave() else { return }
      let none = DraftContent("", form, about: entity)
      // A later draft of the same text stays.
      foot.show(
        tr("Your draft is saved."),
        button: (tr("Discard"), { [self] in attempt { [self] in try await model.save(none, replacing: draft) } }))
    }
  }
}
