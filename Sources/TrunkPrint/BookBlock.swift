import CairoKit
import Localization
import TreePicture
import TrunkKit

/// A picture in the book.
enum BookPicture: Sendable, Equatable {
  case tree(JournalBook.Tree)
  /// The soil gained in each year, and the position of the year that stands out.
  case ring([Double], marked: Int?)
  /// The leaflet of a harvest.
  case leaflet(TreeState.Leaflet, season: Double)
  /// A leaf in the colour of a season.
  case leaf(season: Double)
  case sun, drop, rule
}

/// A paragraph, heading or picture of the book.
struct BookBlock {
  enum Content {
    case text(TypesetText)
    case picture(BookPicture?, width: Double)
    /// The pages of entries, by their events.
    case pages([Int64], TextStyle)
  }

  var content: Content
  var breaks: PageBreaks.Block
  /// From the left edge of the text.
  var x = 0.0
  /// A text after the last line, from the left edge of the text.
  var tail: (text: TypesetText, x: Double)?
  /// The date in the margin beside its first line; `nil` for none.
  var entry: JournalBook.Entry?
  /// The title of its section, for the running head of pages that begin with it.
  var section = ""
  /// Its line in the contents; `nil` for none.
  var heading: (title: String, level: Int)?
}

/// Makes the blocks of a book's texts.
struct BookBlocks {
  private(set) var blocks: [BookBlock] = []

  private let geometry: PageGeometry
  private let styles: BookStyles
  private let typesetter: Typesetter
  private var section = ""
  /// The colours of leaflets; see `Palette`.
  private let season: Double
  /// Whether the last entry is a planting or an uprooting.
  private var lastIsMilestone = false

  /// The maximum number of lines of a title: a title from another device may have any length.
  private static let titleLines = 3
  /// Reflections with fewer lines aren't divided.
  private static let wholeLines = 8

  init(_ geometry: PageGeometry, _ styles: BookStyles, _ typesetter: Typesetter, season: Double) {
    (self.geometry, self.styles, self.typesetter, self.season) = (geometry, styles, typesetter, season)
  }

  /// Adds the title of a part.
  mutating func addPart(_ title: String) {
    section = title
    addCentred(title, styles.part) {
      $0.heading = (title, 1)
      ($0.breaks.startsPage, $0.breaks.keepsWithNext) = (true, true)
    }
  }

  mutating func add(_ section: JournalBook.Section) {
    self.section = section.title
    add(section.title, styles.section, space: blocks.last?.heading?.level == 1 ? 1.5 : 2.5, BookBlocks.titleLines) {
      $0.heading = (section.title, 2)
      $0.breaks.keepsWithNext = true
    }
    section.entries.forEach { add($0) }
    if !section.silence.isEmpty { add(section.silence, styles.milestone, space: 1) }
  }

  mutating func add(_ entry: JournalBook.Entry) {
    let first = blocks.count
    let isBelowHeading = blocks.last?.heading != nil
    // Plantings and uprootings in a row form a list.
    let continuesList = !entry.isWritten && lastIsMilestone
    lastIsMilestone = !entry.isWritten
    if let chapter = entry.chapter {
      add(chapter, entry)
    } else if !entry.isWritten || entry.kind == .harvest && entry.text.isEmpty {
      add(entry.about, styles.milestone)
    } else if entry.isSilent {
      addPicture(.drop, width: geometry.measure, height: geometry.leading)
    } else if entry.kind == .reflection {
      addSun(entry)
    } else {
      addWatering(entry)
    }
    guard first < blocks.count else { return }
    let space = isBelowHeading ? 0.9 : continuesList ? 0.2 : entry.chapter != nil ? 2 : 1
    blocks[first].breaks.space = space * geometry.leading
    blocks[first].entry = entry
  }

  private mutating func addWatering(_ entry: JournalBook.Entry) {
    if let question = entry.question {
      add(question, styles.question) { $0.breaks.keepsWithNext = true }
      balanceLast()
    }
    for (number, paragraph) in entry.paragraphs.enumerated() {
      add(
        paragraph.plain, styles.text, space: number == 0 ? 0 : 0.4, language: entry.language, spans: paragraph.spans)
    }
    addName(entry.about)
  }

