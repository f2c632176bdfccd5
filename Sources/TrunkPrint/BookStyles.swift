import CairoKit
import VectorGraphics

/// The text styles of the book: one serif font in a few sizes. The user's texts are pure black, so that printers keep
/// them in one ink.
struct BookStyles {
  let text, question, name, milestone, section, part, day, weekday, head, number, note, noteYear: TextStyle
  let title, subtitle, dates, author, colophon, dedication: TextStyle
  let month, year, sun, chapter, small, reflection, contents, contentsChapter, words: TextStyle

  private static let family =
    "Libertinus Serif, Linux Libertine O, EB Garamond, Source Serif 4, Source Serif Pro, Charter, Noto Serif, serif"
  private static let ink = Color(0x000000)
  private static let second = Color(0x453830)
  private static let faint = Color(0x736357)
  static let wood = Color(0x6B4423)

  init(_ geometry: PageGeometry) {
    let unit = geometry.size / 9.5
    func style(_ size: Double, _ color: Color, _ leading: Double) -> TextStyle {
      TextStyle(family: BookStyles.family, size: size * unit, leading: leading * unit, color: color)
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
    let body = TextStyle(
      family: BookStyles.family, size: geometry.size, leading: geometry.leading, color: BookStyles.ink)
    var second = body
    second.color = BookStyles.second
    (text, question) = (body, italic(second))
    name = style(7.6, BookStyles.faint, 13.2 * 0.9)
    milestone = italic(style(8.2, BookStyles.faint, 13.2))
    section = style(16, BookStyles.ink, 20)
    part = centred(style(26, BookStyles.ink, 34))
    day = style(14, BookStyles.ink, 13.2)
    weekday = style(7.6, BookStyles.faint, 13.2)
    (head, number) = (style(8, BookStyles.faint, 12), style(8, BookStyles.ink, 12))
    // Notes are small on large pages too.
    note = style(8 / unit, BookStyles.second, 10.5 / unit)
    noteYear = italic(note)
    title = centred(style(38, BookStyles.ink, 46))
    subtitle = centred(style(9, BookStyles.wood, 13), tracking: 0.06)
    dates = centred(style(9.5, BookStyles.second, 13.2))
    author = centred(style(12, BookStyles.second, 16))
    colophon = style(7.6, BookStyles.faint, 10.8)
    dedication = centred(italic(style(10.5, BookStyles.second, 14.4)))
    month = style(38, BookStyles.ink, 44)
    year = style(10, BookStyles.faint, 14)
    sun = centred(style(11, BookStyles.ink, 15.5))
    chapter = centred(style(16, BookStyles.ink, 20))
    small = centred(style(7.6, BookStyles.faint, 11))
    reflection = centred(style(13, BookStyles.ink, 18))
    contents = style(10, BookStyles.ink, 15)
    contentsChapter = italic(style(10, BookStyles.second, 15))
    words = centred(style(12, BookStyles.ink, 18))
  }
}

extension TextStyle {
  func aligned(_ alignment: Alignment) -> TextStyle {
    var style = self
    style.alignment = alignment
    return style
  }
}
