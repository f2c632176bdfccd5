import GtkKit
import TrunkAccount
import TrunkKit

extension Application {
  /// How long a closed window may keep sending, in seconds.
  private static let sendingLimit: Int64 = 5

  /// Finishes after the last window was closed: waits until the last entries and drafts are on disk, sends pending
  /// events, keeps the state for the next start, and makes the daily backup if it is due. Then the program ends.
  func closed(_ context: WindowContext) {
    hasClosed = true
    guard window == nil, quickWater == nil else { return }
    let (model, accountModel) = (context.model, context.accountModel)
    (opening, dailyBackup) = (nil, nil)
    // `replaceGarden` is closing the old garden, and the new one was never shown.
    guard !isReplacing else { return }
    // Without a window, the user can't undo anything, so no event has to wait for the end of its undo window.
    model.offersUndo = false
    desktop.hold()
    let secondFolder = settings.backupFolder
    ending = Task {  // No widgets
      await model.finishWriting()
      await accountModel.sendLast(within: Application.sendingLimit)
      await accountModel.stop()
      do {
        try await model.close()
        try await model.backUpIfDue(secondFolder: secondFolder)
      } catch {
        // There is no window to show the error in. The log is safe: the next start reads it again.
        printError(userMessage(for: error))
      }
      desktop.release()
    }
  }

  func quit() {
    isQuitting = true
    reminders?.leave()
    ending?.cancel()
    let windows = [quickWater?.widget, window?.widget].compactMap(\.self)
    if let active = windows.isEmpty ? desktop.activeWindow : nil {
      active.closeWindow()
    } else if !windows.isEmpty {
      windows.forEach { $0.closeWindow() }
    } else if !hasClosed {
      desktop.quit()
    }
  }
}
