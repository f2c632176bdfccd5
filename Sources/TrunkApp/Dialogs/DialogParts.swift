import Gardening
import GtkKit
import Localization
import Observation

extension DialogWindow {
  /// Closes and invokes a command of the window below.
  func leave(_ session: Session, for command: String, target: String? = nil) {
    let below = session.window
    close()
    gtk_widget_activate_action_variant(below, command, target.map { g_variant_new_string($0) })
  }

  /// Hears a key combination once for each time it is pressed, however long it is held: what it does may move the focus
  /// to where it would do the same again.
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

/// Takes back what was just done to a sprout, in a dialog that stays open over the window's toast. It is there as long as
/// that is offered.
/// - Parameter onPress: called before it is taken back.
func undoButton(
  _ session: Session, _ sproutID: String, _ toaster: Toaster, onPress: @escaping @MainActor () -> Void = {}
) -> Widget {
  let gardener = session.gardener
  // The toaster holds the dialog's content, and thereby this button.
  let widget = button(tr("Undo"), "link") { [weak toaster] in
    guard let offered = gardener.undoable, offered.entityID == sproutID else { return }
    onPress()
    session.attempt(in: toaster) { try await gardener.undo(offered) }
  }
  widget.visible(false)
  let following = Task {
    for await entityID in Observations({ gardener.undoable?.entityID }) {
      if Task.isCancelled { break }
      widget.visible(entityID == sproutID)
    }
  }
  widget.on("destroy") { following.cancel() }
  return widget
}

/// Something that an answer may do as well, off at first; it goes into a question.
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

/// What the button of a dialog about something with a title does: one at a time, and the dialog closes when it is done.
/// Where it fails the dialog stays, with the keyboard in the title if that is what lacks.
final class TitledDeed {
  private let session: Session
  private let dialog: DialogWindow
  private let title: LimitedRow
  private var isBusy = false

  init(_ session: Session, _ dialog: DialogWindow, title: LimitedRow) {
    (self.session, self.dialog, self.title) = (session, dialog, title)
  }

  func run(_ intent: @escaping @MainActor () async throws -> Void) {
    guard !isBusy else { return }
    isBusy = true
    session.attempt(
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
