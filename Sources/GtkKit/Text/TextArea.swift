import CGtk
import SpellKit

/// A field for a journal text in a serif font, with a placeholder while it is empty and a character count near the
/// limit.
@MainActor public final class TextArea {
  /// The field with its frame.
  public let widget: Widget

  /// The text as it is on the screen: with the text that an input method composes. Setting it does not call `onChange`.
  public var text: String {
    get { composition?.fullText ?? buffer.text }
    set {
      changes?.withoutNotice {
        composition?.discard()
        gtk_text_buffer_set_text(buffer, withVisibleNull(newValue), -1)
      }
      showLength()
    }
  }

  /// Whether the text differs from the one that `begin` has set.
  public var isChanged: Bool { text != initial }
  private var initial = ""

  /// Whether the text exceeds a limit. It is never cut, because every word is the user's.
  public private(set) var isTooLong = false

  /// Called after every change by the user.
  public var onChange: (@MainActor () -> Void)?

  /// Called by Ctrl+Enter.
  public var onSubmit: (@MainActor () -> Void)?

  let name: String
  private let limit: Int
  private let byteLimit: Int
  let view: Widget = gtk_text_view_new()
  private let placeholder: Widget
  let counter = label("", "hint", "numeric")
  private var changes: Connection?
  private var isShowingCaret = false
  private var isSettling = false
  /// The input method of the view that was last composed in: a `TextPage` is another view of the same text.
  private weak var composition: Composition?
  /// `nil` if the spelling isn't checked.
  private(set) var spelling: SpellMarks?
  var buffer: UnsafeMutablePointer<GtkTextBuffer> { gtk_text_view_get_buffer(view.cast()) }

  /// - Parameters:
  ///   - name: the accessible name.
  ///   - limit: the maximum number of characters as users perceive them.
  ///   - byteLimit: the maximum number of bytes of UTF-8.
  ///   - height: the minimum height in pixels at the usual size of texts.
  public init(name: String, placeholder: String = "", limit: Int = 2000, byteLimit: Int = .max, height: Int = 92) {
    (self.name, self.limit, self.byteLimit) = (name, limit, byteLimit)
    self.placeholder = paragraph(placeholder, "journal", "placeholder")
    let scrolled = scrolled(view, maxHeight: 320)
    let overlay = overlay(scrolled.css("text-area", "grows-high-\(height)"), self.placeholder)
    widget = column(overlay, counter)
    gtk_overlay_set_measure_overlay(overlay.cast(), self.placeholder, 1)
    self.placeholder.targetable(false)
    self.placeholder.valign(.start).margin(top: 12, bottom: 12, start: 15, end: 15)
    counter.halign(.end).margin(top: 4).visible(false)

    gtk_text_view_set_wrap_mode(view.cast(), GTK_WRAP_WORD_CHAR)
    // Tab moves to the next field.
    gtk_text_view_set_accepts_tab(view.cast(), 0)
    view.css("journal").accessibleName(name)
    buffer.onChange(of: "cursor-position") { [weak self] in self?.caretMoved() }
    changes = buffer.on("changed") { [weak self] in self?.changed() }
    followComposition(in: view)
    gtk_scrolled_window_get_vadjustment(scrolled.cast())?.on("changed") { [weak self] in self?.settle() }
    view.onShortcut("<Control>Return") { [weak self] in self?.onSubmit?() }
    widget.keeps(self)
  }

  /// Sets a text that the user edits.
  public func begin(with text: String) {
    self.text = text
    // Read back, so that what the field changes doesn't count as an edit.
    initial = self.text
  }

  /// Writes at the cursor.
  public func type(_ text: String) { gtk_text_buffer_insert_at_cursor(buffer, text, -1) }

  /// Moves the cursor to the end of the text. Does nothing while the field is invisible, because it would take the
  /// keys, including Esc, from the window.
  public func focus() {
    guard gtk_widget_is_visible(view) != 0 else { return }
    var end = GtkTextIter()
    gtk_text_buffer_get_end_iter(buffer, &end)
    gtk_text_buffer_place_cursor(buffer, &end)
    view.focus()
  }

  /// Underlines misspelt words from now on, and offers similar ones in the context menu.
  public func checkSpelling(with checker: SpellChecker, texts: SpellMenuTexts) {
    let marks = SpellMarks(of: buffer, with: checker, texts: texts)
    marks.attach(to: view)
    spelling = marks
  }

  /// Sets the accessible description, for example the question that is answered here.
  public func describe(_ text: String) {
    view.accessibleDescription(text)
  }

  /// Counts what an input method composes in a view of the text as a part of it.
  func followComposition(in view: Widget) {
    guard let composition = Composition(of: view) else { return }
    composition.onChange.append { [weak self, weak composition] in
      self?.composition = composition
      self?.changed()
    }
  }

  /// Keeps the line that is written in sight: the field scrolls by itself, but not what is around it.
  private func caretMoved() {
    guard !isShowingCaret, view.hasFocus else { return }
    isShowingCaret = true
    let field = WeakReference(widget)
    Task { [weak self] in
      await Timeout.untilIdle()
      if field.widget != nil { self?.showCaret() }
    }
  }

  /// Scrolls back after the field has grown. GTK scrolls to the line that is written before the field has its new
  /// height, learns that height only with the next change, and would hide the first line until then.
  private func settle() {
    guard !isSettling, view.isMapped else { return }
    isSettling = true
    // The first frames lay out the text, the dialog and the field.
    var frames = 3
    let field = WeakReference(view)
    view.onFrame { [weak self] in
      guard let self, let view = field.widget, view.isMapped else {
        self?.isSettling = false
        return false
      }
      frames -= 1
      if let adjustment = gtk_scrollable_get_vadjustment(OpaquePointer(view)) {
        let height = Double(gtk_widget_get_height(view))
        gtk_adjustment_set_page_size(adjustment, height)
        let last = max(gtk_adjustment_get_upper(adjustment) - height, 0)
        gtk_adjustment_set_value(adjustment, min(gtk_adjustment_get_value(adjustment), last))
      }
      if frames == 0 { isSettling = false }
      return frames > 0
    }
    view.redraw()
  }

  private func showCaret() {
    isShowingCaret = false
    for parent in sequence(first: widget, next: \.parent).dropFirst() where parent.isA(gtk_scrolled_window_get_type()) {
      parent.scrollToCaret()
    }
  }

  private func changed() {
    showLength()
    onChange?()
  }

  private func showLength() {
    let count = text.count
    placeholder.visible(count == 0)
    let bytes = text.utf8.count
    let isTooLarge = bytes > byteLimit
    isTooLong = count > limit || isTooLarge
    counter.visible(count * 10 > limit * 9 || isTooLarge)
    counter.setText(
      numbers(isTooLarge ? "\(TextArea.size(bytes)) / \(TextArea.size(byteLimit))" : "\(count) / \(limit)"))
    counter.css("error", when: isTooLong)
    view.invalid(isTooLong)
  }

  /// A number of bytes as people read it: `64.0 kB`.
  private static func size(_ bytes: Int) -> String {
    guard let text = g_format_size(guint64(bytes)) else { return "\(bytes)" }
    defer { g_free(text) }
    return String(cString: text)
  }
}
