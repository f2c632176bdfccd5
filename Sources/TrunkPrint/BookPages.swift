import CairoKit
import TrunkKit

/// What a book is made for.
public enum BookEdition: Sendable {
  /// With its cover as the first page.
  case screen
  /// The same with a small tree at the corner of each right-hand page, which grows while the pages are flipped.
  case printer
  /// The printer's pages, two on each side of a sheet of twice their size, in sections of four sheets.
  case booklet
  /// For a print shop: a multiple of four pages, without the cover, which is a separate file.
  case printShop
}

/// The pages of a journal as a book.
///
/// It is a value that can be made on any thread; `BookPainter` draws it.
public struct BookPages: Sendable {
  /// A text at a position on a page.
  struct Placement: Sendable, Equatable {
    let text: TypesetText
    /// The lines of the text on this page; `nil` for all.
    let lines: Range<Int>?
    let x, y: Double
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
    private(set) var placements: [Placement] = []
    private(set) var illustrations: [Illustration] = []
    /// Whether it has the colour of the cover.
    var isCover = false

    mutating func add(_ text: TypesetText, lines: Range<Int>? = nil, x: Double, y: Double) {
      placements.append(Placement(text: text, lines: lines, x: x, y: y))
    }

    mutating func add(_ picture: BookPicture, x: Double, y: Double, width: Double) {
      illustrations.append(Illustration(picture: picture, x: x, y: y, width: width))
    }
  }

  public let paper: Paper
  public internal(set) var book: JournalBook
  let edition: BookEdition
  let geometry: PageGeometry
  var pages: [Page]
  let headings: [Heading]
  /// The page of each entry, by its event.
  let entryPages: [Int64: Int]

  /// The number of pages.
  public var count: Int { pages.count }

  public init(_ book: JournalBook, on paper: Paper, for edition: BookEdition = .screen) {
    self.init(book, on: paper, for: edition) { _ in }
  }

  /// - Parameter progress: called often with the finished share, 0…1; throws to cancel.
  public init(
    _ book: JournalBook, on paper: Paper, for edition: BookEdition, progress: (Double) throws -> Void
  ) rethrows {
    let maker = try PageMaker(book, on: paper, for: edition, progress: progress)
    (self.book, self.paper, self.edition, geometry) = (book, paper, edition, maker.geometry)
    (pages, headings, entryPages) = (maker.pages, maker.headings, maker.entryPages)
  }

  /// The month or the part of the book that a page belongs to; `nil` before the first one.
  /// - Parameter index: from 0.
  public func title(ofPage index: Int) -> String? {
    headings.last { $0.level < 3 && $0.page <= index + 1 }?.title
  }
}
