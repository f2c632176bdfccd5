import GtkKit

/// A line with a caption at the start and a value at the end.
final class FactRow {
  let widget: Widget

  private let caption: Widget
  private let value = paragraph("", "numeric")

  init(_ caption: String) {
    self.caption = paragraph(caption, "second")
    // A long value may take space from the caption, but must not break its words.
    self.caption.wrapMode(.word)
    value.xalign(1).justify(.right).withoutHyphens()
    widget = line(spacing: 14, self.caption.valign(.start), value.hexpand().halign(.end))
    widget.keeps(self)
  }

  /// Shows a value; `nil` hides the line.
  func show(_ text: String?, caption: String? = nil) {
    widget.visible(text != nil)
    value.setText(text ?? "")
    if let caption { self.caption.setText(caption) }
  }
}