  /// A question whose last line would have one word gets lines of about the same length.
  private mutating func balanceLast() {
    guard case .text(let text)? = blocks.last?.content else { return }
    let lines = typesetter.lines(of: text)
    guard let line = lines.last, lines.count > 1, !line.isRightToLeft,
      line.text.split(whereSeparator: \.isWhitespace).count < 2
    else { return }
    blocks[blocks.count - 1].content = .text(typesetter.balanced(text))
  }

  /// Adds a name after the last line if it fits there whole, otherwise below it.
  private mutating func addName(_ name: String) {
    guard !name.isEmpty, case .text(let text)? = blocks.last?.content else { return }
    let label = TypesetText(name, styles.name, width: geometry.measure)
    let names = typesetter.lines(of: label)
    if let line = typesetter.lines(of: text).last, !line.isRightToLeft, text.style.alignment == .start,
      names.count == 1, let width = names.first?.width,
      line.x + line.width + geometry.size + width <= geometry.measure
    {
      blocks[blocks.count - 1].tail = (label, line.x + line.width + geometry.size)
      return
    }
    // The subject of an entry is never alone at the top of a page.
    blocks[blocks.count - 1].breaks.keepsWithNext = true
    add(name, styles.name.aligned(text.style.alignment), 2)
  }

  /// A reflection, set apart.
  private mutating func addSun(_ entry: JournalBook.Entry) {
    let inset = 10 * geometry.unit
    addPicture(.sun, width: 5 * geometry.unit, height: 6.5 * geometry.unit)
    if let question = entry.question {
      addCentred(question, styles.question, inset: inset) { $0.breaks.keepsWithNext = true }
    }
    let first = blocks.count
    addParagraphs(entry, styles.sun, space: 0, 0.4, inset: inset)
    for index in first..<blocks.count {
      blocks[index].breaks.staysWhole = blocks[index].breaks.lines < BookBlocks.wholeLines
      if index < blocks.count - 1, blocks[index].breaks.staysWhole { blocks[index].breaks.keepsWithNext = true }
    }
    addName(entry.about)
  }

  /// A harvest, at least 60 % of a page.
  private mutating func add(_ chapter: JournalBook.Chapter, _ entry: JournalBook.Entry) {
    let first = blocks.count
    addPicture(.leaflet(chapter.leaflet, season: season), width: 26 * geometry.unit, height: 17 * geometry.unit)
    addCentred(chapter.title, styles.section, BookBlocks.titleLines)
    addCentred(chapter.span, styles.small, space: 0.2)
    for line in chapter.lines {
      add(line.label, styles.question, space: 1) { $0.breaks.keepsWithNext = true }
      add(line.text, styles.text, language: entry.language)
    }
    addParagraphs(entry, styles.reflection, space: 1.6, 0.5, inset: 6 * geometry.unit)
    // The result and the pages never stand alone at the top of a page.
    blocks[blocks.count - 1].breaks.keepsWithNext = true
    addCentred(chapter.result, styles.small, space: 0.5) { $0.breaks.keepsWithNext = true }
    if !chapter.seqs.isEmpty {
      // As many lines as the pages may need.
      let lines = min(1 + chapter.seqs.count / 16, 3)
      append(.pages(chapter.seqs, styles.small.aligned(.centre)), lines, styles.small.leading, space: 0.6)
    }
    blocks[first].heading = (chapter.title, 3)
    let height = blocks[first...].reduce(0) { $0 + $1.breaks.space + Double($1.breaks.lines) * $1.breaks.leading }
    let least = geometry.textHeight * 0.6
    blocks[first].breaks.room = max(least, min(height, geometry.textHeight)) - 0.01
    // A longer chapter than a page is divided like other texts.
    if height <= geometry.textHeight {
      for index in first..<blocks.count {
        (blocks[index].breaks.keepsWithNext, blocks[index].breaks.staysWhole) = (true, true)
      }
    }
    if height < least { addPicture(nil, width: 0, height: least - height) }
    blocks[blocks.count - 1].breaks.keepsWithNext = false
  }
}

// MARK: - Lists

