import GtkKit
import TrunkKit
import TrunkModel

/// The action of a main button in a dialog with a title. Presses are ignored while it runs. If it succeeds, the dialog
/// closes; if it fails, the dialog stays open. An empty title gets a message below it and the focus.
final class TitledAction {
  private let dialog: DialogWindow
  private let title: LimitedRow
  private let action: BusyAction

  init(_ context: WindowContext, _ dialog: DialogWindow, title: LimitedRow) {
    (self.dialog, self.title) = (dialog, title)
    action = BusyAction(context, foot: dialog.foot) { dialog.isOpen }
    // A form that is opened again must not continue a text that is becoming an event.
    dialog.widget.onQuestion("close-request") { [weak self] in self?.action.isBusy ?? false }
  }

  /// Asks for a title if there is none.
  /// - Returns: whether there is one.
  func checkTitle() -> Bool {
    guard title.text.trimmed.isEmpty else { return true }
    title.show(problem: IntentError.titleMissing.message)
    title.focus()
    return false
  }

  func run(_ intent: @escaping @MainActor () async throws -> Void) {
    guard !action.isBusy, checkTitle() else { return }
    // What is typed while the event is written would belong to no event. GTK complains if a text field with the focus
    // becomes insensitive.
    dialog.clearFocus()
    dialog.isSensitive = false
    action.run(intent) {
      self.dialog.close()
    } onError: {
      self.dialog.isSensitive = true
      self.title.focus()
    }
  }
}
