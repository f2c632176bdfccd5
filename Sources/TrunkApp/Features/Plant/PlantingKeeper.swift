import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// Saves the plant form to disk while it is filled in, and restores a form that was not planted.
final class PlantingKeeper {
  /// Called with a form from earlier, unless the user has already changed this one.
  var onRestore: ((GardenModel.Planting) -> Void)?

  private let context: WindowContext
  private let origin: String
  // Weak, because the toaster holds the dialog's content, which holds this object.
  private weak var toaster: Toaster?
  private let writer: DraftWriter
  private var slot: GardenModel.PlantingSlot
  /// The form as it was opened. It is not saved until it differs from this.
  private var start: GardenModel.Planting?
  /// A copy of the current form: its widgets may be gone before it is saved.
  private var form: GardenModel.Planting?
  private var isEnded = false

  /// - Parameter origin: what the form was opened for, as in `PlantingSlot.init(origin:)`; empty for the command.
  init(_ context: WindowContext, origin: String, toaster: Toaster) {
    (self.context, self.origin, self.toaster) = (context, origin, toaster)
    let slot = GardenModel.PlantingSlot(origin: origin)
    writer = .of("plant/" + origin, empty: DraftContent(nil, in: slot), in: context, toaster: toaster)
    self.slot = writer.version.slot ?? slot
  }

  /// Sets the form as it was opened.
  func begin(with start: GardenModel.Planting) { (self.start, form) = (start, start) }

  /// Looks for a form from earlier. If the user changes the new form before the old one is found, the new form keeps
  /// its own slot, and the old one is restored next time.
  func restore() {
    if let form = writer.unsaved?.planting { return put(form) }
    context.attempt(in: toaster) { [self] in
      guard let begun = try await context.model.unfinishedPlanting(from: origin), form == start, !isEnded else {
        return
      }
      slot = begun.slot
      let saved = DraftContent(begun.planting, in: slot)
      writer.resume(with: saved, saved: saved)
      put(begun.planting)
    }
  }

  /// Call it after every change.
  func changed(to planting: GardenModel.Planting) {
    form = planting
    writer.change(to: draft)
  }

  /// Plants the form. If this fails, the form stays a draft.
  /// - Parameter commit: writes the event and removes the draft.
  func finish(_ commit: @MainActor (GardenModel.PlantingSlot) async throws -> Void) async throws {
    try await writer.replace(with: DraftContent(nil, in: slot)) { try await commit(slot) }
    isEnded = true
  }

  /// Saves the form; call it when the dialog is closed.
  func close() {
    guard !isEnded else { return }
    isEnded = true
    guard !draft.text.isEmpty else { return writer.hurry() }
    let (context, writer) = (context, writer)
    context.attempt {
      if await writer.saveFinally() { context.toaster.show(tr("Your draft is saved.")) }
    }
  }
}

extension PlantingKeeper {
  private var draft: DraftContent { DraftContent(form == start ? nil : form, in: slot) }

  private func put(_ form: GardenModel.Planting) {
    self.form = form
    onRestore?(form)
  }
}
