import GtkKit
import Localization
import TrunkAccount
import TrunkKit

/// The greeting of a garden's first day, which ends in a word to fill in: the user's name.
final class NameWord {
  let widget: Widget

  private let context: WindowContext
  private let before = paragraph("", "greeting"), after = paragraph("", "greeting")
  private let field = entry(name: tr("Your first name"), placeholder: NameWord.hint).css("word-field", "greeting")

  // Translators: in the greeting of the first day, “Good morning, your name”: to be filled in.
  private static let hint = tr("your name")

  /// Called when Enter is pressed, after which the field may leave.
  var onEnter: (() -> Void)?

  init(_ context: WindowContext) {
    self.context = context
    widget = wrapping(spacing: 6, lineSpacing: 0, before, field, after)
    widget.visible(false).keeps(self)
    fit()
    field.onTextChange { [weak self] in self?.fit() }
    field.on("activate") { [weak self] in
      self?.save()
      self?.onEnter?()
    }
    field.onFocus { [weak self] isIn in
      // When the user switches to another window, this window keeps the field as its focus.
      guard let self, !isIn, context.window.focusedWidget.map(field.contains) != true else { return }
      save()
    }
    field.onKey { [weak self] press in press.key == .escape && self?.clear() == true }
  }

  /// Whether to use small letters, for narrow windows.
  var isNarrow = false {
    didSet { for part in [before, field, after] { part.css("small", when: isNarrow) } }
  }

  /// Shows the greeting with the field in place of a name; `nil` hides it.
  func show(_ greeting: String?) {
    widget.visible(greeting != nil)
    guard let greeting else { return }
    let sides = sides(of: tr("{greeting}, {name}", ["greeting": greeting, "name": WordChoice.gap]))
    before.setText(sides.before)
    after.setText(sides.after)
  }

  /// The field is as wide as its text.
  private func fit() {
    field.fieldWidth(max(field.text.count, NameWord.hint.count))
  }

  private func save() {
    let name = String(field.text.trimmed)
    let profile = context.accountModel.profile
    guard !name.isEmpty, name != profile.name else { return }
    context.attempt { try await profile.set(name: name) }
  }

  private func clear() -> Bool {
    guard !field.text.isEmpty else { return false }
    field.text = ""
    return true
  }
}
