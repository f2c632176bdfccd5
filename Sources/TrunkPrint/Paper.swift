import Localization

/// The size of a page, in points.
public struct Paper: Sendable, Equatable {
  public let width: Double
  public let height: Double

  public init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  private init(millimetres width: Double, _ height: Double) {
    self.init(width: width * Paper.millimetre, height: height * Paper.millimetre)
  }

  /// In points.
  static let millimetre = 72 / 25.4

  /// The size of a small book.
  public static let a5 = Paper(millimetres: 148, 210)
  public static let a4 = Paper(millimetres: 210, 297)
  public static let letter = Paper(millimetres: 215.9, 279.4)
  /// Half of a Letter sheet.
  public static let halfLetter = Paper(millimetres: 139.7, 215.9)
}

/// The sizes of books that can be chosen, by their names on the command line.
public enum PaperSize: String, CaseIterable, Sendable {
  case a5, a4, letter, halfLetter = "half-letter"

  public var paper: Paper { facts.paper }
  public var title: String { facts.title }
  /// The name in PWG 5101.1, for printers.
  public var printerName: String { facts.printer }
  /// The printer's name of the sheet that folds into two leaves of this size.
  public var sheetName: String { facts.sheet }

  private var facts: (paper: Paper, title: String, printer: String, sheet: String) {
    switch self {
    case .a5: (.a5, "A5", "iso_a5", "iso_a4")
    case .a4: (.a4, "A4", "iso_a4", "iso_a3")
    case .letter: (.letter, "Letter", "na_letter", "na_ledger")
    case .halfLetter: (.halfLetter, tr("Half Letter"), "na_invoice", "na_letter")
    }
  }
}

/// Where text is on a page. The outer margin is wide, because it holds dates and page numbers.
struct PageGeometry: Equatable {
  let paper: Paper
  /// The width of the text: 58 to 66 letters of most serif fonts.
  let measure: Double
  let textHeight: Double
  let top: Double
  let headTop: Double
  /// The width of the dates and notes in the outer margin, and their distance from the text.
  let markWidth: Double
  let gap: Double
  /// The size of the text, and the distance of its lines.
  let size, leading: Double
  /// Whether the outer margin has room for notes of other years.
  let hasNotes: Bool
  /// A millimetre on this page: less on one that is smaller than a book's.
  let unit: Double

  private let inner: Double
  private let outer: Double

  init(_ paper: Paper) {
    self.paper = paper
    hasNotes = paper.width >= 190 * Paper.millimetre
    unit = Paper.millimetre * min(paper.width / (130 * Paper.millimetre), 1)
    (size, leading) = hasNotes ? (11, 15.4) : (max(9.5 * unit / Paper.millimetre, 6), 13.2 * unit / Paper.millimetre)
    inner = (hasNotes ? 25 : 18) * unit
    outer = (hasNotes ? 62 : 32) * unit
    measure = paper.width - inner - outer
    top = (hasNotes ? 32 : 25) * unit
    headTop = top - (hasNotes ? 13 : 11) * unit
    textHeight = paper.height - top - (hasNotes ? 32 : 24) * unit
    gap = 4 * unit
    markWidth = (hasNotes ? 42 : 15) * unit
  }

  var bottom: Double { top + textHeight }

  /// The left edge of the text. Odd pages are on the right of a book, and have their inner margin on the left.
  func textLeft(page: Int) -> Double { isRight(page) ? inner : outer }

  /// The left edge of the marks in the outer margin.
  func markLeft(page: Int) -> Double {
    isRight(page) ? inner + measure + gap : outer - gap - markWidth
  }

  func isRight(_ page: Int) -> Bool { page % 2 == 1 }
}
