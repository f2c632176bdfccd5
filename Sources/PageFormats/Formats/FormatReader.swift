/// Reads the exports of one program.
protocol FormatReader {
  var format: PageFormat { get }
  /// Whether a file belongs to the export, although its reader doesn't need it.
  func isPart(_ file: ExportFiles.File) -> Bool
  /// Adds the pages of `collector.files` to the collector.
  func read(_ collector: PageCollector) throws(PageReadError)
}

extension FormatReader {
  func isPart(_ file: ExportFiles.File) -> Bool { false }
}
