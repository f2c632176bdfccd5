import CairoKit
import TrunkKit

extension JournalBook {
  /// The content of a file with this book.
  /// - Parameter paper: the size of the pages of a PDF file.
  public func contents(_ format: BookFormat, on paper: Paper = .a5) throws(Surface.Failure) -> [UInt8] {
    switch format {
    case .markdown: Array(markdown.utf8)
    case .html: Array(html.utf8)
    case .pdf: try BookPainter(BookPages(self, on: paper)).pdf()
    }
  }
}
