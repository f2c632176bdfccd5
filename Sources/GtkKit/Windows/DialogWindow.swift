import CGtk
import CShim

/// A modal window for one task: cancel on the left, the main action on the right, Esc closes.
@MainActor public final class DialogWindow: DialogParent {
  /// The window; its title is the accessible name.
  public let widget: Widget = trunk_dialog_new()
  let header: Widget
  /// The window's messages.
  public let foot: Foot
  /// The dialog's content, hidden while `filling` is shown.
  let usual: Widget
  /// The content that fills the screen; empty otherwise.
  let filling = bin().visible(false)
  /// Called when the window leaves full screen; `nil` if it isn't in full screen.
  var onLeave: (@MainActor () -> Void)?
  /// `false` after the window and all its widgets are destroyed.
  public private(set) var isOpen = true

  /// The text of the closing button; `nil` if the window has the usual controls of a window instead.
  public var closeTitle: String? {
    didSet { if closeTitle != oldValue { closing.setText(closeTitle ?? "") } }
  }

  /// What the closing button does instead of closing the window; `nil` to close it.
  public var onBack: (@MainActor () -> Void)?

  private let closing: Widget
  private let body: Widget
  private let isFitting: Bool
  /// The height that the content last requested, and the width at that time.
  private var fitted: (width: gint, height: gint)?
  /// The height before the last one that was requested, until the window has the new one.
  private var replaced: gint?
  private static let maxHeight = 640

  /// - Parameters:
  ///   - closeTitle: the text of the closing button, for example Cancel. Without one, the window has the usual window
  ///     controls. That suits windows that only show something, or that apply every change immediately.
  ///   - dismissTitle: the accessible name of a message's closing button.
  ///   - width: the preferred width in pixels; a narrow screen gets less.
  public init(
    over parent: Widget?, title: String, closeTitle: String? = nil, dismissTitle: String, width: Int = 560,
    height: Int = -1, content: Widget, scrolls: Bool = true
  ) {
    isFitting = height == -1
    self.closeTitle = closeTitle
    body = content.margin(top: 12, bottom: 12, start: 18, end: 18)
    usual = scrolls ? scrolled(body, maxHeight: Self.maxHeight) : body.vexpand()
    header = headerBar(title: droppable(label(title, "title")))
    foot = Foot(closeName: dismissTitle)
    adw_header_bar_set_show_start_title_buttons(header.cast(), (closeTitle == nil).gboolean)
    adw_header_bar_set_show_end_title_buttons(header.cast(), (closeTitle == nil).gboolean)
    closing = button(closeTitle ?? "") {}
    widget.becomeDialog(over: parent, title: title, width: width, height: height)
    adw_header_bar_pack_start(header.cast(), closing.visible(closeTitle != nil))
    closing.on("clicked") { [weak self] in
      guard let self else { return }
      if let onBack { onBack() } else { close() }
    }
    if scrolls {
      // Scrolled content must keep its natural height, because a text grows with its lines.
      gtk_scrollable_set_vscroll_policy(gtk_scrolled_window_get_child(usual.cast())?.cast(), GTK_SCROLL_NATURAL)
      usual.onHeightChange { [weak self] in self?.grow() }
    }
    foot.setContent(column(usual, filling.vexpand()))
    adw_window_set_content(widget.cast(), column(header, foot.widget.vexpand()))
    closing.onFocus { [closing] in if !$0 { _ = closing.accessibleDescription("") } }
    widget.onKey { [weak self] press in
      switch (press.key, press.modifiers) {
      case (.escape, _): self?.leaveOrClose()
      case (.pageUp, []) where scrolls: self?.usual.scroll(pages: -1)
      case (.pageDown, []) where scrolls: self?.usual.scroll(pages: 1)
      default: return false
      }
      return true
    }
    widget.on("destroy") { [weak self] in self?.isOpen = false }
    // The size of the window's frame is unknown until now.
    widget.on("realize") { [weak self] in self?.fit() }
    widget.onChange(of: "default-height") { [weak self] in Task { self?.keepFitting() } }
    widget.keeps(self)
  }

  /// Lets the other windows be used at the same time, and keeps the application running while this one is open.
  public func standAlone(in application: OpaquePointer) {
    gtk_window_set_modal(widget.cast(), 0)
    gtk_window_set_application(widget.cast(), application.cast())
  }

