/// The size of a page, in points.
public struct Paper: Sendable, Equatable {
  public let width: Double
  public let height: Double

  public init(width: Double, height: Double) {
    (self.width, self.height) = (width, height)
  }

  /// 148 × 210 mm, the size of a small book.
  public static let a5 = Paper(width: 419.53, height: 595.28)
  /// 210 × 297 mm.
  public static let a4 = Paper(width: 595.28, height: 841.89)
}

/// Where text is on a page. The outer margin is wide, because it holds dates and page numbers.
struct PageGeometry: Equatable {
  let paper: Paper
  /// The width of the text: 60 to 70 letters of most serif fonts.
  let measure: Double
  let textHeight: Double
  let top: Double
  let headTop: Double
  /// The width of the marks in the outer margin, and their distance from the text.
  let markWidth: Double
  let gap: Double
  /// The size of the text.
  let size: Double

  private let inner: Double
  private let outer: Double

  init(_ paper: Paper) {
    self.paper = paper
    // The text is smaller on small pages, within limits that keep it readable.
    size = min(max(paper.width / 44, 8), 11)
    inner = paper.width * 0.12
    outer = paper.width * 0.215
    measure = paper.width - inner - outer
    top = paper.height * 0.12
    headTop = paper.height * 0.065
    textHeight = paper.height * 0.765
    gap = size
    markWidth = outer - gap - paper.width * 0.05
  }

  /// The left edge of the text. Odd pages are on the right of a book, and have their inner margin on the left.
  func textLeft(page: Int) -> Double { isRight(page) ? inner : outer }

  /// The left edge of the marks in the outer margin.
  func markLeft(page: Int) -> Double {
    isRight(page) ? inner + measure + gap : outer - gap - markWidth
  }

  func isRight(_ page: Int) -> Bool { page % 2 == 1 }
}
