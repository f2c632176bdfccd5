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
    gtk_widget_activate_action_variant(below, command, target.map { g_variant_new_string($0) })
  }

  /// Ignores key repeats, so that holding the combination triggers it once. The command may move the focus to a place
  /// where a repeat would trigger it again.
  func ignoreRepeats(of keys: String) {
    var isHeld = false
    let (value, modifiers) = accelerator(keys)
    let controller: OpaquePointer = gtk_event_controller_key_new()
    gtk_event_controller_set_propagation_phase(controller, GTK_PHASE_CAPTURE)
    gtk_widget_add_controller(widget, controller)
    controller.onKeySignal("key-pressed") { pressed, held in
      guard pressed == value, held.rawValue & modifiers == modifiers else { return false }
      defer { isHeld = true }
      return isHeld
    }
    controller.on("key-released") { isHeld = false }
  }
}

private func accelerator(_ keys: String) -> (value: guint, modifiers: UInt32) {
  var (value, modifiers): (guint, GdkModifierType) = (0, GdkModifierType(0))
  gtk_accelerator_parse(keys, &value, &modifiers)
  return (value, modifiers.rawValue)
}

/// A button that undoes the last action on a sprout. The dialog stays open over the window's toast, so it needs its own
/// button. The button is shown as long as undo is offered.
/// - Parameter onPress: called before the action is undone.
func undoButton(
  _ context: WindowContext, _ sproutID: String, _ toaster: Toaster, onPress: @escaping @MainActor () -> Void = {}
) -> Widget {
  let model = context.model
  // The toaster holds the dialog's content, which includes this button.
  let widget = button(tr("Undo"), "link") { [weak toaster] in
    guard let offered = model.undoable, offered.entityID == sproutID else { return }
    onPress()
    context.attempt(in: toaster) { try await model.undo(offered) }
  }
  widget.visible(false)
  let following = Task {
    for await entityID in Observations({ model.undoable?.entityID }) {
      if Task.isCancelled { break }
      widget.visible(entityID == sproutID)
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
    let row = switchRow(title, hint, isOn: false) { [weak self] in self?.isOn = $0 }
    adw_action_row_set_title_lines(row.cast(), 0)
    adw_action_row_set_subtitle_lines(row.cast(), 0)
    gtk_list_box_append(widget.cast(), row)
    widget.keeps(self)
  }
}

/// The action of a main button in a dialog with a title. Presses are ignored while it runs. If it succeeds, the dialog
/// closes; if it fails, the dialog stays open, and an empty title gets the focus.
final class TitledDeed {
  private let context: WindowContext
  private let dialog: DialogWindow
  private let title: LimitedRow
  private var isBusy = false

  init(_ context: WindowContext, _ dialog: DialogWindow, title: LimitedRow) {
    (self.context, self.dialog, self.title) = (context, dialog, title)
  }

  func run(_ intent: @escaping @MainActor () async throws -> Void) {
    guard !isBusy else { return }
    isBusy = true
    context.attempt(
      in: dialog.toaster,
      onError: { [self] in
        guard dialog.isOpen else { return }
        isBusy = false
        if title.text.trimmed.isEmpty { title.focus() }
      }
    ) { [self] in
      try await intent()
      if dialog.isOpen { dialog.close() }
    }
  }
}
