import CairoKit
import TrunkKit

/// What a book is made for.
public enum BookEdition: Sendable {
  /// With its cover as the first page.
  case screen
  /// The same with a small tree at the corner of each right-hand page, which grows while the pages are flipped.
  case printer
  /// For a print shop: a multiple of four pages, without the cover, which is a separate file.
  case printShop
}

/// The pages of a journal as a book.
///
/// It is a value that can be made on any thread; `BookPainter` draws it.
public struct BookPages: Sendable {
  /// A text at a position on a page.
  struct Placement: Sendable, Equatable {
    var text: TypesetText
    /// The lines of the text on this page; `nil` for all.
    let lines: Range<Int>?
    let x: Double
    let y: Double
    /// The events whose pages the text names, once all pages are made.
    var references: [Int64]?
  }

  /// A picture on a page.
  struct Illustration: Sendable, Equatable {
    let picture: BookPicture
    /// Its middle and its width.
    let x, y, width: Double
  }

  /// A line of the table of contents.
  struct Heading: Sendable, Equatable {
    let title: String
    /// 1 for a year, 2 for a month or sprout, 3 for a harvest.
    let level: Int
    let page: Int
  }

  /// One page.
  struct Page: Sendable {
    var placements: [Placement] = []
    var illustrations: [Illustration] = []
    /// The lines of blocks on this page.
    var runs: [PageBreaks.Run] = []
    /// Whether it has the colour of the cover.
    var isCover = false
  }

  public let paper: Paper
  public let book: JournalBook
  let edition: BookEdition
  let geometry: PageGeometry
  let pages: [Page]
  let headings: [Heading]
  /// The page of each entry, by its event.
  let entryPages: [Int64: Int]

  /// The number of pages.
  public var count: Int { pages.count }

  /// The month or the part of the book that a page belongs to; `nil` before the first one.
  /// - Parameter index: from 0.
  public func title(ofPage index: Int) -> String? {
    headings.last { $0.level < 3 && $0.page <= index + 1 }?.title
  }

  /// In a cancelled task the pages end early, because they won't be shown.
  public init(_ book: JournalBook, on paper: Paper, for edition: BookEdition = .screen) {
    let maker = PageMaker(book, on: paper, for: edition)
    (self.book, self.paper, self.edition, geometry) = (book, paper, edition, maker.geometry)
    (pages, headings, entryPages) = (maker.pages, maker.headings, maker.entryPages)
  }
}
