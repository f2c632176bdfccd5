import Gardening
import GtkKit
import Localization
import Observation

/// Offers to take back what was just done, for as long as that is possible.
final class UndoToast {
  private let session: Session
  private var shown: Toast?
  /// The actions that were offered, by their first event. Not by time: clocks are set back.
  private var offered: Set<String> = []
  private var following: Task<Void, Never>?

  init(_ session: Session) {
    self.session = session
    let gardener = session.gardener
    following = Task { [weak self] in
      for await undoable in Observations({ gardener.undoable }) { self?.show(undoable) }
    }
    session.scope.on("destroy") { [weak self] in
      self?.following?.cancel()
      self?.shown?.dismiss()
    }
  }

  /// Takes the last action back and says so.
  /// - Parameter offered: what is to be taken back, and nothing else.
  func undo(_ offered: Gardener.Undoable? = nil) {
    let session = session
    session.attempt {
      guard let action = try await session.gardener.undo(offered) else { return }
      session.toaster.show(UndoToast.undone(action))
    }
  }

  private func show(_ undoable: Gardener.Undoable?) {
    shown?.dismiss()
    shown = nil
    // What was done before the action just taken back can be taken back too, but asks for no attention again.
    guard let undoable, let event = undoable.clientIDs.first, offered.insert(event).inserted else { return }
    // A toast with a time of its own would stay for longer under the pointer, when it is too late.
    shown = session.toaster.show(
      done(undoable), seconds: 0, button: (tr("Undo"), { [weak self] in self?.undo(undoable) }))
  }

  private func done(_ undoable: Gardener.Undoable) -> String {
    let title = undoable.entityID.flatMap { session.gardener.garden.sprout(id: $0)?.title } ?? ""
    return switch undoable.action {
    case .plant: tr("Planted “{title}”", ["title": title])
    case .water: tr("Watered “{title}”", ["title": title])
    case .shine: tr("The sun has shone")
    case .harvest: tr("Harvested “{title}”", ["title": title])
    case .uproot: tr("Uprooted “{title}”", ["title": title])
    case .deleteSeedling: tr("Seedling deleted")
    }
  }

  private static func undone(_ action: Gardener.Undoable.Action) -> String {
    switch action {
    case .plant, .water, .shine: tr("Undone. Your words are kept as a draft.")
    case .harvest, .uproot, .deleteSeedling: tr("Undone.")
    }
  }
}
