import CairoKit

/// Texts and pictures below each other on one page.
struct PageColumn {
  var page = BookPages.Page()
  /// The left edge of its texts, and their width.
  let left, width: Double
  /// Where the next text begins.
  var y: Double
  var alignment = TextStyle.Alignment.start
  let typesetter: Typesetter

  /// Adds a text, unless it is empty.
  mutating func add(_ text: String, _ style: TextStyle, maxLines: Int? = 1) {
    guard !text.isEmpty else { return }
    add(TypesetText(text, style.aligned(alignment), width: width, maxLines: maxLines))
  }

  mutating func add(_ text: TypesetText) {
    page.add(text, x: left, y: y)
    y += typesetter.height(of: text)
  }

  /// Adds a picture in the middle of the column, at any height.
  mutating func add(_ picture: BookPicture, at y: Double, width: Double) {
    page.add(picture, x: left + self.width / 2, y: y, width: width)
  }
}
