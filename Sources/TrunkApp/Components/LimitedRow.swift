import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// A one-line text field in a boxed list, with a caption and a counter near its limit. It never cuts text that is too
/// long.
///
/// An `AdwEntryRow` looks the same, but in libadwaita 1.2 a screen reader isn't told that it has the focus.
final class LimitedRow {
  let widget: Widget

  var text: String {
    get { field.text }
    set { field.text = newValue }
  }

  /// Whether the user changed the initial text.
  var isChanged: Bool { text != initial }

  /// Called after every change.
  var onChange: (@MainActor () -> Void)?
  /// Called by Enter.
  var onSubmit: (() -> Void)?

  private let limit: Int
  private let byteLimit: Int
  private let field: Widget
  private let initial: String
  private let counter = label("", "hint", "numeric")
  private let problem = paragraph("", "error").visible(false)
  private let content = line(spacing: 10)

  convenience init(_ caption: String, text: String = "", placeholder: String? = nil, limit kind: LimitedText) {
    self.init(caption, text: text, placeholder: placeholder, limit: kind.limit, byteLimit: kind.byteLimit)
  }

  /// - Parameters:
  ///   - placeholder: an example in the empty field, in place of the visible caption.
  ///   - limit: the maximum number of characters, counted as the user sees them.
  ///   - byteLimit: the maximum number of bytes of UTF-8.
  init(_ caption: String, text: String = "", placeholder: String? = nil, limit: Int, byteLimit: Int = .max) {
    (self.limit, self.byteLimit) = (limit, byteLimit)
    field = entry(name: caption, placeholder: placeholder ?? "", text: text)
    // Read back from the field, so that text which the field changes (such as line breaks) doesn't count as an edit.
    initial = field.text
    field.activatesDefault()
    let title = paragraph(caption, "caption-title").visible(placeholder == nil)
    let texts = column(spacing: 1, title, field, problem).hexpand()
    content.append(texts, counter.valign(.center))
    widget = contentRow(content.css("field-content"), title: caption)
    widget.css("field").onClick { [weak self] _, _, _ in self?.field.focus() }
    showLength()
    field.onTextChange { [weak self] in
      self?.problem.visible(false)
      self?.showLength()
      self?.onChange?()
    }
    field.on("activate") { [weak self] in self?.onSubmit?() }
    widget.keeps(self)
  }

  /// Adds a button with a calendar that fills in a day, as `Day.description` writes it.
  /// - Parameters:
  ///   - name: the button's accessible name.
  ///   - today: the day that the calendar shows if the text is no day.
  func addCalendar(_ name: String, today: @escaping @MainActor () -> Day) {
    let arrows = [tr("Previous month"), tr("Next month"), tr("Previous year"), tr("Next year")]
    let button = calendarButton(name: name, arrows: arrows) { [weak self] in
      let day = self.flatMap { Period($0.text, today: today())?.first } ?? today()
      return (Int(day.year), Int(day.month), Int(day.day))
    } onPick: { [weak self] picked in
      let day = Day(year: Int32(clamping: picked.year), month: Int32(picked.month), day: Int32(picked.day))
      if let day { self?.text = day.description }
    }
    content.append(button.css("flat").valign(.center))
  }

  /// Focuses the field and selects a suggested text, so that typing replaces it.
  func focusToReplace() {
    field.focus()
    field.selectAll()
  }

  /// Focuses the field with the cursor at the end, so that typing continues the text.
  func focus() {
    field.focus()
    field.moveCursorToEnd()
  }

  /// Shows what is wrong with the text below it, until it changes.
  func show(problem message: String) {
    problem.setText(message)
    problem.visible(true)
    field.invalid(true).accessibleDescription(message).announce(message)
    widget.css("error", when: true)
  }

  private func showLength() {
    let count = text.count
    let bytes = text.utf8.count
    let isTooLarge = bytes > byteLimit
    counter.visible(count * 10 > limit * 8 || isTooLarge)
    counter.setText(
      numbers(
        isTooLarge
          ? "\(Formats.size(bytes)) / \(Formats.size(byteLimit))" : "\(localized(count)) / \(localized(limit))"))
    counter.css("error", when: count > limit || isTooLarge)
    field.invalid(count > limit || isTooLarge)
    widget.css("error", when: count > limit || isTooLarge)
  }
}

extension TextArea {
  /// - Parameters:
  ///   - name: the accessible name.
  ///   - kind: the text that is written here, whose limits apply.
  ///   - height: the minimum height in pixels at the usual size of texts.
  convenience init(name: String, placeholder: String, limit kind: LimitedText, height: Int = 92) {
    self.init(name: name, placeholder: placeholder, limit: kind.limit, byteLimit: kind.byteLimit, height: height)
  }
}
