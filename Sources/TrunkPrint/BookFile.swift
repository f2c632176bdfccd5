import TrunkKit

extension BookEdition {
  /// The files of a book of this edition: a print shop gets a second one with the cover.
  /// - Parameter path: of the first file.
  public func paths(_ path: String) -> [String] {
    guard self == .printShop else { return [path] }
    return [path, (path.hasSuffix(".pdf") ? String(path.dropLast(4)) : path) + "-cover.pdf"]
  }
}

extension JournalBook {
  /// The contents of the files of this book; see `BookEdition.paths`.
  /// - Parameters:
  ///   - paper: the size of the pages of a PDF file.
  ///   - progress: called often with the finished share, 0…1; throws to cancel.
  public func files(
    _ format: BookFormat, on paper: Paper = .a5, for edition: BookEdition = .screen,
    progress: (Double) throws -> Void = { _ in }
  ) throws -> [[UInt8]] {
    try progress(0)
    switch format {
    case .markdown: return [Array(markdown.utf8)]
    case .html: return [Array(html.utf8)]
    case .pdf:
      let pages = try BookPages(self, on: paper, for: edition) { try progress($0 * JournalBook.layoutShare) }
      return try pages.files { try progress(JournalBook.layoutShare + $0 * (1 - JournalBook.layoutShare)) }
    }
  }

  /// How much of the time for a PDF file it takes to lay out the pages.
  private static let layoutShare = 0.7
}

extension BookPages {
  /// The contents of the PDF files; see `BookEdition.paths`.
  /// - Parameters:
  ///   - thickness: of a leaf, in millimetres.
  ///   - progress: called before each page with the finished share, 0…1; throws to cancel.
  public func files(
    leafThickness thickness: Double = BookCover.leafThickness, progress: (Double) throws -> Void = { _ in }
  ) throws -> [[UInt8]] {
    let painter = BookPainter(self)
    let pages = try painter.pdf(progress: progress)
    guard edition == .printShop, let cover = BookCover(painter, leafThickness: thickness) else { return [pages] }
    return [pages, try cover.pdf()]
  }
}
