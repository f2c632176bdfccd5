import GtkKit
import TrunkAccount
import TrunkKit

/// Saves the text of a text area as a draft shortly after each change, with the question it answers, and restores it.
final class DraftKeeper {
  /// The delay before a change is saved: the most typing that is lost if the program is killed.
  private static let milliseconds = 250

  private let context: WindowContext
  private let form: GardenModel.Form
  private let entity: String
  // It holds the content of its dialog, which includes this object.
  private weak var toaster: Toaster?
  private let area: TextArea
  /// A copy of the area's text: the area may be gone before the draft is saved.
  private var text = ""
  /// The question that the text answers.
  private(set) var asked: GardenModel.Asked?
  /// Called with the question of a restored draft.
  var onAsked: ((GardenModel.Asked) -> Void)?
  private var isKept = true
  private var isClosed = false
  private var timer: Timeout?
  private var restoring: Task<Void, Never>?
  private var saving: Task<Void, Never>?

  /// - Parameter entity: the id of the sprout that the text is about; empty for the sun.
  init(_ context: WindowContext, _ form: GardenModel.Form, about entity: String, area: TextArea, toaster: Toaster) {
    (self.context, self.form, self.entity) = (context, form, entity)
    (self.area, self.toaster) = (area, toaster)
  }

  /// Puts the draft into the area, before any text typed while it was being read.
  func restore() {
    restoring = Task {
      do {
        if let draft = try await context.model.begun(form, about: entity), draft.text != text {
          text = text.isEmpty ? draft.text : draft.text + "\n" + text
          // Keep the question that the draft answers, even if another one is shown now.
          asked = draft.asked ?? asked
          if !isClosed {
            area.text = text
            if let asked { onAsked?(asked) }
          }
        }
      } catch { context.tell(error, in: toaster) }
      restoring = nil
      isClosed ? save() : schedule()
    }
  }

  /// Waits until the draft, if there is one, is in the area.
  func restored() async { await restoring?.value }

  /// Call it when another question is shown, even if nothing is written yet.
  func ask(_ asked: GardenModel.Asked) {
    guard asked != self.asked else { return }
    self.asked = asked
    guard !text.isEmpty else { return }
    isKept = false
    schedule()
  }

  /// Call it after every change by the user.
  func changed() {
    text = area.text
    isKept = false
    schedule()
  }

  /// Empties the area after its text was written as an event.
  func clear() {
    (text, isKept) = ("", true)
    if !isClosed { area.text = "" }
  }

  /// Saves the draft; call it when the dialog is closed.
  func close() {
    isClosed = true
    save()
  }

  /// Returns the text after all pending saves are done, so that no late draft remains after its event.
  func settle() async -> String {
    await restoring?.value
    save()
    await saving?.value
    return text
  }

  private func schedule() {
    guard !isKept, timer?.isPending != true else { return }
    timer = .after(milliseconds: Self.milliseconds) { [weak self] in self?.save() }
  }

  private func save() {
    timer?.cancel()
    // Don't overwrite the old draft on disk before it was read.
    guard !isKept, restoring == nil else { return }
    isKept = true
    let (context, form, entity, toaster, before) = (context, form, entity, toaster, saving)
    let (text, asked) = (text, asked)
    saving = untilDone {
      await before?.value
      do {
        try await context.model.keepDraft(text, form, about: entity, asked: asked)
      } catch { context.tell(error, in: toaster) }
    }
  }
}