extension BookBlocks {
  /// Adds the table of contents.
  mutating func add(_ headings: [BookPages.Heading], leading: Double) {
    add(tr("Contents"), styles.section)
    for heading in headings {
      let isChapter = heading.level == 3
      var style = isChapter ? styles.contents.italic : styles.contents
      (style.size, style.leading) = (min(style.size, leading / 1.12), leading)
      let indent = isChapter ? 6 * geometry.unit : 0
      let number = TypesetText("\(heading.page)", style.aligned(.right), width: geometry.measure)
      let width = geometry.measure - indent - 10 * geometry.unit
      add(heading.title, style, space: blocks.count == 1 ? 1 : 0, 1, x: indent, width: width) { $0.tail = (number, 0) }
    }
  }

  /// Adds the ring of the last year, and the names and words.
  mutating func addRing(_ whole: JournalBook.Whole, _ book: JournalBook) {
    let size = 52 * geometry.unit
    addPicture(.ring(whole.gains, marked: whole.ring), width: size, height: size + 6 * geometry.unit)
    addCentred(book.title, styles.section)
    // Translators: the rings of a tree are counted, one for each year.
    if let ring = whole.ring { addCentred(tr("ring {n}", ["n": "\(ring + 1)"]), styles.small) }
    for list in book.wordLists {
      addCentred(list.label, styles.question, space: 2)
      addCentred(list.text, styles.words, space: 0.2, 4)
    }
    blocks[0].heading = (book.ringTitle, 2)
  }

  /// Adds the index of the sprouts.
  /// - Parameter pages: names the pages of the entries of these events.
  mutating func add(_ index: [JournalBook.IndexLine], pages: ([Int64]) -> String) {
    let title = tr("Sprouts")
    add(title, styles.section) {
      $0.heading = (title, 2)
      $0.breaks.keepsWithNext = true
    }
    for line in index {
      add(line.title, styles.text, space: 0.5, 2) { ($0.breaks.keepsWithNext, $0.breaks.staysWhole) = (true, true) }
      add(dotted([line.place, pages(line.seqs)]), styles.name, 4) { $0.breaks.staysWhole = true }
    }
  }
}

// MARK: - Parts

extension BookBlocks {
  private mutating func append(_ content: BookBlock.Content, _ lines: Int, _ leading: Double, space: Double = 0) {
    let breaks = PageBreaks.Block(lines: lines, leading: leading, space: space * geometry.leading)
    blocks.append(BookBlock(content: content, breaks: breaks, section: section))
  }

  private mutating func addPicture(_ picture: BookPicture?, width: Double, height: Double) {
    append(.picture(picture, width: width), 1, height)
    blocks[blocks.count - 1].breaks.keepsWithNext = picture != .drop
  }

  private mutating func addParagraphs(
    _ entry: JournalBook.Entry, _ style: TextStyle, space: Double, _ between: Double, inset: Double
  ) {
    for (number, paragraph) in entry.paragraphs.enumerated() {
      addCentred(
        paragraph.plain, style, space: number == 0 ? space : between, inset: inset, spans: paragraph.spans)
    }
  }

  /// - Parameter inset: how much narrower it is on both sides.
  private mutating func addCentred(
    _ text: String, _ style: TextStyle, space: Double = 0, _ maxLines: Int? = nil, inset: Double = 0,
    spans: [TextSpan] = [], _ change: (inout BookBlock) -> Void = { _ in }
  ) {
    add(
      text, style.aligned(.centre), space: space, maxLines, x: inset, width: geometry.measure - 2 * inset,
      spans: spans, change)
    guard case .text(let text)? = blocks.last?.content else { return }
    let balanced = typesetter.balanced(text)
    blocks[blocks.count - 1].content = .text(balanced)
    blocks[blocks.count - 1].x += (text.width - balanced.width) / 2
  }

  /// - Parameters:
  ///   - space: above the block, in lines of text.
  ///   - width: that of the page's text by default.
  private mutating func add(
    _ text: String, _ style: TextStyle, space: Double = 0, _ maxLines: Int? = nil, language: String? = nil,
    x: Double = 0, width: Double? = nil, spans: [TextSpan] = [], _ change: (inout BookBlock) -> Void = { _ in }
  ) {
    let text = TypesetText(
      text, style, width: width ?? geometry.measure, maxLines: maxLines, language: language, spans: spans)
    append(.text(text), typesetter.lineCount(of: text), style.leading, space: space)
    blocks[blocks.count - 1].x = x
    change(&blocks[blocks.count - 1])
  }
}
