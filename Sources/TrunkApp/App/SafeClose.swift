import EventStore
import GtkKit
import Localization
import TrunkKit

/// Saves what was typed just now before a window closes. If that fails, asks first: without a window, the user would
/// not learn that a text was lost.
final class SafeClose {
  private let window: Widget
  private let unsavedDrafts: UnsavedDrafts
  private var isAsking = false
  private var isOpen = true

  /// - Parameter onClose: called when the user closes the window and everything is saved.
  init(_ window: Widget, _ unsavedDrafts: UnsavedDrafts, onClose: @escaping () -> Void = {}) {
    (self.window, self.unsavedDrafts) = (window, unsavedDrafts)
    window.onQuestion("close-request") { [self] in
      guard unsavedDrafts.isEmpty || unsavedDrafts.isEnding else {
        saveAndClose()
        return true
      }
      onClose()
      return false
    }
    window.on("destroy") { [self] in isOpen = false }
  }

  private func saveAndClose() {
    guard !isAsking else { return }
    isAsking = true
    untilDone { [self] in
      let problem = await unsavedDrafts.saveAll()
      if let problem, isOpen {
        let answer = await ask(
          over: window.topmostWindow, tr("Your text isn’t saved yet"),
          tr(
            "{reason} If you close the window now, Trunk will try once more to keep the text for the next start. If that fails, the text will be lost.",
            ["reason": SafeClose.reason(problem)]), isUnexpected: true,
          [Answer("stay", tr("Keep Open")), Answer("close", tr("Close Anyway"), .destructive)])
        // It may have been saved in the meantime.
        if answer == "close" { unsavedDrafts.end() }
      }
      isAsking = false
      // The end of the session may have closed it.
      if isOpen, problem == nil || unsavedDrafts.isEnding { window.closeWindow() }
    }
  }

  private static func reason(_ problem: any Error) -> String {
    switch problem as? StoreError {
    case .busy: tr("Another program is using your journal.")
    case .diskFull: tr("The disk is full.")
    default: userMessage(for: problem)
    }
  }
}
