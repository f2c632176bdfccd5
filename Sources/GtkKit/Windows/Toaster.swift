import CGtk
import CShim

/// Shows toasts over the content of a window.
///
/// It replaces libadwaita's toast overlay, which in version 1.2 crashes when a toast is dismissed while another one
/// fades, shows old messages after newer ones, and keeps a hovered toast for longer than its message is true.
@MainActor public final class Toaster {
  /// The content with its toasts.
  public let widget: Widget = gtk_overlay_new()

  /// Whether its window still exists. After that, toasts can't be seen.
  public var isOnScreen: Bool { gtk_widget_get_root(widget) != nil }

  private let closeName: String
  /// The last one is shown. Earlier ones stay until they are dismissed, and reappear one after the other.
  private var toasts: [Toast] = []
  // Work that was started in a window may finish and show a toast after the window was closed.
  private let reference: Reference

  /// - Parameter closeName: the accessible name of the button that dismisses a toast.
  public init(closeName: String) {
    self.closeName = closeName
    reference = Reference(retaining: widget)
  }

  /// Sets the content below the toasts.
  public func setContent(_ content: Widget) {
    gtk_overlay_set_child(widget.cast(), content)
  }

  /// Shows a text, without markup, for some seconds. The time restarts when the pointer or the focus leaves the toast;
  /// 0 shows it until it is dismissed. The new toast replaces the current one, which reappears later only if its
  /// `seconds` are 0.
  ///
  /// - Parameters:
  ///   - button: a title and an action; pressing the button also dismisses the toast.
  ///   - isUndo: whether the button undoes something that only this toast can undo; `undo` then presses it.
  ///   - whenClosed: called when the user closes the toast.
  @discardableResult
  public func show(
    _ text: String, seconds: Int = 5, button: (title: String, action: @MainActor () -> Void)? = nil,
    isUndo: Bool = false, whenClosed: @escaping @MainActor () -> Void = {}
  ) -> Toast {
    if let last = toasts.last, last.seconds > 0 { end(last) }
    let toast = Toast(self, text, seconds, button, closeName: closeName)
    if isUndo { toast.undo = button?.action }
    toast.whenClosed = whenClosed
    toasts.append(toast)
    gtk_overlay_add_overlay(widget.cast(), toast.widget)
    showLast()
    return toast
  }

  /// Dismisses the current toast because its message is no longer true.
  public func dismiss() {
    toasts.last?.dismiss()
  }

  /// Presses the button of the current toast if it undoes something.
  /// - Returns: whether it does.
  public func undo() -> Bool {
    guard let toast = toasts.last, let undo = toast.undo else { return false }
    undo()
    toast.dismiss()
    return true
  }

  fileprivate func end(_ toast: Toast) {
    guard let position = toasts.firstIndex(where: { $0 === toast }) else { return }
    toasts.remove(at: position)
    gtk_overlay_remove_overlay(widget.cast(), toast.widget)
    showLast()
  }

  private func showLast() {
    for toast in toasts { toast.widget.visible(toast === toasts.last) }
  }
}

/// A toast that is visible or waits to be shown again.
@MainActor public final class Toast {
  fileprivate let widget: Widget
  /// 0 if it stays until it is dismissed.
  fileprivate let seconds: Int
  private var timeout: Timeout?
  private var isHovered = false { didSet { countDown() } }
  private var isFocused = false { didSet { countDown() } }
  private weak var toaster: Toaster?
  /// The action of a button that undoes something.
  fileprivate var undo: (@MainActor () -> Void)?
  fileprivate var whenClosed: @MainActor () -> Void = {}

  fileprivate init(
    _ toaster: Toaster, _ text: String, _ seconds: Int, _ button: (title: String, action: @MainActor () -> Void)?,
    closeName: String
  ) {
    self.toaster = toaster
    self.seconds = seconds
    widget = trunk_alert_new(6)
    widget.append(paragraph(text))
    widget.css("toast").halign(.center).valign(.end)
    if let (title, action) = button {
      widget.append(
        GtkKit.button(title) { [weak self] in
          action()
          self?.dismiss()
        }.leavesFocus())
    }
    let cross = iconButton("window-close-symbolic", name: closeName) { [weak self] in
      self?.whenClosed()
      self?.dismiss()
    }
    widget.append(cross.css("circular").leavesFocus())
    guard seconds > 0 else { return }
    widget.onPointer { [weak self] place in self?.isHovered = place != nil }
    widget.onFocus { [weak self] in self?.isFocused = $0 }
    countDown()
  }

  /// Starts the time again, or stops it while the pointer or focus is on the toast, so that its buttons don't
  /// disappear.
  private func countDown() {
    timeout =
      isHovered || isFocused ? nil : Timeout.after(milliseconds: seconds * 1000) { [weak self] in self?.dismiss() }
  }

  /// Dismisses the toast early.
  public func dismiss() {
    toaster?.end(self)
  }
}

@MainActor extension Widget {
  /// Keeps the focus in the text field when this button is clicked.
  fileprivate func leavesFocus() -> Widget {
    gtk_widget_set_focus_on_click(self, 0)
    return self
  }
}
