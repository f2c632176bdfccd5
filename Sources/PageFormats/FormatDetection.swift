import TrunkModel

/// Finds the format of an export by its content.
struct FormatDetection {
  private let files: [ExportFiles.File]
  private let collector: PageCollector

  init(_ collector: PageCollector) {
    self.collector = collector
    files = collector.files.files
  }

  func reader() throws(PageReadError) -> any FormatReader {
    // Among notes, an archive or a database is only one of the files.
    if collector.files.isSingle, let other = otherExport() { throw .otherExport(other) }
    if files.contains(where: { $0.name == "backup.daylio" }) { throw .otherExport(.daylio) }
    if let reader = try json() { return reader }
    if let reader = try folders() { return reader }
    // A folder of notes may also have a table or a text that another format would read.
    let hasNotes = !collector.files.isSingle && files.contains { $0.ending == "md" }
    if hasNotes, let reader = try notes() { return reader }
    if let reader = texts() { return reader }
    if !hasNotes, let reader = try notes() { return reader }
    throw try problem()
  }

  private func head(_ file: ExportFiles.File) -> [UInt8] { collector.files.head(of: file) }

  /// A database or archive that isn't read, recognized by its first bytes.
  private func otherExport() -> PageReadError.OtherExport? {
    for file in files.prefix(10) {
      let head = head(file)
      if head.starts(with: "SQLite format 3\0".utf8) { return .diarium }
      if head.has("ustar", at: 257) { return .joplin }
    }
    return nil
  }

  // MARK: - Formats with one kind of file

  /// Formats of JSON files, which are at the top or at most four folders down.
  private func json() throws(PageReadError) -> (any FormatReader)? {
    let candidates = files.filter { file in
      (file.ending == "json" || collector.files.isSingle) && file.path.split(separator: "/").count <= 5
    }
    for file in candidates.sorted(by: { $0.path.split(separator: "/").count < $1.path.split(separator: "/").count })
      .prefix(50)
    {
      try collector.check()
      let first = head(file).first { $0 > 0x20 && $0 < 0x80 }
      guard first == 0x7B || first == 0x5B, let bytes = try collector.files.bytes(of: file),
        let kind = JSONKind(Array(PageText.decode(bytes).text.utf8))
      else { continue }
      // Files of the same form can be in several folders.
      let journals = candidates.filter { other in
        kind == .journey || other.fullPath == file.fullPath
          || JSONKind(Array(PageText.decode(collector.files.head(of: other, 1 << 20)).text.utf8)) == kind
      }
      return kind.reader(journals)
    }
    return nil
  }

  /// Formats that folders and names show.
  private func folders() throws(PageReadError) -> (any FormatReader)? {
    let pages = files.filter { $0.ending == "html" }
    let entries = pages.filter(AppleJournalReader.isEntry)
    if !entries.isEmpty { return AppleJournalReader(entries: entries) }
    if pages.prefix(5).contains(where: { AppleJournalReader.isEntry(collector.files.head(of: $0, 1 << 16)) }) {
      return AppleJournalReader(entries: pages)
    }
    if let reader = try logseq() { return reader }
    let months = files.filter { RedNotebookReader.month($0) != nil }
    if months.prefix(20).contains(where: { RedNotebookReader.isMonth(head($0)) }) {
      return RedNotebookReader(months: months)
    }
    let days = files.filter { JrnlReader.day($0.fullPath) != nil }
    if days.prefix(20).contains(where: { isJrnl(head($0), isStart: false) }) {
      return JrnlReader(journals: days, isFolder: true)
    }
    return nil
  }

  private func logseq() throws(PageReadError) -> LogseqReader? {
    let outlines = files.filter { ["md", "org", "markdown"].contains($0.ending) }
    if let file = files.first(where: { $0.fullPath.hasSuffix("logseq/config.edn") }) {
      let root = file.fullPath.dropLast("logseq/config.edn".count)
      let settings = try collector.files.bytes(of: file).map { PageText.decode($0).text } ?? ""
      let folder = root + LogseqReader.folder(settings) + "/"
      let journals = outlines.filter { $0.fullPath.hasPrefix(folder) }
      if !journals.isEmpty { return LogseqReader(journals: journals, settings: settings) }
    }
    // Without the settings: the folder `journals`, alone or beside `pages`.
    let days = outlines.filter { $0.fullPath.split(separator: "/").dropLast().last != "pages" }
    guard let folder = days.first?.folder,
      days.allSatisfy({ $0.folder == folder && WrittenDate($0.stem, in: .nothing) != nil }),
      days.prefix(400).contains(where: { LogseqReader.isOutline(PageText.decode(head($0)).text) })
    else { return nil }
    return LogseqReader(journals: days, settings: "")
  }

