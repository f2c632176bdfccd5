import CairoKit
import Localization
import TrunkKit

/// The title page and its back.
struct FrontMatter {
  private(set) var titlePage = BookPages.Page()
  private(set) var back = BookPages.Page()

  private let geometry: PageGeometry
  private let typesetter: Typesetter

  private static let titleLines = 5

  init(_ book: JournalBook, _ geometry: PageGeometry, _ styles: BookStyles, _ typesetter: Typesetter) {
    (self.geometry, self.typesetter) = (geometry, typesetter)
    let height = geometry.paper.height
    var y = height * 0.24
    if let rings = book.rings {
      let radius = min(height * 0.1, geometry.paper.width * 0.2)
      titlePage.ornament = .rings(rings, middle: y - radius * 0.2, radius: radius)
      y += radius * 0.8
    } else {
      titlePage.ornament = .sprout(foot: y)
    }
    y += height * 0.06
    y += place(book.subtitle, styles.subtitle, at: y, on: &titlePage) + styles.text.leading * 0.4
    y += place(book.title, styles.title, at: y, on: &titlePage, maxLines: FrontMatter.titleLines)
    place(book.dates, styles.dates, at: y + styles.text.leading * 0.6, on: &titlePage)
    place(book.author, styles.author, at: height * 0.82, on: &titlePage, maxLines: 1)
    let count = trn("{n} entry", "{n} entries", book.count)
    place(tr("{entries}, kept with Trunk", ["entries": count]), styles.colophon, at: height * 0.86, on: &back)
  }

  /// - Returns: the height of the text; 0 for an empty one.
  @discardableResult
  private func place(
    _ text: String, _ style: TextStyle, at y: Double, on page: inout BookPages.Page, maxLines: Int = 2
  ) -> Double {
    guard !text.isEmpty else { return 0 }
    // Centred on the page, not between its uneven margins.
    let width = geometry.paper.width * 0.72
    let text = TypesetText(text, style, width: width, maxLines: maxLines)
    page.placements.append(.init(text: text, lines: nil, x: (geometry.paper.width - width) / 2, y: y))
    return Double(typesetter.lineCount(of: text)) * style.leading
  }
}
