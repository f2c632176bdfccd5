import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Saves the plant form to disk while it is filled in, and restores a form that was not planted.
final class PlantingKeeper {
  /// The delay before a change is saved: the most typing that is lost in a crash.
  private static let milliseconds = 250

  /// Called with a form from earlier, unless the user has already changed this one.
  var onRestore: ((GardenModel.Planting) -> Void)?

  private let context: WindowContext
  private let origin: String
  // It holds the content of its dialog, which includes this object.
  private weak var toaster: Toaster?
  private var slot: GardenModel.PlantingSlot
  /// The form as it was opened. It is not saved until it differs from this.
  private var start: GardenModel.Planting?
  /// A copy of the current form: its widgets may be gone before it is saved.
  private var form: GardenModel.Planting?
  /// The form as it is on disk; `nil` if it isn't saved.
  private var saved: GardenModel.Planting?
  private var isEnded = false
  private var timer: Timeout?
  private var saving: Task<Void, Never>?

  /// - Parameter origin: what the form was opened for, as in `Planting.origin`; empty for the command.
  init(_ context: WindowContext, origin: String, toaster: Toaster) {
    (self.context, self.origin, self.toaster) = (context, origin, toaster)
    slot = .init(origin: origin)
  }

  /// Sets the form as it was opened.
  func begin(with start: GardenModel.Planting) { (self.start, form) = (start, start) }

  /// Looks for a form from earlier. If the user changes the new form before the old one is found, the new form keeps
  /// its own slot, and the old one is restored next time.
  func restore() {
    context.attempt(in: toaster) { [self] in
      guard let begun = try await context.model.begunPlanting(from: origin), form == start, !isEnded else { return }
      (slot, saved, form) = (begun.slot, begun.planting, begun.planting)
      onRestore?(begun.planting)
    }
  }

  /// Call it after every change.
  func changed(to planting: GardenModel.Planting) {
    form = planting
    guard timer?.isPending != true else { return }
    timer = .after(milliseconds: Self.milliseconds) { [weak self] in self?.save() }
  }

  /// Waits until the form is saved.
  func settle() async -> GardenModel.PlantingSlot {
    save()
    await saving?.value
    return slot
  }

  /// Call it when the form was planted.
  func end() {
    isEnded = true
    timer?.cancel()
  }

  /// Saves the form; call it when the dialog is closed.
  func close() {
    guard !isEnded else { return }
    isEnded = true
    save()
    if saved != nil { context.toaster.show(tr("Your draft is saved.")) }
  }

  private func save() {
    timer?.cancel()
    let form = form == start ? nil : form
    guard form != saved else { return }
    saved = form
    let (context, slot, toaster, before) = (context, slot, toaster, saving)
    saving = untilDone {
      await before?.value
      do {
        try await context.model.keepDraft(form, in: slot)
      } catch { context.tell(error, in: toaster) }
    }
  }
}
