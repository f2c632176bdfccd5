import GtkKit
import Localization
import TrunkKit

/// Saves the plant form to disk while it is filled in, and restores a form that was not planted.
final class PlantFormKeeper {
  /// Called with a form from earlier, unless the user has already changed this one.
  var onRestore: ((GardenModel.PlantForm) -> Void)?

  private let context: WindowContext
  private let origin: String
  // Weak, because the foot holds the dialog's content, which holds this object.
  private weak var foot: Foot?
  private let writer: DraftWriter
  private var slot: GardenModel.PlantFormSlot
  /// The form as it was opened. It is not saved until it differs from this.
  private var start: GardenModel.PlantForm?
  /// A copy of the current form: its widgets may be gone before it is saved.
  private var form: GardenModel.PlantForm?
  private var isEnded = false

  /// - Parameter origin: what the form was opened for, as in `PlantFormSlot.init(origin:)`; empty for the command.
  init(_ context: WindowContext, origin: String, foot: Foot) {
    (self.context, self.origin, self.foot) = (context, origin, foot)
    let slot = GardenModel.PlantFormSlot(origin: origin)
    writer = .of("plant/" + origin, empty: DraftContent(nil, in: slot), in: context, foot: foot)
    self.slot = writer.version.slot ?? slot
  }

  /// Sets the form as it was opened.
  func begin(with start: GardenModel.PlantForm) { (self.start, form) = (start, start) }

  /// Looks for a form from earlier. If the user changes the new form before the old one is found, the new form keeps
  /// its own slot, and the old one is restored next time.
  func restore() {
    if let form = writer.unsaved?.plantForm { return put(form) }
    context.attempt(in: foot) { [weak self, model = context.model, origin] in
      let begun = try await model.unfinishedPlantForm(from: origin)
      guard let self, let begun, form == start, !isEnded else { return }
      slot = begun.slot
      let saved = DraftContent(begun.form, in: slot)
      writer.resume(with: saved, saved: saved)
      put(begun.form)
    }
  }

  /// Call it after every change.
  func changed(to form: GardenModel.PlantForm) {
    self.form = form
    keepSlot()
    writer.change(to: draft)
  }

  /// Plants the form. If this fails, the form stays a draft.
  /// - Parameter commit: writes the event and removes the draft.
  func finish(_ commit: @MainActor (GardenModel.PlantFormSlot) async throws -> Void) async throws {
    try await writer.replace(with: DraftContent(nil, in: slot)) {
      keepSlot()
      try await commit(slot)
    }
    isEnded = true
  }

  /// Saves the form; call it when the dialog is closed.
  func close() {
    guard !isEnded else { return }
    isEnded = true
    guard !draft.text.isEmpty else { return writer.skipPause() }
    let (context, writer) = (context, writer)
    context.attempt {
      if await writer.saveFinally() { context.foot.show(tr("Your draft is saved.")) }
    }
  }
}

extension PlantFormKeeper {
  private var draft: DraftContent { DraftContent(form == start ? nil : form, in: slot) }

  /// Uses the slot in which the form was saved: if another program has changed the draft in the earlier one, the form
  /// has a new one.
  private func keepSlot() { slot = writer.version.slot ?? slot }

  private func put(_ form: GardenModel.PlantForm) {
    self.form = form
    onRestore?(form)
  }
}
