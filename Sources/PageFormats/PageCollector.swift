import TrunkModel

/// Cleans and compares the pages that a reader finds, and reports what is left out.
final class PageCollector {
  let files: ExportFiles
  let options: PageOptions
  var format = PageFormat.markdown
  private(set) var skipped: [SkippedPage] = []
  private var unlistedSkips = 0
  private var leftOut: [LeftOut: Int] = [:]
  /// What the entry that is being read leaves out. It doesn't count if the entry is the same as another one.
  private var pending: [LeftOut: Int] = [:]
  var notes: [PageNote] = []
  var question: DayMonthQuestion?
  private var pages: [(page: EarlierPage, sortText: String)] = []
  private var bareTagPages = 0
  private var (windows1252Files, damagedFiles) = (0, 0)
  /// The full paths of the files that the reader read.
  private var filesOfReader: Set<ExactID> = []
  private var ids: Set<ExactID> = []
  private var contents: Set<Content> = []
  private var zones: [ExactID: Zone?] = [:]
  private let isCancelled: () -> Bool
  private let progress: (PageProgress) -> Void
  private var filesRead = 0
  private(set) var totalFiles = 1
  private var entries = 0

  /// What makes two pages the same. Pages without a word are the same only if they have nothing else that differs.
  private struct Content: Hashable {
    var date: PageDate
    var title, text: ExactID
    var rest: [String]
  }

  init(
    _ files: ExportFiles, _ options: PageOptions, isCancelled: @escaping () -> Bool,
    progress: @escaping (PageProgress) -> Void
  ) {
    self.files = files
    self.options = options
    self.isCancelled = isCancelled
    self.progress = progress
  }

  // MARK: - Reading

  /// Reads these files one by one; those that can't be read are skipped.
  /// - Parameter isPage: whether each file is one page, so that a long one needs no reading.
  func forEach(
    _ files: [ExportFiles.File], isPage: Bool = false,
    _ body: (ExportFiles.File, [UInt8]) throws(PageReadError) -> Void
  ) throws(PageReadError) {
    totalFiles = max(1, files.count)
    for (index, file) in files.enumerated() {
      filesRead = index
      filesOfReader.insert(ExactID(file.fullPath))
      report()
      try check()
      // A page may have pictures in its text.
      let limit = isPage ? min(options.limits.pageBytes * 8, options.limits.fileBytes) : options.limits.fileBytes
      if file.size > limit, isPage || files.count > 1 {
        skip(file, .tooLong)
        continue
      }
      if let bytes = try self.files.bytes(of: file) { try body(file, bytes) } else { skip(file, .unreadable) }
      countPending()
    }
    filesRead = files.count
    report()
  }

  /// The text of a file. A note tells if it isn't UTF-8 or is damaged.
  func text(_ bytes: [UInt8]) -> String {
    let (text, encoding) = PageText.decode(bytes)
    switch encoding {
    case .unicode: break
    case .damagedUTF8: damagedFiles += 1
    case .windows1252: windows1252Files += 1
    }
    return text
  }

  /// Checks now and then whether the caller cancelled, and that there are not too many entries. The limit is that of
  /// pages twice, because entries may be in the export twice.
  func checkCount(_ entries: Int) throws(PageReadError) {
    if entries % 256 == 0 { try check() }
    if entries > options.limits.pages * 2 { throw .tooManyPages(limit: options.limits.pages) }
  }

  func check() throws(PageReadError) {
    if isCancelled() { throw .cancelled }
  }

  private func report() { progress(PageProgress(files: filesRead, totalFiles: totalFiles, entries: entries)) }

  /// The zone with a name of the tz database.
  func zone(_ name: String) -> Zone? {
    if let known = zones[ExactID(name)] { return known }
    // A hostile file can't fill the memory with names.
    let isPlausible = name.utf8.count < 100 && zones.count < 10_000
    let zone = isPlausible ? options.zone(name) ?? Self.fixedZone(name) : nil
    zones[ExactID(name)] = .some(zone)
    return zone
  }

  /// The zone of a name such as `GMT+0200`.
  private static func fixedZone(_ name: String) -> Zone? {
    guard case .offset(let minutes)? = WrittenDate("2000-01-01 00:00 " + name, in: .nothing)?.zoning else { return nil }
    return Zone(identifier: name, offset: Int32(minutes) * 60, changes: [])
  }

  // MARK: - What a reader finds

  func skip(_ file: ExportFiles.File, _ why: SkipReason) { skip(String(file.path), why) }

  func skip(_ what: String, _ why: SkipReason) {
    if skipped.count < options.limits.listedSkips {
      skipped.append(SkippedPage(what: String(what.prefix(200)), why: why))
    } else {
      unlistedSkips += 1
    }
  }

  func leaveOut(_ kind: LeftOut, _ count: Int = 1) {
    if count > 0 { pending[kind, default: 0] += count }
  }

