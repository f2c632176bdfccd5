import GtkKit
import SyncEngine
import TrunkAccount
import TrunkKit

extension Application {
  /// Replaces the garden in the window after a sign-in or sign-out.
  func replaceGarden(_ fresh: SignIn.Outcome?) {
    guard let old = context, !isReplacing else { return }
    isReplacing = true
    dailyBackup = nil
    old.accountModel.onAccountChange = nil
    // If the window is closed now, the task below still finishes.
    desktop.hold()
    closeForms()
    window?.freeze()
    let ending = Task {  // No widgets
      // A draft that can't be saved now is saved later: its writer doesn't depend on the window's garden.
      _ = await unsavedDrafts.saveAll()
      await old.model.finishWriting()
      await old.accountModel.stop()
      // After signing out, there is no state to keep for the next start.
      guard fresh != nil else { return }
      do { try await old.model.close() } catch {
        // Only the checkpoint is missing: the log is on disk, and the next start derives the rest from it.
        printError(userMessage(for: error))
      }
    }
    self.ending = ending
    guard let window else {
      // There is nothing to show the other garden in.
      isReplacing = false
      Task {  // No widgets
        await ending.value
        desktop.release()
      }
      return
    }
    let opening = Application.open(settings, fresh: fresh, after: ending)
    self.opening = opening
    Task {  // No widgets but those of a window that is still open
      await show(opening, in: window, isNew: fresh != nil)
      desktop.release()
    }
  }

  /// Closes everything that the user types in. The drafts are still saved.
  func closeForms() {
    quickWater?.discard()
    window?.widget.closeDialogs()
  }

  /// Shows another garden in the window once it is open.
  /// - Parameter isNew: the user has just signed in.
  private func show(_ opening: Task<Opened, any Error>, in window: MainWindow, isNew: Bool) async {
    do {
      let opened = try await opening.value
      isReplacing = false
      guard self.window === window else { return }
      window.show(opened.model, opened.accountModel)
      questions.startOver()
      begin(opened, in: window, isNew: isNew)
      // Signing out in a terminal must not raise the window; a pending command does.
      if pendingCommand != nil || !links.isEmpty { present(window) }
    } catch {
      explain(error) { [weak self] in self?.show($0) }
      if self.window === window { window.widget.destroyWindow() }
      isReplacing = false
    }
  }
}
