import GtkKit

/// Rows of a caption and a value, with a rule under each.
final class FactList {
  /// All rows, one named group.
  let widget: Widget

  private var values: [Widget] = []

  init(name: String, _ captions: String...) {
    widget = group(name).css("facts")
    for caption in captions {
      let value = paragraph("", "numeric").halign(.end).justify(.right).xalign(1)
      values.append(value)
      widget.append(line(spacing: 16, paragraph(caption).hexpand(), value))
    }
    widget.keeps(self)
  }

  /// Sets the value of a row, counted from 0.
  func show(_ value: String, at row: Int) {
    values[row].setText(value)
  }
}

/// A control under its caption.
func captioned(_ caption: String, _ children: Widget...) -> Widget {
  let box = column(spacing: 7, paragraph(caption, "caption-title").margin(start: 2))
  children.forEach { box.append($0) }
  return box
}
