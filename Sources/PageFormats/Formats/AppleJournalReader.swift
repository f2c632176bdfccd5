import TrunkModel

/// Reads the pages of Apple Journal: HTML whose tags may be nested wrongly.
struct AppleJournalReader: FormatReader {
  let format = PageFormat.appleJournal
  let entries: [ExportFiles.File]

  /// Whether a file is one of the pages.
  static func isEntry(_ file: ExportFiles.File) -> Bool {
    file.ending == "html" && file.fullPath.split(separator: "/").dropLast().last == "Entries"
  }

  /// Whether HTML is one of the pages, for a page or folder of them that was taken out of the export.
  static func isEntry(_ head: [UInt8]) -> Bool { head.firstIndex(of: "pageContainer") != nil }

  func read(_ collector: PageCollector) throws(PageReadError) {
    var (pages, evidence) = ([(page: AppleJournalPage, stem: String, date: WrittenDate?)](), DayMonthEvidence())
    try collector.forEach(entries, isPage: true) { file, bytes throws(PageReadError) in
      let page = AppleJournalPage(collector.text(bytes))
      // The header is in the user's language; the name has the same day.
      let named = WrittenDate(file.stem.prefix(10), in: .nothing)
      let header = PageText.line(page.header)
      let date = named ?? WrittenDate(header, in: .words)
      if let date { evidence.add(date, header) }
      pages.append((page, String(file.stem), date))
    }
    let order = evidence.order(collector.options.dayMonthOrder)
    if order == nil { collector.question = evidence.question }
    for (page, stem, date) in pages {
      for (kind, count) in page.assets where kind != .pictures { collector.leaveOut(kind, count) }
      try collector.add(
        PageDraft(
          label: stem, date: (date?.pageDate(order)?.day).map { PageDate(day: $0) }, title: page.title,
          text: page.prompt + "\n\n" + page.body, place: page.place, pictures: page.assets[.pictures] ?? 0, id: stem))
    }
  }
}

/// What a page of Apple Journal says, found by the classes of its tags.
struct AppleJournalPage {
  private(set) var header = ""
  private(set) var title = ""
  private(set) var prompt = ""
  private(set) var place = ""
  private(set) var assets: [LeftOut: Int] = [:]
  private var writer = HTMLWriter()
  private var part = Part.none
  private var hasBody = false
  /// The open `div`s since the last grid of assets began; 0 outside of it.
  private var gridDepth = 0
  private var isMap = false

  private enum Part { case none, header, title, prompt, place, body }

  var body: String { writer.text }

  init(_ html: String) {
    for token in HTMLTokens(html) { add(token) }
  }

  private mutating func add(_ token: HTMLToken) {
    switch token {
    case .open(let name, let attributes):
      if gridDepth > 0, name == "div" { gridDepth += 1 }
      if enter(attributes) { return }
    case .close("div"):
      gridDepth = max(0, gridDepth - 1)
      if part != .body { part = hasBody && gridDepth == 0 ? .body : .none }
    case .text(let text):
      switch part {
      case .header: header += text
      case .title: title += text
      case .prompt: prompt += text
      case .place: place += text
      case .none, .body: break
      }
    case .close: break
    }
    if part == .body { writer.add(token) }
  }

  /// - Returns: whether a part of the page begins here.
  private mutating func enter(_ attributes: [UInt8]) -> Bool {
    guard let classes = HTMLToken.attribute("class", in: attributes)?.split(separator: " ") else { return false }
    if classes.contains("gridItem") {
      countAsset(classes.first { $0.hasPrefix("assetType_") }?.dropFirst(10).lowercased() ?? "")
    }
    let part: Part? =
      if classes.contains("pageHeader") {
        .header
      } else if classes.contains("title") {
        .title
      } else if classes.contains("reflectionPrompt") {
        .prompt
      } else if classes.contains("bodyText") {
        .body
      } else if classes.contains("gridItemOverlayFooter"), isMap, place.isEmpty {
        .place
      } else if classes.contains("assetGrid") { Part.none } else { nil }
    guard let part else { return false }
    self.part = part
    if part == .body || part == .title || part == .header { gridDepth = 0 }
    if part == .body { hasBody = true }
    if classes.contains("assetGrid") { gridDepth = 1 }
    return true
  }

  private mutating func countAsset(_ type: String) {
    isMap = type.hasSuffix("map") || type == "visit" || type == "location"
    let kind: LeftOut? =
      switch type {
      case "photo", "livephoto", "drawing", "": .pictures
      case "video": .videos
      case "audio": .sounds
      case "stateofmind": .moods
      case "music", "media", "podcast", "book", "thirdpartymedia": .music
      case "contact": nil
      case _ where isMap: .coordinates
      default: .activities
      }
    if let kind { assets[kind, default: 0] += 1 }
  }
}
