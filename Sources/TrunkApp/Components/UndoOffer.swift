import GtkKit
import Localization
import Observation
import TrunkAccount
import TrunkKit
import TrunkModel

/// Offers to undo the last action for as long as possible.
final class UndoOffer {
  private let context: WindowContext
  private var shown: FootMessage?
  /// The actions that were already offered, by their first event. Not by time, because clocks can be set back.
  private var offered: Set<String> = []
  private var following: Task<Void, Never>?

  init(_ context: WindowContext) {
    self.context = context
    let (model, window) = (context.model, context.window)
    following = Task { [weak self] in
      for await _ in Observations({ model.undoable }) {
        self?.shown?.dismiss()
        // A dialog has its own offer, and two would be on the screen.
        await window.waitUntilNoDialogIsOpen()
        guard !Task.isCancelled else { break }
        self?.show(model.undoable)
      }
    }
    context.scope.on("destroy") { [weak self] in
      self?.following?.cancel()
      self?.shown?.dismiss()
    }
  }

  /// Undoes the last action and confirms it.
  /// - Parameter offered: the only action that may be undone; `nil` for any.
  func undo(_ offered: GardenModel.Undoable? = nil) {
    let context = context
    context.attempt {
      guard let undone = try await context.model.undo(offered) else { return }
      context.foot.show(undone.hasWords ? tr("Undone. Your words are kept as a draft.") : tr("Undone."))
    }
  }

  private func show(_ undoable: GardenModel.Undoable?) {
    shown?.dismiss()
    shown = nil
    // After an undo, the action before it can be undone too, but is not offered a second time.
    guard let undoable, let event = undoable.clientIDs.first, offered.insert(event).inserted else { return }
    // A message with its own timeout stays longer under the pointer, even when it is too late to undo.
    shown = context.foot.show(
      message(for: undoable), seconds: 0, button: (tr("Undo"), { [weak self] in self?.undo(undoable) }),
      keys: tr("Ctrl+Z"))
  }

  private func message(for undoable: GardenModel.Undoable) -> String {
    let garden = context.model.garden
    let title = undoable.entityID.flatMap { garden.sprout(id: $0)?.title } ?? ""
    let place = undoable.entityID.flatMap(Node.init(id:)).map { garden.label(of: $0) } ?? ""
    return switch undoable.action {
    case .plant: tr("Planted “{title}”", ["title": title])
    case .water: tr("Watered “{title}”", ["title": title])
    case .shine: tr("The sun has shone")
    case .harvest: tr("Harvested “{title}”", ["title": title])
    case .uproot: tr("Uprooted “{title}”", ["title": title])
    case .deleteSeedling: tr("Seedling deleted")
    case .editNode: tr("Changed “{name}”", ["name": place])
    case .restoreNode: tr("Restored “{name}”", ["name": place])
    }
  }
}