  private func countPending() {
    leftOut.merge(pending, uniquingKeysWith: +)
    pending = [:]
  }

  private func skipDuplicate(_ label: String) {
    pending = [:]
    skip(label, .duplicate)
  }

  func add(_ draft: PageDraft) throws(PageReadError) {
    defer { countPending() }
    entries += 1
    if entries % 256 == 0 {
      try check()
      report()
    }
    if draft.isTooLong { return skip(draft.label, .tooLong) }
    guard let date = draft.date, (0...9999).contains(date.day.year) else { return skip(draft.label, .noDate) }
    var page = EarlierPage(date: date, pictures: max(0, draft.pictures), sourceID: draft.id ?? "")
    let size =
      [draft.title, draft.text, draft.place].reduce(0) { $0 + $1.utf8.count }
      + draft.tags.reduce(0) { $0 + $1.utf8.count }
    guard size <= options.limits.pageBytes else { return skip(draft.label, .tooLong) }
    page.title = PageText.line(draft.title)
    page.text = PageText.cleaned(draft.text)
    page.tags = Self.unique(draft.tags)
    page.place = PageText.line(draft.place)
    let hasWords = !page.title.isEmpty || !page.text.isEmpty
    guard hasWords || !page.tags.isEmpty || !page.place.isEmpty || page.pictures > 0 else {
      let hasMedia = [.videos, .sounds, .documents].contains { pending[$0] != nil }
      return skip(draft.label, hasMedia ? .onlyMedia : .empty)
    }
    let isBare = !hasWords && page.place.isEmpty && page.pictures == 0
    if isBare, options.skipsBareTags { return skip(draft.label, .bareTags) }
    if draft.id != nil, !ids.insert(ExactID(page.sourceID)).inserted { return skipDuplicate(draft.label) }
    let rest = hasWords ? [] : page.tags + [page.place, "\(page.pictures)"]
    let content = Content(date: date, title: ExactID(page.title), text: ExactID(page.text), rest: rest)
    guard contents.insert(content).inserted else { return skipDuplicate(draft.label) }
    guard pages.count < options.limits.pages else { throw .tooManyPages(limit: options.limits.pages) }
    if isBare { bareTagPages += 1 }
    leaveOut(.pictures, page.pictures)
    pages.append((page, date.description))
  }

  /// Without `#` and `@`, each once whatever its case.
  private static func unique(_ tags: [String]) -> [String] {
    var known: Set<String> = []
    // A hostile text can have a million.
    return tags.prefix(500).compactMap { tag in
      let name = PageText.line(PageText.line(tag).drop { $0 == "#" || $0 == "@" })
      return name.isEmpty || !known.insert(name.lowercased()).inserted ? nil : name
    }
  }

  // MARK: - The result

  /// Names the files that the reader left, if they may be another journal.
  func noteOthers(of reader: any FormatReader) {
    let others = files.files.filter { file in
      Self.journalEndings.contains(file.ending) && file.stem != "index" && !reader.isPart(file)
        && !filesOfReader.contains(ExactID(file.fullPath))
    }
    if let first = others.first { notes.append(.notRead(files: others.count, example: String(first.path))) }
  }

  private static let journalEndings: Set<String> = [
    "json", "csv", "md", "markdown", "txt", "org", "html", "zip", "jex", "enex", "dayone",
  ]

  func finish() throws(PageReadError) -> PageImport {
    try check()
    var result = PageImport(format: format)
    if let question {
      // Nothing else is known before the answer.
      result.question = question
      return result
    }
    // Numbers pages without an id by their time, in the order of the source.
    var numbers: [PageDate: Int] = [:]
    for index in pages.indices {
      if pages[index].page.sourceID.isEmpty {
        let date = pages[index].page.date
        let local = PageDate(day: date.day, second: date.second, hasSeconds: date.hasSeconds)
        numbers[local, default: 0] += 1
        pages[index].page.sourceID = "\(local)#\(numbers[local] ?? 1)"
      }
      pages[index].page.sourceID = format.rawValue + ":" + pages[index].page.sourceID
    }
    pages.sort {
      $0.sortText.hasSameBytes(as: $1.sortText)
        ? $0.page.sourceID.precedesInBytes($1.page.sourceID) : $0.sortText.precedesInBytes($1.sortText)
    }
    for other in files.others { skip(other, .notAFile) }
    result.skipped = skipped
    result.unlistedSkips = unlistedSkips
    result.leftOut = leftOut
    result.notes = notes
    if damagedFiles > 0 { result.notes.append(.damagedUTF8(files: damagedFiles)) }
    if windows1252Files > 0 { result.notes.append(.windows1252(files: windows1252Files)) }
    result.pages = pages.map(\.page)
    result.bareTagPages = bareTagPages
    return result
  }
}
