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
  /// - Parameter button: a title and an action; pressing the button also dismisses the toast.
  @discardableResult
  public func show(
    _ text: String, seconds: Int = 5, button: (title: String, action: @MainActor () -> Void)? = nil
  ) -> Toast {
    if let last = toasts.last, last.seconds > 0 { end(last) }
    let toast = Toast(self, text, seconds, button, closeName: closeName)
    toasts.append(toast)
    gtk_overlay_add_overlay(widget.cast(), toast.widget)
    showLast()
    return toast
  }

  /// Dismisses the current toast because its message is no longer true.
  public func dismiss() {
    toasts.last?.dismiss()
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

  fileprivate init(
    _ toaster: Toaster, _ text: String, _ seconds: Int, _ button: (title: String, action: @MainActor () -> Void)?,
    closeName: String
  ) {
    self.toaster = toaster
    self.seconds = seconds
    widget = trunk_alert_new(6)
    widget.append(paragraph(text))
    widget.css("toast").align(.center).alignDown(.end)
    if let (title, action) = button {
      widget.append(
        GtkKit.button(title) { [weak self] in
          action()
          self?.dismiss()
        }.leavesFocus())
    }
    let cross = iconButton("window-close-symbolic", name: closeName) { [weak self] in self?.dismiss() }
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

/// A modal window for one task: cancel on the left, the main action on the right, Esc closes.
@MainActor public final class DialogWindow {
  /// The window; its title is the accessible name.
  public let widget: Widget = trunk_dialog_new()
  let header: Widget
  /// The window's toasts.
  public let toaster: Toaster
  /// The dialog's content, hidden while `filling` is shown.
  let usual: Widget
  /// The content that fills the screen; empty otherwise.
  let filling = bin().visible(false)
  /// Called when the window leaves full screen; `nil` if it isn't in full screen.
  var onLeave: (@MainActor () -> Void)?
  /// `false` after the window and all its widgets are destroyed.
  public private(set) var isOpen = true

  private let body: Widget
  private let isFitting: Bool
  /// The height that the content last requested, and the width at that time.
  private var fitted: (width: gint, height: gint)?
  private static let maxHeight = 640

  /// - Parameters:
  ///   - closeTitle: the text of the closing button, for example Cancel or Close.
  ///   - dismissTitle: the accessible name of a toast's closing button.
  ///   - width: the preferred width in pixels; a narrow screen gets less.
  public init(
    over parent: Widget?, title: String, closeTitle: String, dismissTitle: String, width: Int = 560, height: Int = -1,
    content: Widget, scrolls: Bool = true
  ) {
    isFitting = height == -1
    body = content.margin(top: 12, bottom: 24, start: 18, end: 18)
    usual = scrolls ? scrolled(body, maxHeight: Self.maxHeight) : body.expandDown()
    header = headerBar(title: droppable(label(title, "title")))
    toaster = Toaster(closeName: dismissTitle)
    adw_header_bar_set_show_start_title_buttons(header.cast(), 0)
    adw_header_bar_set_show_end_title_buttons(header.cast(), 0)
    gtk_window_set_title(widget.cast(), oneLine(title))
    gtk_window_set_default_size(widget.cast(), gint(width), gint(height))
    gtk_window_set_modal(widget.cast(), 1)
    if let parent {
      gtk_window_set_transient_for(widget.cast(), parent.cast())
      // Enables the application's keys, such as Ctrl+Q.
      gtk_window_set_application(widget.cast(), gtk_window_get_application(parent.cast()))
    }
    adw_header_bar_pack_start(header.cast(), button(closeTitle) { [weak self] in self?.close() })
    if scrolls {
      // Scrolled content must keep its natural height, because a text grows with its lines.
      gtk_scrollable_set_vscroll_policy(gtk_scrolled_window_get_child(usual.cast())?.cast(), GTK_SCROLL_NATURAL)
    }
    toaster.setContent(column(usual, filling.expandDown()))
    adw_window_set_content(widget.cast(), column(header, toaster.widget.expandDown()))
    widget.size(width: 340)
    widget.onKey { [weak self] press in
      guard press.key == .escape else { return false }
      self?.leaveOrClose()
      return true
    }
    widget.on("destroy") { [weak self] in self?.isOpen = false }
    // The size of the window's frame is unknown until now.
    widget.on("realize") { [weak self] in self?.fit() }
    widget.keeps(self)
  }

  /// Adds the button of the main action at the end of the bar. Enter in a field presses it too.
  /// - Parameter keys: the keys that press it from a multi-line text, shown next to it if there is room.
  @discardableResult
  public func addDeed(
    _ title: String, _ classes: String..., keys: String? = nil, action: @escaping @MainActor () -> Void
  ) -> Widget {
    let deed = button(title, action: action)
    classes.forEach { deed.css($0) }
    if let keys {
      // The margin belongs to the hint, so that it disappears with it.
      let hint = droppable(label(keys, "hint").margin(end: 6))
      g_object_bind_property(deed, "visible", hint, "visible", G_BINDING_DEFAULT)
      adw_header_bar_pack_end(header.cast(), line(hint, deed))
    } else {
      adw_header_bar_pack_end(header.cast(), deed)
    }
    gtk_window_set_default_widget(widget.cast(), deed)
    return deed
  }

  /// Adds a widget at the end of the header bar.
  public func addToHeader(_ widget: Widget) {
    adw_header_bar_pack_end(header.cast(), widget)
  }

  /// Shows the window.
  public func present() {
    fit()
    gtk_window_present(widget.cast())
  }

  /// Makes the window as high as its content requires at its width, up to the height from which it scrolls. If neither
  /// has changed since the last time, keeps a height that the user may have set.
  public func fit() {
    guard isFitting else { return }
    var (width, height): (gint, gint) = (0, 0)
    gtk_window_get_default_size(widget.cast(), &width, &height)
    // A scrolled window asks for its content's height only at the content's natural width. For a text that wraps, that
    // is too low.
    let (sides, ends) = widget.frame
    let inside = Int(width) - sides
    let (bar, text) = (header.height(at: inside), body.height(at: inside))
    let wanted = gint(ends + bar + min(text, Self.maxHeight))
    guard fitted.map({ $0 != (width, wanted) }) ?? true else { return }
    fitted = (width, wanted)
    gtk_window_set_default_size(widget.cast(), width, wanted)
  }

  /// Closes the window.
  public func close() {
    gtk_window_close(widget.cast())
  }

  /// Removes the focus from the content.
  public func clearFocus() {
    gtk_window_set_focus(widget.cast(), nil)
  }

  /// Destroys a window that is not shown after all.
  public func discard() {
    gtk_window_destroy(widget.cast())
  }
}

@MainActor extension Widget {
  /// Keeps the focus in the text field when this button is clicked.
  fileprivate func leavesFocus() -> Widget {
    gtk_widget_set_focus_on_click(self, 0)
    return self
  }

  /// The modal window that is open over this one.
  public var openDialog: Widget? {
    guard let windows = gtk_window_get_toplevels() else { return nil }
    for position in 0..<g_list_model_get_n_items(windows) {
      guard let item = g_list_model_get_item(windows, position) else { continue }
      // GTK itself holds a reference to every window.
      defer { g_object_unref(item) }
      let window = item.assumingMemoryBound(to: GtkWindow.self)
      if gtk_window_get_modal(window) != 0, let below = gtk_window_get_transient_for(window), below.cast() == self {
        return window.cast()
      }
    }
    return nil
  }

  /// Waits until no modal window is open over this one, or the task is cancelled. Cancel it when this window is destroyed.
  public func waitUntilNoDialogIsOpen() async {
    guard openDialog != nil, let windows = gtk_window_get_toplevels() else { return }
    let (changes, change) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let connection = windows.on("items-changed") { change.yield() }
    defer { connection.disconnect() }
    for await _ in changes where openDialog == nil { return }
  }

  /// Destroys every modal window over this one, the topmost first, in time for them to save what was typed. GTK itself
  /// would leave them open or destroy them when this window is half gone.
  public func closeDialogs() {
    while let dialog = openDialog {
      dialog.closeDialogs()
      gtk_window_destroy(dialog.cast())
    }
  }
}
