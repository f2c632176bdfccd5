import GtkKit
import TrunkAccount
import TrunkKit

/// Saves the text of a text area as a draft shortly after each change, with the question it answers, and restores it.
final class DraftKeeper {
  private let context: WindowContext
  private let form: GardenModel.Form
  private let entity: String
  private let area: TextArea
  private let writer: DraftWriter
  /// A copy of the area's text: the area may be gone before the draft is saved.
  private var text = ""
  /// The question that the text answers.
  private(set) var asked: GardenModel.Asked?
  /// Called with the question of a restored draft.
  var onAsked: ((GardenModel.Asked) -> Void)?
  private var isClosed = false
  private var restoring: Task<Void, Never>?

  /// - Parameter entity: the id of the sprout that the text is about; empty for the sun.
  init(_ context: WindowContext, _ form: GardenModel.Form, about entity: String, area: TextArea, toaster: Toaster) {
    (self.context, self.form, self.entity) = (context, form, entity)
    self.area = area
    writer = .of(
      form.rawValue + "/" + entity, empty: DraftContent("", form, about: entity), in: context, toaster: toaster)
    writer.keeper = self
  }

  /// Puts the draft into the area, before any text typed while it was being read.
  func restore() {
    if let unsaved = writer.unsaved { put(unsaved) }
    // Don't overwrite the earlier draft on disk before it was read.
    writer.block()
    restoring = untilDone { [self] in
      defer { restoring = nil }
      while writer.keeper === self {
        do {
          let earlier = writer.hasEarlier ? nil : try await context.model.unfinishedText(form, about: entity)
          if let earlier { put(earlier) }
          return writer.resume(with: draft, saved: earlier)
        } catch {
          guard await writer.waits(afterReading: error) else { return }
        }
      }
    }
  }

  /// Waits until the draft, if there is one, is in the area.
  func restored() async { await restoring?.value }

  /// Call it when another question is shown, even if nothing is written yet.
  func ask(_ asked: GardenModel.Asked) {
    guard asked != self.asked else { return }
    self.asked = asked
    if !text.isEmpty { writer.change(to: draft) }
  }

  /// Call it after every change by the user.
  func changed() {
    text = area.text
    writer.change(to: draft)
  }

  /// Saves the draft; call it when the dialog is closed.
  func close() {
    isClosed = true
    writer.hurry()
  }

  /// Makes the text an event, and empties the area. If this fails, the text stays a draft.
  /// - Parameter commit: writes the event and removes the draft.
  func finish(_ commit: @MainActor (String) async throws -> Void) async throws {
    await restoring?.value
    let text = text
    try await writer.replace(with: DraftContent("", form, about: entity)) { try await commit(text) }
    self.text = ""
    if !isClosed { area.text = "" }
  }
}

extension DraftKeeper {
  private var draft: DraftContent { DraftContent(text, form, about: entity, asked: asked) }

  private func put(_ draft: DraftContent) {
    guard draft.text != text else { return }
    text = text.isEmpty ? draft.text : draft.text + "\n" + text
    // Keep the question that the draft answers, even if another one is shown now.
    asked = draft.asked(in: form) ?? asked
    guard !isClosed else { return }
    area.text = text
    if let asked { onAsked?(asked) }
  }
}
