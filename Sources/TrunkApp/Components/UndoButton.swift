import GtkKit
import Localization
import Observation
import TrunkKit
import TrunkModel

/// A button that undoes what a dialog has done to a sprout, if that was the last action. The dialog stays open over the
/// window's message, so it needs its own button. The button is shown as long as undo is offered.
/// - Parameter onPress: called before the action is undone.
func undoButton(
  _ context: WindowContext, _ action: GardenModel.Undoable.Action, of sproutID: String, _ foot: Foot,
  onPress: @escaping @MainActor () -> Void = {}
) -> Widget {
  let model = context.model
  func isOwn(_ offered: GardenModel.Undoable?) -> Bool {
    offered?.action == action && offered?.entityID?.hasSameBytes(as: sproutID) == true
  }
  // The foot holds the dialog's content, which includes this button.
  let widget = button(tr("Undo"), "link") { [weak foot] in
    guard let offered = model.undoable, isOwn(offered) else { return }
    onPress()
    context.attempt(in: foot) {
      try await model.undo(offered)
      foot?.widget.announce(tr("Undone."))
    }
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

extension DialogWindow {
  /// Says in the foot what was done, with a button that undoes it, for as long as that is possible.
  func offerUndo(_ context: WindowContext, _ action: GardenModel.Undoable.Action, of id: String, _ text: String) {
    let button = undoButton(context, action, of: id, foot)
    button.on("hide") { [weak foot] in
      foot?.sentence = ""
      foot?.link = nil
    }
    // The keys of the window below don't work here. A text undoes its own changes first.
    widget.onKey { press in
      guard press.modifiers == .control, press.characters.contains("z"), button.isVisible else { return false }
      button.press()
      return true
    }
    (foot.sentence, foot.link) = (text, button)
  }
}
