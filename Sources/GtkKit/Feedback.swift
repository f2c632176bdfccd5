import CGtk
import CShim

/// The place where toasts appear: wraps the content of a window.
///
/// Not the one of libadwaita: in version 1.2 that ends the program where a toast is dismissed while another one fades, it
/// shows old messages after newer ones, and under the pointer a toast stays for longer than what it says.
@MainActor public final class Toaster {
  /// The content with its toasts.
  public let widget: Widget = gtk_overlay_new()

  /// Whether its window is still there: a toast that comes later has nobody to see it.
  public var isOnScreen: Bool { gtk_widget_get_root(widget) != nil }

  private let closeName: String
  /// The last one is shown. Those before it stay until they are dismissed, and come back one after the other.
  private var toasts: [Toast] = []
  // What was begun in a window may end, and tell of it, after the window was closed.
  private let reference: Reference

  /// - Parameter closeName: what a screen reader says for the cross that dismisses a toast.
  public init(closeName: String) {
    self.closeName = closeName
    reference = Reference(retaining: widget)
  }

  /// What the toasts lie over.
  public func setContent(_ content: Widget) {
    gtk_overlay_set_child(widget.cast(), content)
  }

  /// Shows a text, as typed, for some seconds, which begin anew when the pointer or the keyboard leaves it; 0 shows it
  /// until it is dismissed. It replaces the toast that is shown; only one that is to be dismissed comes back then.
  ///
  /// - Parameter button: a text and what it does; it also takes the toast away.
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

  /// Takes away the toast that is shown, because what it says no longer holds.
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

/// A toast on the screen, or one that waits to be there again.
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
    widget.append(label(text))
    widget.css("toast").align(GTK_ALIGN_CENTER).alignDown(GTK_ALIGN_END)
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

  /// Nothing goes away while somebody is about to press it.
  private func countDown() {
    timeout =
      isHovered || isFocused ? nil : Timeout.after(milliseconds: seconds * 1000) { [weak self] in self?.dismiss() }
  }

  /// Takes it away before its time.
  public func dismiss() {
    toaster?.end(self)
  }
}

/// One answer to a question.
public struct Answer: Sendable {
  /// What it means.
  public enum Kind: Sendable {
    /// One way among others.
    case plain
    /// The way that is suggested; also what Enter does.
    case suggested
    /// A way that takes something away.
    case destructive
  }

  let id: String
  let title: String
  let kind: Kind

  public init(_ id: String, _ title: String, _ kind: Kind = .plain) {
    (self.id, self.title, self.kind) = (id, title, kind)
  }
}

/// Asks a question over a window and returns the id of the answer; Esc gives that of the first answer.
@MainActor public func ask(
  over window: Widget, _ heading: String, _ body: String, extra: Widget? = nil, _ answers: [Answer]
) async -> String {
  let dialog: Widget = adw_message_dialog_new(window.cast(), oneLine(heading), clamped(body))
  for answer in answers {
    adw_message_dialog_add_response(dialog.cast(), answer.id, withoutMnemonic(answer.title))
    switch answer.kind {
    case .plain: break
    case .suggested:
      adw_message_dialog_set_response_appearance(dialog.cast(), answer.id, ADW_RESPONSE_SUGGESTED)
      adw_message_dialog_set_default_response(dialog.cast(), answer.id)
    case .destructive:
      adw_message_dialog_set_response_appearance(dialog.cast(), answer.id, ADW_RESPONSE_DESTRUCTIVE)
    }
  }
  if let first = answers.first { adw_message_dialog_set_close_response(dialog.cast(), first.id) }
  if let extra { adw_message_dialog_set_extra_child(dialog.cast(), extra) }
  return await withCheckedContinuation { continuation in
    var waiting: CheckedContinuation<String, Never>? = continuation
    dialog.onText("response") { id in
      waiting?.resume(returning: id)
      waiting = nil
    }
    // Taken away without an answer.
    dialog.on("destroy") {
      waiting?.resume(returning: answers.first?.id ?? "")
      waiting = nil
    }
    gtk_window_present(dialog.cast())
  }
}

/// A window over another for one task: a way out on the left, the deed on the right, Esc closes.
@MainActor public final class DialogWindow {
  /// The window; its title is what a screen reader says.
  public let widget: Widget = trunk_dialog_new()
  /// The bar on top; buttons of the task go to its end.
  public let header: Widget
  /// The toasts of this window.
  public let toaster: Toaster
  /// False once the window is gone, and with it every widget in it.
  public private(set) var isOpen = true

  private let body: Widget
  private let isFitting: Bool
  /// The height that the content wanted the last time, at the width of then.
  private var fitted: (width: gint, height: gint)?
  private static let mostHeight = 640

