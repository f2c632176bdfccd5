import GtkKit
import TrunkKit
import TrunkModel

/// A journal entry: its date and subject, the question, and the text.
final class Entry {
  let widget: Widget

  /// Longer texts are cut after this number of lines; `nil` shows everything.
  var mostLines: Int?

  private let caption = paragraph("", "hint")
  private let question = paragraph("", "question", "small")
  private let textLabel: Widget

  /// - Parameter isSelectable: whether text can be selected; not in a row that can be pressed.
  init(isSelectable: Bool = true) {
    textLabel = paragraph("", "journal", selectable: isSelectable)
    widget = column(spacing: 6, caption, question, textLabel)
    widget.keeps(self)
  }

  convenience init(_ entry: TimelineEntry, caption: String) {
    self.init()
    show(entry, caption: caption)
  }

  /// - Returns: all of it as one text for a screen reader.
  @discardableResult
  func show(_ entry: TimelineEntry, caption: String) -> String {
    let prompt = entry.question ?? ""
    let text = EntryTexts.text(of: entry)
    self.caption.setText(caption)
    question.visible(!prompt.isEmpty)
    question.setText(prompt)
    textLabel.showReading(mostLines.map { opening(text, lines: $0) } ?? text)
    if let mostLines { textLabel.lines(mostLines).ellipsize(mayBeCut(text) ? .end : .none) }
    textLabel.css("placeholder", when: entry.text.trimmed.isEmpty)
    return [caption, prompt, text].filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
