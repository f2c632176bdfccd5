/// Finds the format of an export by its content.
struct FormatDetection {
  let files: ExportFiles
  let collector: PageCollector

  init(_ files: ExportFiles, _ collector: PageCollector) {
    (self.files, self.collector) = (files, collector)
  }

  func reader() throws(PageReadError) -> any FormatReader {
    for file in files.files.prefix(20) {
      let head = files.head(of: file)
      if DaylioReader.isHeader(head) { return DaylioReader(table: file) }
      let lines = PageText.lines(PageText.decode(head).text)
      if lines.contains(where: { JrnlText.head($0, nil) != nil }) {
        return JrnlReader(journals: [file], isFolder: false)
      }
    }
    throw .unknownFormat
  }
}
