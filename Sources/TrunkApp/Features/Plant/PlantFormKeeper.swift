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
  private let continued: GardenModel.PlantFormSlot?
  /// The form as it was opened. It is not saved until it differs from this.
  private var start: GardenModel.PlantForm?
  /// A copy of the current form: its widgets may be gone before it is saved.
  private var form: GardenModel.PlantForm?
  private var isEnded = false

  /// - Parameters:
  ///   - origin: what the form was opened for, as in `PlantFormSlot.init(origin:)`; empty for the command.
  ///   - continued: where the draft to continue is; by default, that is the newest one of the origin.
  init(_ context: WindowContext, origin: String, continuing continued: GardenModel.PlantFormSlot?, foot: Foot) {
    (self.context, self.origin, self.continued, self.foot) = (context, origin, continued, foot)
    let slot = continued ?? GardenModel.PlantFormSlot(origin: origin)
    writer = .of("plant/" + (continued?.id ?? origin), empty: DraftContent(nil, in: slot), in: context, foot: foot)
    self.slot = writer.version.slot ?? slot
  }

  /// Sets the form as it was opened.
  func begin(with start: GardenModel.PlantForm) { (self.start, form) = (start, start) }

  /// Looks for a form from earlier. If the user changes the new form before the old one is found, the new form keeps
  /// its own slot, and the old one is restored next time.
  /// - Parameter done: called when it is clear which draft this form continues, with whether a draft is that one.
  func restore(done: @escaping (@escaping (GardenModel.PlantFormSlot) -> Bool) -> Void) {
    let isOwn: (GardenModel.PlantFormSlot) -> Bool = { [writer] in $0 == writer.version.slot }
    if let form = writer.unsaved?.plantForm {
      put(form)
      return done(isOwn)
    }
    context.attempt(in: foot) { [weak self, model = context.model, origin, continued] in
      let begun =
        if let continued {
          try await model.unfinishedPlantForm(in: continued).map { (slot: continued, form: $0) }
        } else {
          try await model.unfinishedPlantForm(from: origin)
        }
      guard let self else { return }
      defer { done(isOwn) }
      guard let begun, form == start, !isEnded else { return }
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
