import Gardening
import GtkKit

/// Brings back what was typed into a text area and not yet written, with what it answers, and keeps what is typed, a
/// moment after each change.
final class DraftKeeper {
  /// No more than this is lost when the program is killed.
  private static let milliseconds = 250

  private let session: Session
  private let form: Gardener.Form
  private let entity: String
  // It holds the content of its dialog, and thereby this.
  private weak var toaster: Toaster?
  private let area: TextArea
  /// What is in the area; known here too, because the area may be gone before the draft is kept.
  private var text = ""
  /// What the text answers.
  private(set) var asked: Gardener.Asked?
  /// Called when a draft is back that answers something.
  var onAsked: ((Gardener.Asked) -> Void)?
  private var isKept = true
  private var isClosed = false
  private var timer: Timeout?
  private var restoring: Task<Void, Never>?
  private var saving: Task<Void, Never>?

  /// - Parameter entity: the id of what the text is about; empty for the sun.
  init(_ session: Session, _ form: Gardener.Form, about entity: String, area: TextArea, toaster: Toaster) {
    (self.session, self.form, self.entity) = (session, form, entity)
    (self.area, self.toaster) = (area, toaster)
  }

  /// Puts the draft into the area, in front of what is typed while it is looked up.
  func restore() {
    restoring = Task {
      do {
        if let draft = try await session.gardener.begun(form, about: entity), draft.text != text {
          text = text.isEmpty ? draft.text : draft.text + "\n" + text
          // What is already written must not come to stand under another question.
          asked = draft.asked ?? asked
          if !isClosed {
            area.text = text
            if let asked { onAsked?(asked) }
          }
        }
      } catch { session.tell(error, in: toaster) }
      restoring = nil
      isClosed ? save() : schedule()
    }
  }

  /// Waits until the draft is in the area, if there is one.
  func restored() async { await restoring?.value }

  /// Call it when something else is asked, also before it is answered.
  func ask(_ asked: Gardener.Asked) {
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

  /// Empties the area, when what was in it has become an event.
  func clear() {
    (text, isKept) = ("", true)
    if !isClosed { area.text = "" }
  }

  /// Keeps what there is; call it when the dialog is gone.
  func close() {
    isClosed = true
    save()
  }

  /// Returns what was written, when all of it is on the disk: no late draft outlives its event.
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
    // Until the old draft is found, nothing may take its place on the disk.
    guard !isKept, restoring == nil else { return }
    isKept = true
    let (session, form, entity, toaster, before) = (session, form, entity, toaster, saving)
    let (text, asked) = (text, asked)
    saving = untilDone {
      await before?.value
      do {
        try await session.gardener.keepDraft(text, form, about: entity, asked: asked)
      } catch { session.tell(error, in: toaster) }
    }
  }
}
