import CGtk

/// One possible answer to a question.
public struct Answer: Sendable {
  /// The role of the answer.
  public enum Kind: Sendable {
    /// One of several options.
    case plain
    /// The suggested answer, which Enter also gives.
    case suggested
    /// An answer that removes something.
    case destructive
  }

  let id: String
  let title: String
  let kind: Kind

  public init(_ id: String, _ title: String, _ kind: Kind = .plain) {
    (self.id, self.title, self.kind) = (id, title, kind)
  }
}

/// Asks a question over a window. Libadwaita 1.6 deprecates `AdwMessageDialog`.
/// - Parameters:
///   - isUnexpected: whether it appears by itself, perhaps while the user is typing. Then no answer has the focus, and
///     keys are ignored for a second.
/// - Returns: the id of the answer. Esc returns the id of the first answer; if the dialog is destroyed, it is empty.
@MainActor public func ask(
  over window: Widget, _ heading: String, _ body: String, extra: Widget? = nil, isUnexpected: Bool = false,
  _ answers: [Answer]
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
    // The dialog was destroyed without an answer.
    dialog.on("destroy") {
      waiting?.resume(returning: "")
      waiting = nil
    }
    if isUnexpected { dialog.ignoreKeysAtFirst() }
    gtk_window_present(dialog.cast())
    // Without a focus, Enter and the space bar press nothing.
    if isUnexpected { return gtk_window_set_focus(dialog.cast(), nil) }
    // Focus the suggested answer instead of the first row of a list above it.
    if let suggested = gtk_window_get_default_widget(dialog.cast()) { gtk_widget_grab_focus(suggested) }
  }
}
