import Gardening
import GtkKit
import Localization

/// The commands of the window: the one surface behind menus, buttons, keys, and whoever calls from outside.
final class WindowCommands {
  private let session: Session
  private let undoToast: UndoToast

  /// - Parameters:
  ///   - search: leads to the search.
  ///   - open: shows the page of a sprout.
  init(
    _ session: Session, search: @escaping @MainActor () -> Void, open: @escaping @MainActor (String) -> Void
  ) {
    self.session = session
    undoToast = UndoToast(session)
    let window = session.window
    window.addAction("search", search)
    window.addAction("undo") { [undoToast] in undoToast.undo() }
    window.addAction("sprout", target: open)
    addDialogs(to: window)
  }

  /// Dialogs about one thing take its id as the target; an empty one means the first that asks for it.
  private func addDialogs(to window: Widget) {
    let session = session
    window.addAction("plant") { PlantDialog(session).present() }
    window.addAction("water") { id in WaterDialog(session, first: id.isEmpty ? nil : id).present() }
    window.addAction("seedling") { SeedlingDialog(session).present() }
    window.addAction("shine") { ShineDialog(session).present() }
    window.addAction("harvest") { id in
      let gardener = session.gardener
      guard let sprout = id.isEmpty ? gardener.garden.ready(at: gardener.now).first?.id : id else {
        session.toaster.show(tr("No sprout is ready to harvest yet."))
        return
      }
      whole(session) { HarvestDialog(session, sprout).present() }
    }
    window.addAction("uproot") { id in whole(session) { UprootDialog(session, id).present() } }
    window.addAction("edit") { id in EditDialog(session, id).present() }
    window.addAction("continue-leaf") { id in
      PlantDialog(session, prefill: session.gardener.continuation(ofLeaf: id)).present()
    }
    window.addAction("upcoming") { UpcomingHarvests(session).present() }
    addSync(to: window)
    window.addAction("soil-log") { SoilLog(session).present() }
    window.addAction("water-log") { JournalLog(session, .water).present() }
    window.addAction("sun-log") { JournalLog(session, .sun).present() }
    window.addAction("preferences") { PreferencesDialog(session).present() }
    window.addAction("import") { ImportDialog.choose(session) }
    window.addAction("export") { ExportDialog.choose(session) }
    window.addAction("shortcuts") { ShortcutsWindow(over: window).present() }
    window.addAction("about") { presentAbout(over: window) }
  }

  private func addSync(to window: Widget) {
    let session = session
    let synchroniser = session.synchroniser
    window.addAction("storage") { StorageDialog(session).present() }
    window.addAction("sync") { SyncDetails(session).present() }
    window.addAction("sync-now") { session.attempt { _ = try await synchroniser.syncNow() } }
    window.addAction("account") {
      synchroniser.standing == .local ? signIn(session) : AccountDialog(session).present()
    }
    window.addAction("sign-in") { signIn(session) }
    window.addAction("unlock-keyring") { session.attempt { try await synchroniser.unlockKeyring() } }
  }

  /// Keys that a text field has its own use for: they are heard only where no field takes them. As keys of the
  /// application they would reach us first, even while someone types.
  static func addKeys(to window: Widget) {
    let letters: [Character: String] = [
      "w": "win.water::", "s": "win.shine", "h": "win.harvest::", "n": "win.plant", "/": "win.search",
    ]
    window.onKey { key, held in
      guard let scalar = Unicode.Scalar(gdk_keyval_to_unicode(gdk_keyval_to_lower(key))) else { return false }
      let modifiers = held.rawValue & gtk_accelerator_get_default_mod_mask().rawValue
      let command: String? =
        switch modifiers {
        case 0: letters[Character(scalar)]
        case GDK_CONTROL_MASK.rawValue: scalar == "z" ? "win.undo" : nil
        default: nil
        }
      return command.map { window.activate($0) } ?? false
    }
  }
}

/// Opens the sign-in; without a server, the place where one is named.
private func signIn(_ session: Session) {
  session.attempt {
    if let signIn = try await session.synchroniser.signIn() {
      SignInDialog(session, signIn).present()
    } else {
      PreferencesDialog(session).present()
      session.toaster.show(tr("To sign in, say which server keeps your garden."))
    }
  }
}

/// Before anything is written there: says why something can't be done with a part of a garden, or does it.
private func whole(_ session: Session, _ open: () -> Void) {
  do {
    try session.gardener.checkWhole()
    open()
  } catch { session.tell(error) }
}
