import CairoKit
import TrunkKit

extension JournalBook {
  /// The content of a file with this book.
  /// - Parameters:
  ///   - paper: the size of the pages of a PDF file.
  ///   - progress: called with the finished share, 0…1; throws to cancel.
  public func contents(
    _ format: BookFormat, on paper: Paper = .a5, progress: (Double) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    try progress(0)
    return switch format {
    case .markdown: Array(markdown.utf8)
    case .html: Array(html.utf8)
    case .pdf: try BookPainter(BookPages(self, on: paper)).pdf(progress: progress)
    }
  }
}

extension BookPages {
  /// The two files that a print shop needs: one with the pages, one with the cover.
  public struct PrintShopFiles: Sendable {
    public let pages, cover: [UInt8]

    /// The name of the file with the cover, beside the one with the pages.
    public static func coverPath(beside path: String) -> String {
      (path.hasSuffix(".pdf") ? String(path.dropLast(4)) : path) + "-cover.pdf"
    }
  }

  /// - Parameters:
  ///   - thickness: of a leaf, in millimetres.
  ///   - progress: called with the finished share, 0…1; throws to cancel.
  public func printShopFiles(
    leafThickness thickness: Double = BookCover.leafThickness, progress: (Double) throws -> Void = { _ in }
  ) throws -> PrintShopFiles {
    let pages = try BookPainter(self).pdf(progress: progress)
    return PrintShopFiles(pages: pages, cover: try BookCover(self, leafThickness: thickness).pdf() ?? [])
  }
}
