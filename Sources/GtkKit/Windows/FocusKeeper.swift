import CGtk

/// Keeps the focus of a window in its place when the widget that has it disappears, for instance a row of a list.
///
/// By itself, GTK would often move it to the first widget of the window. If the program doesn't move the focus with
/// `focus` or `focusFirst`, it goes to what is now in the place of the old widget, otherwise to what is next to it. It
/// never goes from a list or button to a text field, which would take the keys that are commands elsewhere.
@MainActor final class FocusKeeper {
  // The window keeps this object alive.
  private let window: Widget
  private var focused: WeakReference?
  /// Where the widget with the focus is: its place in its parent, the place of the parent, and so on.
  private var trail: [Place] = []
  /// Whether letters are typed into the widget with the focus.
  private var takesLetters = false
  /// What has the focus in a message. A message is there for a moment: then the focus returns to where it was before.
  private var guest: WeakReference?
  private var isWaiting = false

  private struct Place {
    let parent: WeakReference
    let index: Int
  }

  init(_ window: Widget) {
    self.window = window
    window.takesFocusFromRemoved()
    window.onChange(of: "focus-widget") { [weak self] in self?.focusChanged() }
    window.keeps(self)
    g_object_set_data(window.cast(), FocusKeeper.key, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Accepts that the program has moved the focus in the window of a widget.
  static func accept(in widget: Widget) {
    guard let window = gtk_widget_get_root(widget), let keeper = g_object_get_data(window.cast(), key) else { return }
    Unmanaged<FocusKeeper>.fromOpaque(keeper).takeUnretainedValue().remember()
  }

  private static let key = "trunk-focus-keeper"
}

extension FocusKeeper {
  /// GTK moves the focus before the old widget is gone, so waits until the change is complete.
  private func focusChanged() {
    guard !isWaiting else { return }
    isWaiting = true
    Task { [weak self] in self?.settle() }
  }

  private func settle() {
    guard isWaiting, window.isMapped else { return }
    isWaiting = false
    if focused != nil, !isUsable((guest ?? focused)?.widget) { restore() }
    remember()
  }

  private func restore() {
    if let focused = focused?.widget, isUsable(focused) {
      gtk_widget_grab_focus(focused)
    } else if !trail.contains(where: { restore($0) }) {
      gtk_window_set_focus(window.cast(), nil)
    }
  }

  private func remember() {
    isWaiting = false
    if let new = window.focusedWidget, new.isInMessage, isUsable(focused?.widget) { return guest = WeakReference(new) }
    (guest, focused, trail) = (nil, nil, [])
    guard var widget = window.focusedWidget else { return }
    focused = WeakReference(widget)
    takesLetters = widget.takesLetters
    while widget != window, let parent = widget.parent {
      trail.append(Place(parent: WeakReference(parent), index: parent.children.firstIndex(of: widget) ?? 0))
      widget = parent
    }
  }

  private func isUsable(_ widget: Widget?) -> Bool {
    guard let widget else { return false }
    return widget.isMapped && widget.isSensitive && window.contains(widget)
  }

  /// - Returns: whether something in this place, or next to it, has the focus.
  private func restore(_ place: Place) -> Bool {
    guard let parent = place.parent.widget, parent != window, isUsable(parent) else { return false }
    guard parent.isA(gtk_box_get_type()) || parent.isA(gtk_list_box_get_type()) else {
      return takesFocus(parent)
    }
    let children = parent.children
    let index = min(place.index, max(children.count - 1, 0))
    return (children[index...] + children[..<index].reversed()).contains { child in
      child.isMapped && takesFocus(child)
    }
  }

  private func takesFocus(_ widget: Widget) -> Bool {
    guard holdsFocus(widget) || gtk_widget_child_focus(widget, GTK_DIR_TAB_FORWARD) != 0 else { return false }
    return takesLetters || window.focusedWidget?.takesLetters != true
  }

  private func holdsFocus(_ widget: Widget) -> Bool {
    guard let focused = window.focusedWidget, !focused.isInMessage else { return false }
    return focused == widget || widget.contains(focused)
  }
}

extension Widget {
  /// Takes the focus in this window at once from a widget that is removed. GTK leaves it there until the next frame is
  /// painted, and drops the keys that are pressed before that, also those of the window.
  @MainActor func takesFocusFromRemoved() {
    var removal: (of: WeakReference, signal: Connection)?
    onChange(of: "focus-widget") { [self] in
      if let removal, removal.of.widget != nil { removal.signal.disconnect() }
      removal = focusedWidget.map { focused in
        let signal = focused.onChange(of: "root") {
          guard gtk_widget_get_root(focused) == nil, focusedWidget == focused else { return }
          gtk_window_set_focus(cast(), nil)
        }
        return (WeakReference(focused), signal)
      }
    }
  }

  /// Whether it is part of a message.
  @MainActor fileprivate var isInMessage: Bool {
    sequence(first: self, next: \.parent).contains { gtk_widget_has_css_class($0, "message") != 0 }
  }
}