  /// Formats that are one text: a single file, or one at the top of a folder.
  private func texts() -> (any FormatReader)? {
    let candidates = files.filter { file in
      collector.files.isSingle
        || file.folder.isEmpty
          && !["md", "markdown", "html", "json", "jpg", "jpeg", "png", "heic", "mp4", "m4a"]
            .contains(file.ending)
    }
    let dayOne = candidates.prefix(50).filter { file in
      PageText.lines(PageText.decode(head(file)).text).contains(where: DayOneTextReader.isStart)
    }
    if !dayOne.isEmpty { return DayOneTextReader(journals: dayOne) }
    for file in candidates.prefix(50) {
      if DaylioReader.isHeader(head(file)) { return DaylioReader(table: file) }
    }
    // A note may quote a line of jrnl further down.
    let journals = candidates.prefix(50).filter { isJrnl(head($0), isStart: $0.ending == "md") }
    return journals.isEmpty ? nil : JrnlReader(journals: journals, isFolder: false)
  }

  /// - Parameter isStart: whether the first line that isn't empty must be that of an entry.
  private func isJrnl(_ head: [UInt8], isStart: Bool) -> Bool {
    let lines = PageText.lines(PageText.decode(head).text).filter { !$0.utf8.isBlank }
    return lines.prefix(isStart ? 1 : 200).contains { JrnlText.head($0, nil) != nil }
  }

  // MARK: - Notes

  /// A folder of notes, if at least one of them has a date.
  private func notes() throws(PageReadError) -> (any FormatReader)? {
    let notes = files.filter { ["md", "markdown", "txt"].contains($0.ending) }
    if let reader = try jrnlFolder(notes) { return reader }
    var (isDated, joplin, total) = (false, 0, 0)
    for file in notes {
      try collector.check()
      if total < 200 {
        total += 1
        let text = PageText.decode(head(file)).text
        if Self.isJoplin(text) { joplin += 1 }
        let note = MarkdownNote(text, isJoplin: false)
        if note.date != nil || !note.headed(in: file).days.isEmpty { isDated = true }
      }
      if DatedName(file) != nil { isDated = true }
      if isDated, total >= 200 || total == notes.count { break }
    }
    // Joplin writes these keys in every note.
    if joplin > 0, joplin * 5 >= total * 4 { return MarkdownReader(format: .joplin, notes: notes) }
    return isDated ? MarkdownReader(format: .markdown, notes: notes) : nil
  }

  /// jrnl's exports with a file for each entry. Its Markdown can't be read.
  private func jrnlFolder(_ notes: [ExportFiles.File]) throws(PageReadError) -> JrnlYAMLReader? {
    let texts = notes.prefix(200).map { (file: $0, text: PageText.decode(head($0)).text) }
    let isMost = { (count: Int) in count > 0 && count * 5 >= texts.count * 4 }
    if isMost(texts.count(where: { Self.isMarkdownOfJrnl($0.text, $0.file) })) { throw .otherExport(.jrnl) }
    guard isMost(texts.count(where: { JrnlYAMLReader.isEntry($0.text) })) else { return nil }
    return JrnlYAMLReader(entries: notes.filter { JrnlYAMLReader.isEntry(PageText.decode(head($0)).text) })
  }

  /// Whether a note is Markdown as jrnl writes it: headings of a year, a month and the entries, or one entry in a file
  /// that is named after it.
  private static func isMarkdownOfJrnl(_ text: String, _ file: ExportFiles.File) -> Bool {
    let lines = PageText.lines(text).filter { !$0.utf8.isBlank }
    let isEntry = { (line: String) in line.hasPrefix("### ") && JrnlText.head(String(line.dropFirst(4)), false) != nil }
    guard let entry = lines.firstIndex(where: isEntry) else { return false }
    let headings = lines[..<entry]
    if headings.isEmpty { return file.stem.utf8.dropFirst(10).first == UInt8(ascii: "_") }
    return headings.allSatisfy { $0.hasPrefix("# ") || $0.hasPrefix("## ") }
      && headings[0].utf8.count == 6 && HashTags.isNumber(String(headings[0].dropFirst(2)))
  }

  private static func isJoplin(_ text: String) -> Bool {
    guard let matter = MarkdownText.frontMatter(text) else { return false }
    let keys = Set(PageText.lines(matter.matter).map { line in line.prefix { $0 != ":" }.lowercased() })
    return keys.isSuperset(of: ["title", "created", "updated"])
  }

  // MARK: - Nothing was found

  private func problem() throws(PageReadError) -> PageReadError {
    if let other = otherExport() { return .otherExport(other) }
    for file in files.prefix(10) {
      let head = head(file)
      let start = String(decoding: head.prefix(6), as: UTF8.self)
      if start == "gAAAAA" || start == "JRNLv3" { return .encrypted }
      if ["html", "htm"].contains(file.ending) { return .otherExport(.web) }
      if head.first == 0x7B || head.first == 0x5B, collector.files.isSingle, file.ending == "json" {
        let text = try collector.files.bytes(of: file).map { PageText.decode($0).text } ?? ""
        // Only whether it can be read counts: where it breaks off says nothing to the user.
        return (try? JSON(text)) == nil ? .damaged(file: String(file.name)) : .unknownFormat
      }
      if file.ending == "md", let bytes = try collector.files.bytes(of: file), bytes.firstIndex(of: "\ntype_: ") != nil
      {
        return .otherExport(.joplin)
      }
    }
    guard collector.files.isSingle, let file = files.first else { return .unknownFormat }
    let head = head(file)
    let isText = !head.contains { $0 < 0x09 || $0 > 0x0D && $0 < 0x20 }
    return isText ? .unknownFormat : .encrypted
  }
}
