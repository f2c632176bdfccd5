import CGtk

/// The text that an input method composes in a field. It is on the screen at the cursor, but the field's own text
/// doesn't have it yet.
///
/// Users see it as a part of what they wrote. So it counts as such in `TextArea.text` and in the `text` of an entry,
/// and it becomes a part of the field's text before a command runs and when the focus leaves.
@MainActor final class Composition {
  /// The composed text; empty if nothing is being composed.
  private(set) var text = ""
  /// Called when the composed text changes.
  var onChange: [@MainActor () -> Void] = []

  /// A `GtkTextView` or a `GtkText`, which keeps this object.
  private let field: Widget
  private let content: any ComposedContent
  private var isCommitting = false
  /// The text that was taken from an input method before it has committed it. If it does so later, this is ignored.
  private var taken: String?

  /// Follows the input method of a field.
  /// - Returns: `nil` if the field has none.
  @discardableResult
  init?(of field: Widget) {
    self.field = field
    content =
      field.isA(gtk_text_view_get_type())
      ? BufferContent(buffer: gtk_text_view_get_buffer(field.cast())) : EntryContent(entry: field)
    guard let method = field.inputMethod else { return nil }
    field.onText("preedit-changed") { [weak self] in self?.changed(to: $0) }
    method.onText("commit") { [weak self] in self?.committed($0) }
    field.onFocus { [weak self] hasFocus in if !hasFocus { self?.commit() } }
    field.on("unmap") { [weak self] in self?.commit() }
    field.onKey(capture: true) { [weak self] _ in
      self?.forgetTaken()
      return false
    }
    g_object_set_data(field.cast(), Composition.key, Unmanaged.passUnretained(self).toOpaque())
    field.keeps(self)
  }

  private static let key = "trunk-composition"

  /// The composition in a text view or an entry; `nil` for other widgets.
  static func of(_ widget: Widget) -> Composition? {
    let delegate = widget.isA(gtk_editable_get_type()) ? gtk_editable_get_delegate(widget.cast()) : nil
    let field = delegate.map { $0.widget } ?? widget
    return g_object_get_data(field.cast(), key).map { Unmanaged<Composition>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The field's text with the composed text at its place.
  var fullText: String { text.isEmpty ? content.text : content.text(inserting: text) }

  /// Makes the composed text a part of the field's text, as if the input method had committed it.
  func commit() {
    guard !text.isEmpty, !isCommitting, let method = field.inputMethod else { return }
    let (composed, before) = (text, content.text)
    isCommitting = true
    text = ""
    gtk_im_context_reset(method)
    // Many input methods drop the text when they are reset, or commit it only later.
    if content.text == before {
      ignoreCommit(of: composed)
      content.insert(composed)
    }
    isCommitting = false
    tell()
  }

  /// Ends the composition without its text, because the field gets another one.
  func discard() {
    guard !text.isEmpty, let method = field.inputMethod else { return }
    isCommitting = true
    ignoreCommit(of: text)
    gtk_im_context_reset(method)
    text = ""
    isCommitting = false
  }

  private func changed(to text: String) {
    guard !isCommitting else { return }
    if !text.isEmpty { forgetTaken() }
    guard text != self.text else { return }
    self.text = text
    tell()
  }

  private func tell() { onChange.forEach { $0() } }
}

extension Composition {
  /// Keeps the field from inserting what the input method commits next.
  private func ignoreCommit(of composed: String) {
    guard taken == nil else { return }
    taken = composed
    withCommitHandler { g_signal_handlers_block_matched($0, $1, $2, 0, nil, nil, $3) }
  }

  private func forgetTaken() {
    guard taken != nil else { return }
    taken = nil
    withCommitHandler { g_signal_handlers_unblock_matched($0, $1, $2, 0, nil, nil, $3) }
  }

  /// The field ignored this text if `taken` is set. If it is another one, it belongs into the field after all.
  private func committed(_ text: String) {
    guard let taken else { return }
    forgetTaken()
    if text != taken { content.insert(text) }
  }

  /// Passes what identifies the field's own handler of the input method's signal.
  private func withCommitHandler(
    _ body: (UnsafeMutableRawPointer, GSignalMatchType, guint, UnsafeMutableRawPointer) -> guint
  ) {
    guard let method = field.inputMethod else { return }
    let match = GSignalMatchType(G_SIGNAL_MATCH_ID.rawValue | G_SIGNAL_MATCH_DATA.rawValue)
    _ = body(method.address, match, g_signal_lookup("commit", gtk_im_context_get_type()), field.address)
  }
}

extension Widget {
  /// Makes what is composed in the window of this widget a part of its field's text. Commands call it before they read
  /// a text.
  @MainActor func commitComposedText() {
    guard let focused = gtk_widget_get_root(self).flatMap({ gtk_root_get_focus($0) }) else { return }
    Composition.of(focused)?.commit()
  }

  /// The input method of a `GtkTextView` or a `GtkText`. It belongs to the controller that passes keys to it.
  @MainActor fileprivate var inputMethod: UnsafeMutablePointer<GtkIMContext>? {
    controllers(of: gtk_event_controller_key_get_type()).lazy
      .compactMap { gtk_event_controller_key_get_im_context($0.cast()) }.first
  }
}

/// The text of a field, into which composed text is inserted in place of the selection.
@MainActor private protocol ComposedContent {
  var text: String { get }
  func text(inserting composed: String) -> String
  func insert(_ composed: String)
}

private struct BufferContent: ComposedContent {
  let buffer: UnsafeMutablePointer<GtkTextBuffer>

  var text: String { buffer.text }

  func text(inserting composed: String) -> String {
    let selection = buffer.selection
    let scalars = text.unicodeScalars
    return String(scalars.prefix(selection.lowerBound)) + composed + String(scalars.dropFirst(selection.upperBound))
  }

  func insert(_ composed: String) {
    gtk_text_buffer_begin_user_action(buffer)
    gtk_text_buffer_delete_selection(buffer, 1, 1)
    gtk_text_buffer_insert_at_cursor(buffer, composed, -1)
    gtk_text_buffer_end_user_action(buffer)
  }
}

private struct EntryContent: ComposedContent {
  let entry: Widget

  var text: String { String(cString: gtk_editable_get_text(entry.cast())) }

  func text(inserting composed: String) -> String {
    var (start, end): (gint, gint) = (0, 0)
    // Without a selection, both are the cursor's position.
    gtk_editable_get_selection_bounds(entry.cast(), &start, &end)
    let scalars = text.unicodeScalars
    return String(scalars.prefix(Int(start))) + composed + String(scalars.dropFirst(Int(end)))
  }

  func insert(_ composed: String) {
    gtk_editable_delete_selection(entry.cast())
    var position = gtk_editable_get_position(entry.cast())
    gtk_editable_insert_text(entry.cast(), composed, -1, &position)
    gtk_editable_set_position(entry.cast(), position)
  }
}
