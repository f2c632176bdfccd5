import Gardening
import GtkKit
import Localization

/// Keeps a plant form on disk while it is filled in, and brings back the one that was not planted.
final class PlantingKeeper {
  /// A crash loses at most what was typed in this time.
  private static let milliseconds = 250

  /// Called with a form that was begun before, unless this one was changed already.
  var onRestore: ((Gardener.Planting) -> Void)?

  private let session: Session
  private let origin: String
  // It holds the content of its dialog, and thereby this.
  private weak var toaster: Toaster?
  private var slot: Gardener.PlantingSlot
  /// The form as it was opened: there is nothing to keep of it.
  private var start: Gardener.Planting?
  /// The form as it is now; known here too, because its widgets may be gone before it is kept.
  private var form: Gardener.Planting?
  /// The form as it is on disk; `nil` if it is not.
  private var saved: Gardener.Planting?
  private var isEnded = false
  private var timer: Timeout?
  private var saving: Task<Void, Never>?

  /// - Parameter origin: what the form was opened for, as `Planting.origin`; empty for the command.
  init(_ session: Session, origin: String, toaster: Toaster) {
    (self.session, self.origin, self.toaster) = (session, origin, toaster)
    slot = .init(origin: origin)
  }

  /// Takes the form as it was opened.
  func begin(with start: Gardener.Planting) { (self.start, form) = (start, start) }

  /// Looks for a form that was begun before. One that the user changes before it is found keeps its own slot, and the
  /// older one comes back the next time.
  func restore() {
    session.attempt(in: toaster) { [self] in
      guard let begun = try await session.gardener.begunPlanting(from: origin), form == start, !isEnded else { return }
      (slot, saved, form) = (begun.slot, begun.planting, begun.planting)
      onRestore?(begun.planting)
    }
  }

  /// Call it after every change.
  func changed(to planting: Gardener.Planting) {
    form = planting
    guard timer?.isPending != true else { return }
    timer = .after(milliseconds: Self.milliseconds) { [weak self] in self?.save() }
  }

  /// Waits until the form is on disk.
  func settle() async -> Gardener.PlantingSlot {
    save()
    await saving?.value
    return slot
  }

  /// Call it when the form was planted.
  func end() {
    isEnded = true
    timer?.cancel()
  }

  /// Keeps what was filled in; call it when the dialog is gone.
  func close() {
    guard !isEnded else { return }
    isEnded = true
    save()
    if saved != nil { session.toaster.show(tr("Your draft is kept.")) }
  }

  private func save() {
    timer?.cancel()
    let form = form == start ? nil : form
    guard form != saved else { return }
    saved = form
    let (session, slot, toaster, before) = (session, slot, toaster, saving)
    saving = untilDone {
      await before?.value
      do {
        try await session.gardener.keepDraft(form, in: slot)
      } catch { session.tell(error, in: toaster) }
    }
  }
}
