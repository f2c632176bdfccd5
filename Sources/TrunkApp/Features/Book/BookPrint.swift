import GtkKit
import TrunkKit
import TrunkPrint

/// Prints a book.
/// - Parameters:
///   - pages: the book on paper of this size; another one can be chosen in the desktop's dialog.
///   - window: the window below that dialog.
/// - Returns: `false` if the user cancelled.
func printBook(_ pages: BookPages, _ size: PaperSize, over window: Widget) async throws -> Bool {
  var painter = BookPainter(pages)
  return try await printPages(over: window, name: pages.book.title, paper: size.printerName) { width, height in
    // Printers round the size of their paper.
    if abs(width - painter.paper.width) > 1 || abs(height - painter.paper.height) > 1 {
      painter = BookPainter(BookPages(pages.book, on: Paper(width: width, height: height), for: .printer))
    }
    return painter.count
  } draw: {
    painter.draw(page: $0, on: $1)
  }
}

extension BookPages {
  /// Decades of entries take a second.
  @concurrent nonisolated static func toPrint(_ book: JournalBook, _ size: PaperSize) async -> BookPages {
    BookPages(book, on: size.paper, for: .printer)
  }
}