  /// - Parameters:
  ///   - closeTitle: the text of the way out, as Cancel or Close.
  ///   - dismissTitle: what a screen reader says for the cross of a toast.
  ///   - width: wished pixels; a narrow screen gets less.
  public init(
    over parent: Widget?, title: String, closeTitle: String, dismissTitle: String, width: Int = 560, height: Int = -1,
    content: Widget, scrolls: Bool = true
  ) {
    isFitting = height == -1
    body = content.margin(top: 12, bottom: 24, start: 18, end: 18)
    header = headerBar(title: droppable(label(title, "title")))
    toaster = Toaster(closeName: dismissTitle)
    adw_header_bar_set_show_start_title_buttons(header.cast(), 0)
    adw_header_bar_set_show_end_title_buttons(header.cast(), 0)
    gtk_window_set_title(widget.cast(), oneLine(title))
    gtk_window_set_default_size(widget.cast(), gint(width), gint(height))
    gtk_window_set_modal(widget.cast(), 1)
    if let parent {
      gtk_window_set_transient_for(widget.cast(), parent.cast())
      // For the keys of the application, such as Ctrl+Q.
      gtk_window_set_application(widget.cast(), gtk_window_get_application(parent.cast()))
    }
    adw_header_bar_pack_start(header.cast(), button(closeTitle) { [weak self] in self?.close() })
    if scrolls {
      let scrolled = scrolled(body)
      gtk_scrolled_window_set_propagate_natural_height(scrolled.cast(), 1)
      gtk_scrolled_window_set_max_content_height(scrolled.cast(), gint(Self.mostHeight))
      // What scrolls must not be squeezed to its least height first: a text grows with its lines.
      gtk_scrollable_set_vscroll_policy(gtk_scrolled_window_get_child(scrolled.cast())?.cast(), GTK_SCROLL_NATURAL)
      toaster.setContent(scrolled)
    } else {
      toaster.setContent(body)
    }
    adw_window_set_content(widget.cast(), column(header, toaster.widget.expandDown()))
    widget.css("task").size(width: 340)
    widget.onKey { [weak self] key, _ in
      guard key == guint(GDK_KEY_Escape) else { return false }
      self?.close()
      return true
    }
    widget.on("destroy") { [weak self] in self?.isOpen = false }
    // Only now it is known what the window draws around itself.
    widget.on("realize") { [weak self] in self?.fit() }
    widget.keeps(self)
  }

  /// The button of the deed, at the end of the bar; Enter in a field presses it too.
  /// - Parameter keys: what presses it in a text of many lines; said beside it where there is room.
  @discardableResult
  public func addDeed(
    _ title: String, _ classes: String..., keys: String? = nil, action: @escaping @MainActor () -> Void
  ) -> Widget {
    let deed = button(title, action: action)
    classes.forEach { deed.css($0) }
    if let keys {
      // The gap is its own, so that it goes with it.
      let hint = droppable(label(keys, "hint").margin(end: 6))
      g_object_bind_property(deed, "visible", hint, "visible", G_BINDING_DEFAULT)
      adw_header_bar_pack_end(header.cast(), line(hint, deed))
    } else {
      adw_header_bar_pack_end(header.cast(), deed)
    }
    gtk_window_set_default_widget(widget.cast(), deed)
    return deed
  }

  /// Shows the window.
  public func present() {
    fit()
    gtk_window_present(widget.cast())
  }

  /// Makes the window as high as its content wants to be at its width, up to the height from which it scrolls. Where
  /// neither has changed since the last time, the height that the user may have given it stays.
  public func fit() {
    guard isFitting else { return }
    var (width, height): (gint, gint) = (0, 0)
    gtk_window_get_default_size(widget.cast(), &width, &height)
    // A scrolled window knows the height of its content only at the width that the content likes best: with a text
    // that wraps, it would be too low.
    let (sides, ends) = widget.frame
    let inside = Int(width) - sides
    let (bar, text) = (header.height(at: inside), body.height(at: inside))
    let wanted = gint(ends + bar + min(text, Self.mostHeight))
    guard fitted.map({ $0 != (width, wanted) }) ?? true else { return }
    fitted = (width, wanted)
    gtk_window_set_default_size(widget.cast(), width, wanted)
  }

  /// Closes the window.
  public func close() {
    gtk_window_close(widget.cast())
  }
}

@MainActor extension Widget {
  /// A click does not take the keyboard out of the text that is being written.
  fileprivate func leavesFocus() -> Widget {
    gtk_widget_set_focus_on_click(self, 0)
    return self
  }

  /// How much of its width and of its height a window takes for its frame: it has one where nothing draws shadows.
  fileprivate var frame: (sides: Int, ends: Int) {
    let style = gtk_widget_get_style_context(self)
    var (padding, border) = (GtkBorder(), GtkBorder())
    gtk_style_context_get_padding(style, &padding)
    gtk_style_context_get_border(style, &border)
    return (
      Int(padding.left + padding.right + border.left + border.right),
      Int(padding.top + padding.bottom + border.top + border.bottom)
    )
  }

  /// The modal window that is open over this one.
  public var openDialog: Widget? {
    guard let windows = gtk_window_get_toplevels() else { return nil }
    for position in 0..<g_list_model_get_n_items(windows) {
      guard let item = g_list_model_get_item(windows, position) else { continue }
      // The toolkit itself keeps every window.
      defer { g_object_unref(item) }
      let window = item.assumingMemoryBound(to: GtkWindow.self)
      if gtk_window_get_modal(window) != 0, let below = gtk_window_get_transient_for(window), below.cast() == self {
        return window.cast()
      }
    }
    return nil
  }

  /// Takes away every modal window over this one, the uppermost first; they hear of it in time to keep what was typed.
  /// GTK itself would leave them behind, or take them when this window is half gone.
  public func closeDialogs() {
    while let dialog = openDialog {
      dialog.closeDialogs()
      gtk_window_destroy(dialog.cast())
    }
  }
}
