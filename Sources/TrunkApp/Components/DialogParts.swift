import GtkKit
import Localization
import Observation
import TrunkAccount
import TrunkKit

extension DialogWindow {
  /// Closes the dialog and invokes a command of the window below.
  func leave(_ context: WindowContext, for command: String, target: String? = nil) {
    let below = context.window
    close()
    below.activate(command, target: target)
  }

  /// Calls `handler` for Ctrl+Enter, wherever the focus is in the dialog.
  func onSubmit(_ handler: @escaping @MainActor () -> Void) {
    widget.onShortcut("<Control>Return", handler)
    widget.ignoreRepeats(of: "<Control>Return")
  }
}

/// A button that undoes what a dialog has done to a sprout, if that was the last action. The dialog stays open over the
/// window's toast, so it needs its own button. The button is shown as long as undo is offered.
/// - Parameter onPress: called before the action is undone.
func undoButton(
  _ context: WindowContext, _ action: GardenModel.Undoable.Action, of sproutID: String, _ toaster: Toaster,
  onPress: @escaping @MainActor () -> Void = {}
) -> Widget {
  let model = context.model
  func isOwn(_ offered: GardenModel.Undoable?) -> Bool { offered?.action == action && offered?.entityID == sproutID }
  // The toaster holds the dialog's content, which includes this button.
  let widget = button(tr("Undo"), "link") { [weak toaster] in
    guard let offered = model.undoable, isOwn(offered) else { return }
    onPress()
    context.attempt(in: toaster) { try await model.undo(offered) }
  }
  widget.visible(false)
  let following = Task {
    for await offered in Observations({ model.undoable }) {
      if Task.isCancelled { break }
      widget.visible(isOwn(offered))
    }
  }
  widget.on("destroy") { following.cancel() }
  return widget
}

/// A switch in a question for an optional extra action; off at first.
final class AlsoSwitch {
  let widget: Widget
  private(set) var isOn = false

  init(_ title: String, _ hint: String) {
    widget = boxedList()
    widget.append(switchRow(title, hint, isOn: false) { [weak self] in self?.isOn = $0 })
    widget.keeps(self)
  }

  func focus() { widget.focusFirst() }
}

/// The action of a main button in a dialog with a title. Presses are ignored while it runs. If it succeeds, the dialog
/// closes; if it fails, the dialog stays open. An empty title gets a message below it and the focus.
final class TitledAction {
  private let dialog: DialogWindow
  private let title: LimitedRow
  private let action: BusyAction

  init(_ context: WindowContext, _ dialog: DialogWindow, title: LimitedRow) {
    (self.dialog, self.title) = (dialog, title)
    action = BusyAction(context, toaster: dialog.toaster) { dialog.isOpen }
    // A form that is opened again must not continue a text that is becoming an event.
    dialog.widget.onQuestion("close-request") { [weak self] in self?.action.isBusy ?? false }
  }

  func run(_ intent: @escaping @MainActor () async throws -> Void) {
    guard !action.isBusy else { return }
    guard !title.text.trimmed.isEmpty else {
      title.show(problem: IntentError.titleMissing.message)
      return title.focus()
    }
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
