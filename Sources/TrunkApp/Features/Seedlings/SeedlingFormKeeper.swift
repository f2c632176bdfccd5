import GtkKit
import Localization
import TrunkKit

/// Saves the form of a new seedling to disk while it is filled in, and restores a form that was not saved as a
/// seedling.
final class SeedlingFormKeeper {
  /// Called with a form from earlier, or with both if the user has already changed this one.
  var onRestore: ((GardenModel.SeedlingForm) -> Void)?

  private let context: WindowContext
  // Weak, because the foot holds the dialog's content, which holds this object.
  private weak var foot: Foot?
  private let writer: DraftWriter
  /// A copy of the current form, once the user has changed it: its widgets may be gone before it is saved.
  private var form: GardenModel.SeedlingForm?
  private var isEnded = false

  init(_ context: WindowContext, foot: Foot) {
    (self.context, self.foot) = (context, foot)
    writer = .of("seedling", empty: DraftContent(nil), in: context, foot: foot)
    writer.keeper = self
  }

  /// Looks for a form from earlier. If the user changes the new form before it is found, `DraftWriter` joins the two.
  func restore() {
    if let form = writer.unsaved?.seedlingForm { return put(form) }
    context.attempt(in: foot) { [weak self, model = context.model] in
      let begun = try await model.unfinishedSeedling()
      guard let self, let begun, form == nil, !isEnded else { return }
      writer.resume(with: DraftContent(begun), saved: DraftContent(begun))
      put(begun)
    }
  }

  /// Call it after every change.
  func changed(to form: GardenModel.SeedlingForm) {
    self.form = form
    writer.change(to: DraftContent(form))
  }

  /// Makes the form a seedling. If this fails, it stays a draft.
  /// - Parameter commit: writes the event and removes the draft.
  func finish(_ commit: @MainActor (DraftContent) async throws -> Void) async throws {
    // Another form may join this one while it is saved, for example an earlier one that wasn't read yet. It doesn't
    // become a part of the seedling, so its draft must stay.
    let draft = DraftContent(form)
    try await writer.replace(with: DraftContent(nil)) { try await commit(draft) }
    isEnded = true
  }

  /// Saves the form; call it when the dialog is closed.
  func close() {
    guard !isEnded else { return }
    isEnded = true
    guard !writer.version.text.isEmpty else { return writer.skipPause() }
    let (context, writer) = (context, writer)
    context.attempt {
      if await writer.saveFinally() { context.foot.show(tr("Your draft is saved.")) }
    }
  }
}

extension SeedlingFormKeeper: DraftForm {
  func show(_ draft: DraftContent) {
    if !isEnded, let form = draft.seedlingForm { put(form) }
  }

  private func put(_ form: GardenModel.SeedlingForm) {
    self.form = form
    onRestore?(form)
  }
}
