import CairoKit
import VectorGraphics

/// The text styles of the book: one serif font in a few sizes, black for the user's texts and grey for the rest.
struct BookStyles {
  let text, question, about, placeholder, milestone, section, part, mark, head, number: TextStyle
  let title, subtitle, dates, author, colophon: TextStyle

  private static let family =
    "Libertinus Serif, Linux Libertine O, EB Garamond, Source Serif 4, Source Serif Pro, Charter, Noto Serif, serif"
  private static let ink = Color(0x17120F)
  private static let second = Color(0x453830)
  private static let faint = Color(0x736357)
  static let wood = Color(0x6B4423)

  /// - Parameter size: the size of the text.
  init(size: Double) {
    func style(_ scale: Double, _ color: Color, leading: Double = 1.42) -> TextStyle {
      TextStyle(family: BookStyles.family, size: size * scale, leading: size * scale * leading, color: color)
    }
    func italic(_ style: TextStyle) -> TextStyle {
      var style = style
      style.isItalic = true
      return style
    }
    func centred(_ style: TextStyle, tracking: Double = 0) -> TextStyle {
      var style = style
      (style.alignment, style.tracking) = (.centre, tracking)
      return style
    }
    text = style(1, BookStyles.ink)
    question = italic(style(1, BookStyles.second))
    placeholder = italic(style(1, BookStyles.faint))
    about = style(0.8, BookStyles.faint)
    milestone = italic(style(0.86, BookStyles.faint))
    section = style(1.5, BookStyles.ink, leading: 1.25)
    part = centred(style(2.6, BookStyles.ink, leading: 1.3))
    mark = style(0.8, BookStyles.faint)
    head = style(0.8, BookStyles.faint)
    number = style(0.8, BookStyles.second)
    title = centred(style(3, BookStyles.ink, leading: 1.2))
    subtitle = centred(style(0.9, BookStyles.wood), tracking: 0.08)
    dates = centred(style(1, BookStyles.second))
    author = centred(italic(style(1.2, BookStyles.second)))
    colophon = centred(italic(style(0.8, BookStyles.faint)))
  }
}
