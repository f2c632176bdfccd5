/// Reads the exports of one program.
protocol FormatReader {
  var format: PageFormat { get }
  /// Adds the pages of `collector.files` to the collector.
  func read(_ collector: PageCollector) throws(PageReadError)
}
