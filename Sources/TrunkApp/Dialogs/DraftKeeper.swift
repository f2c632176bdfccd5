import Gardening
import GtkKit

/// Brings back what was typed into a text area and not yet written, and keeps what is typed, a moment after each
/// change.
final class DraftKeeper {
  /// No more than this is lost when the program is killed.
  private static let milliseconds = 250

  private let session: Session
  private let form: Gardener.Form
  private let entity: String
  private let toaster: Toaster
  private let area: TextArea
  private var unsaved: String?
  private var timer: Timeout?
  private var saving: Task<Void, Never>?
  private var isRestored = false
  private var isClosed = false

  /// - Parameter entity: the id of what the text is about; empty for the sun.
  init(_ session: Session, _ form: Gardener.Form, about entity: String, area: TextArea, toaster: Toaster) {
    (self.session, self.form, self.entity) = (session, form, entity)
    (self.area, self.toaster) = (area, toaster)
  }

  /// Puts the draft into the area, in front of what was typed while it was looked up.
  func restore() async {
    var draft: String?
    do {
      draft = try await session.gardener.draft(form, about: entity)
    } catch { session.tell(error, in: toaster) }
    isRestored = true
    if let draft {
      if let typed = unsaved, !typed.isEmpty { unsaved = draft + "\n" + typed }
      if !isClosed { area.text = unsaved ?? draft }
    }
    isClosed ? flush() : schedule()
  }

  /// Call it after every change.
  func changed() {
    unsaved = area.text
    schedule()
  }

  /// Keeps what there is; call it when the dialog is gone.
  func close() {
    isClosed = true
    flush()
  }

  /// Returns when everything that was typed is on the disk, so that no late draft outlives its event.
  func settle() async {
    flush()
    await saving?.value
  }

  private func schedule() {
    guard unsaved != nil, timer?.isPending != true else { return }
    timer = .after(milliseconds: Self.milliseconds) { [weak self] in self?.flush() }
  }

  private func flush() {
    timer?.cancel()
    // Until the old draft is found, nothing may take its place on the disk.
    guard isRestored, let text = unsaved else { return }
    unsaved = nil
    let (session, form, entity, toaster, before) = (session, form, entity, toaster, saving)
    saving = Task {
      await before?.value
      do {
        try await session.gardener.keepDraft(text, form, about: entity)
      } catch { session.tell(error, in: toaster) }
    }
  }
}