  /// Adds the button of the main action at the end of the bar. Enter in a field presses it too.
  /// - Parameter keys: the keys that press it from a multi-line text, shown next to it if there is room.
  @discardableResult
  public func addActionButton(
    _ title: String, _ classes: String..., keys: String? = nil, action: @escaping @MainActor () -> Void
  ) -> Widget {
    let actionButton = button(title, action: action)
    classes.forEach { actionButton.css($0) }
    if let keys {
      // The margin belongs to the hint, so that it disappears with it.
      let hint = droppable(label(keys, "hint").margin(end: 6))
      g_object_bind_property(actionButton, "visible", hint, "visible", G_BINDING_DEFAULT)
      adw_header_bar_pack_end(header.cast(), line(hint, actionButton))
    } else {
      adw_header_bar_pack_end(header.cast(), actionButton)
    }
    gtk_window_set_default_widget(widget.cast(), actionButton)
    return actionButton
  }

  /// Adds a widget at the end of the header bar.
  public func addToHeader(_ widget: Widget) {
    adw_header_bar_pack_end(header.cast(), widget)
  }

  /// Shows the window. If nothing in it has the focus yet, focuses its first field, with the cursor at the end: GTK
  /// selects the whole text, which the first key pressed by accident would replace.
  public func present() {
    fit()
    let hadFocus = widget.focusedWidget != nil
    gtk_window_present(widget.cast())
    if hadFocus { return }
    // If the first field isn't a text, GTK focuses the closing button, which Enter would press.
    if let focused = widget.focusedWidget, header.contains(focused) { body.focusFirst() }
    if let field = widget.focusedWidget, field.isA(gtk_text_get_type()) { field.moveCursorToEnd() }
  }

  /// Makes the window as high as its content requires at its width, up to the height from which it scrolls. If neither
  /// has changed since the last time, keeps a height that the user may have set.
  public func fit() {
    guard isFitting else { return }
    var (width, height): (gint, gint) = (0, 0)
    gtk_window_get_default_size(widget.cast(), &width, &height)
    let wanted = wantedHeight(at: width)
    guard fitted.map({ $0 != (width, wanted) }) ?? true else { return }
    fitted = (width, wanted)
    replaced = widget.isMapped && height != wanted ? height : nil
    gtk_window_set_default_size(widget.cast(), width, wanted)
  }

  /// Makes the window higher if its content needs more height, such as a text with another line, and keeps that line in
  /// sight.
  private func grow() {
    guard isFitting, isOpen, widget.isMapped, usual.isMapped else { return }
    var (width, height): (gint, gint) = (0, 0)
    gtk_window_get_default_size(widget.cast(), &width, &height)
    if wantedHeight(at: width) > height { fit() }
    usual.scrollToCaret()
  }

  /// The height that the content needs, up to the one from which it scrolls.
  private func wantedHeight(at width: gint) -> gint {
    // A scrolled window asks for its content's height only at the content's natural width. For a text that wraps, that
    // is too low.
    let (sides, ends) = widget.frame
    let inside = Int(width) - sides
    let (bar, text) = (header.height(at: inside), body.height(at: inside))
    return gint(ends + bar + min(text, Self.maxHeight) + foot.lineHeight(at: inside))
  }

  /// Whether the content reacts to the user.
  public var isSensitive: Bool {
    get { body.isSensitive }
    set { body.sensitive(newValue) }
  }

  /// Requests the fitting height again if the window system has just set the one before, which was still on its way
  /// when the content changed.
  private func keepFitting() {
    guard let before = replaced, let fitted, isOpen else { return }
    var (width, height): (gint, gint) = (0, 0)
    gtk_window_get_default_size(widget.cast(), &width, &height)
    guard height == before else { return }
    replaced = nil
    gtk_window_set_default_size(widget.cast(), fitted.width, fitted.height)
  }

  /// Runs `focus`, which moves the focus for the user, and doesn't scroll to what has it until the user presses a key:
  /// what is above it comes first.
  public func withoutScrolling(_ focus: () -> Void) {
    guard let viewport = gtk_widget_get_first_child(usual), viewport.isA(gtk_viewport_get_type()) else {
      return focus()
    }
    gtk_viewport_set_scroll_to_focus(viewport.cast(), 0)
    focus()
    widget.onKey(capture: true) { [widget] _ in
      guard gtk_viewport_get_scroll_to_focus(viewport.cast()) == 0 else { return false }
      gtk_viewport_set_scroll_to_focus(viewport.cast(), 1)
      // The key may act on what has the focus, which may be out of sight: focus it again, to scroll to it.
      let focused = widget.focusedWidget
      widget.clearFocus()
      focused?.focus()
      return false
    }
  }

  /// Shows the top of the content again, for example because other content takes its place.
  public func scrollToTop() {
    if usual.isA(gtk_scrolled_window_get_type()) { usual.scrollToTop() }
  }

  /// Closes the window.
  public func close() {
    gtk_window_close(widget.cast())
  }

  /// Moves the focus to the closing button, so that Enter closes the window.
  /// - Parameter description: what screen readers add to its name until it loses the focus.
  public func focusClosing(_ description: String) {
    closing.accessibleDescription(description).focus()
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
