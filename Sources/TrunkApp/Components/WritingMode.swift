import GtkKit
import Localization

/// Shows one question and its text alone on the whole screen. F11 enters and leaves it, Esc leaves it.
///
/// It edits the dialog's own text field, so the draft is saved as before, and leaving loses nothing.
final class WritingMode {
  /// A text and the question that it answers.
  typealias Subject = (area: TextArea, question: String)

  private let dialog: DialogWindow

  /// - Parameter current: returns what F11 shows; `nil` if nothing can be written.
  init(_ dialog: DialogWindow, current: @escaping @MainActor () -> Subject?) {
    self.dialog = dialog
    dialog.widget.onShortcut("F11") { [weak self] in
      guard let self else { return }
      if self.dialog.isFullScreen { self.dialog.leaveFullScreen() } else if let subject = current() { enter(subject) }
    }
  }

  /// A button that shows a text alone.
  /// - Parameter name: the accessible name.
  static func button(name: String, onPress: @escaping @MainActor () -> Void) -> Widget {
    iconButton("view-fullscreen-symbolic", name: name, action: onPress).css("faint")
  }

  func enter(_ subject: Subject) {
    let dialog = dialog
    let leave = iconButton("view-restore-symbolic", name: tr("Leave full screen")) { dialog.leaveFullScreen() }
    let page = subject.area.page(heading: paragraph(subject.question, "question"), corner: leave.css("faint")) {
      dialog.leaveFullScreen()
      subject.area.onSubmit?()
    }
    dialog.fillScreen(with: page.widget) { subject.area.focusAtCursor() }
    page.focus()
  }
}
