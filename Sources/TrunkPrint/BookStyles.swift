import CairoKit
import VectorGraphics

/// The text styles of the book: one serif font in a few sizes. The user's texts are pure black, so that printers keep
/// them in one ink.
struct BookStyles {
  private let geometry: PageGeometry

  private static let family =
    "Libertinus Serif, Linux Libertine O, EB Garamond, Source Serif 4, Source Serif Pro, Charter, Noto Serif, serif"
  private static let ink = Color(0x000000)
  private static let second = Color(0x453830)
  private static let faint = Color(0x736357)

  init(_ geometry: PageGeometry) { self.geometry = geometry }

  // The user's words.
  var text: TextStyle { body() }
  var question: TextStyle { body(BookStyles.second).italic }
  var sun: TextStyle { style(11, 15.5) }
  var reflection: TextStyle { style(13, 18) }
  /// Notes are small on large pages too.
  var note: TextStyle { TextStyle(family: BookStyles.family, size: 8, leading: 10.5, color: BookStyles.second) }

  // Beside and below them.
  var name: TextStyle { style(7.6, 11.9, BookStyles.faint) }
  var small: TextStyle { style(7.6, 11, BookStyles.faint) }
  var milestone: TextStyle { style(8.2, 13.2, BookStyles.faint).italic }
  var day: TextStyle { style(14, 13.2) }
  var weekday: TextStyle { style(7.6, 13.2, BookStyles.faint) }
  var head: TextStyle { style(8, 12, BookStyles.faint) }
  var number: TextStyle { style(8, 12) }

  // Titles.
  var title: TextStyle { style(38, 46) }
  var author: TextStyle { style(12, 16, BookStyles.second) }
  var dedication: TextStyle { style(10.5, 14.4, BookStyles.second).italic }
  var part: TextStyle { style(26, 34) }
  var section: TextStyle { style(16, 20) }
  var year: TextStyle { style(10, 14, BookStyles.faint) }
  var contents: TextStyle { style(10, 15) }
  var words: TextStyle { style(12, 18) }

  /// - Parameters:
  ///   - size: in points, on A5.
  ///   - leading: the same.
  private func style(_ size: Double, _ leading: Double, _ color: Color = ink) -> TextStyle {
    let unit = geometry.size / 9.5
    return TextStyle(family: BookStyles.family, size: size * unit, leading: leading * unit, color: color)
  }

  private func body(_ color: Color = ink) -> TextStyle {
    TextStyle(family: BookStyles.family, size: geometry.size, leading: geometry.leading, color: color)
  }
}

extension TextStyle {
  func aligned(_ alignment: Alignment) -> TextStyle {
    var style = self
    style.alignment = alignment
    return style
  }

  var italic: TextStyle {
    var style = self
    style.isItalic = true
    return style
  }
}

extension Typesetter {
  func height(of text: TypesetText) -> Double { Double(lineCount(of: text)) * text.style.leading }
}
