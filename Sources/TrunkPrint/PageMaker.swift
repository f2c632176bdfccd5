import CairoKit
import Localization
import TrunkKit

/// Makes the pages of a book.
struct PageMaker {
  let geometry: PageGeometry
  private(set) var pages: [BookPages.Page] = []
  private(set) var headings: [BookPages.Heading] = []
  private(set) var entryPages: [Int64: Int] = [:]

  private let book: JournalBook
  private let styles: BookStyles
  private let typesetter = Typesetter()
  /// Entries of earlier years that are already printed.
  private var noted: [JournalBook.Earlier] = []
  /// Whether the last page opens a month without entries, on the left.
  private var lastIsEmptyMonth = false
  /// The colours of the last month.
  private var season = 0.5

  /// Earlier entries at the end of a month.
  private static let earlierLimit = 6

  /// - Parameter progress: called before each section with the finished share, 0…1; throws to cancel.
  init(_ book: JournalBook, on paper: Paper, for edition: BookEdition, progress: (Double) throws -> Void) rethrows {
    (self.book, geometry) = (book, PageGeometry(paper))
    styles = BookStyles(geometry)
    let front = FrontMatter(book: book, geometry: geometry, styles: styles, typesetter: typesetter)
    pages = front.pages(for: edition)
    let contents = reserveContents()
    var (blocks, done) = (newBlocks, 0)
    for part in book.parts {
      if let title = part.title { blocks.addPart(title) }
      for section in part.sections {
        try progress(Double(done) / Double(max(book.entries.count, 1)))
        if let month = section.month { addMonth(month, section) } else { blocks.add(section) }
        done += section.entries.count
      }
    }
    addText(blocks.blocks)
    if let whole = book.whole {
      addBack(whole)
      fillContents(contents)
    }
    let multiple = edition == .printShop ? 4 : 2
    while pages.count % multiple != 0 { pages.append(BookPages.Page()) }
  }

  private var newBlocks: BookBlocks { BookBlocks(geometry, styles, typesetter, season: season) }

  /// The last page, from 1.
  private var number: Int { pages.count }

  private func column(onPage number: Int, at y: Double) -> PageColumn {
    PageColumn(left: geometry.textLeft(page: number), width: geometry.measure, y: y, typesetter: typesetter)
  }
}

// MARK: - Contents

extension PageMaker {
  /// Adds empty pages for the contents of a book of whole years, which are known at the end.
  /// - Returns: them, from 0.
  private mutating func reserveContents() -> Range<Int> {
    guard book.whole != nil else { return 0..<0 }
    let lines = 2 + book.entries.count { $0.chapter != nil } + book.parts.flatMap(\.sections).count
    let count = Int((Double(lines) * contentsLeading(lines) / contentsHeight).rounded(.up))
    pages += [BookPages.Page](repeating: BookPages.Page(), count: count)
    return pages.count - count..<pages.count
  }

  /// Without their title.
  private var contentsHeight: Double { geometry.textHeight - 15 * geometry.unit }

  /// Long contents get smaller distances before they get a second page.
  private func contentsLeading(_ lines: Int) -> Double {
    min(styles.contents.leading, max(contentsHeight / Double(lines + 1), styles.contents.size * 0.9))
  }

  private mutating func fillContents(_ reserved: Range<Int>) {
    var blocks = newBlocks
    blocks.add(headings, leading: contentsLeading(headings.count))
    let breaks = PageBreaks.pages(blocks.blocks.map(\.breaks), height: geometry.textHeight, leading: geometry.leading)
    for (index, runs) in zip(reserved, breaks) {
      for run in runs { place(blocks.blocks[run.block], run, on: index + 1) }
    }
  }

  private func pagesText(_ numbers: [Int]) -> String {
    trn("page {list}", "pages {list}", Set(numbers).count, ["list": PageMaker.ranges(numbers)])
  }

  /// `31, 33, 39–45`.
  static func ranges(_ pages: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for page in Set(pages).sorted() {
      if let last = ranges.last, last.upperBound + 1 == page {
        ranges[ranges.count - 1] = last.lowerBound...page
      } else {
        ranges.append(page...page)
      }
    }
    return ranges.map { range in
      let (first, last) = (range.lowerBound, range.upperBound)
      return first == last ? "\(first)" : last == first + 1 ? "\(first), \(last)" : "\(first)–\(last)"
    }.joined(separator: ", ")
  }
}

// MARK: - Months

extension PageMaker {
  private mutating func addMonth(_ month: JournalBook.Month, _ section: JournalBook.Section) {
    // It begins on a left page; two months without entries share a spread.
    let followsEmpty = lastIsEmptyMonth && section.entries.isEmpty
    if !followsEmpty { endOnRightPage() }
    lastIsEmptyMonth = section.entries.isEmpty && !followsEmpty
    season = month.tree.season
    addOpener(month, section.silence)
    // With the year if the book has several.
    let title = book.whole?.years.count == 1 ? month.name : month.name + " " + month.year
    headings.append(.init(title: title, level: 2, page: number))
    guard !section.entries.isEmpty else { return }
    var blocks = newBlocks
    section.entries.forEach { blocks.add($0) }
    addText(blocks.blocks, head: month.name, notes: geometry.hasNotes ? month.earlier : [])
    addEarlier(month)
  }

  /// Fills a right page with a leaf if the last page is a left one.
  private mutating func endOnRightPage() {
    guard number % 2 == 0 else { return }
    pages.append(BookPages.Page())
    addLeaf(at: geometry.paper.height * 0.48)
  }

  private mutating func addOpener(_ month: JournalBook.Month, _ silence: String) {
    var column = column(onPage: number + 1, at: geometry.top - 4 * geometry.unit)
    column.add(month.name, styles.title)
    column.add(month.year, styles.year)
    var texts = month.lines.map(runIn)
    if !silence.isEmpty { texts.append((nil, TypesetText(silence, styles.milestone, width: geometry.measure))) }
    let height = texts.reduce(0) { $0 + typesetter.height(of: $1.text) + 2 }
    let room = geometry.bottom - column.y - height - 4 * geometry.unit
    let size = min(115 * geometry.unit * (geometry.hasNotes ? 1.25 : 1), room, geometry.paper.width * 0.86)
    // In the middle of the paper, because it is wider than the text.
    let y = column.y + room / 2 + 2 * geometry.unit
    column.page.add(.tree(month.tree), x: geometry.paper.width / 2, y: y, width: max(size, 0))
    column.y = geometry.bottom - height
    for (label, text) in texts {
      if let label { column.page.add(label, x: column.left, y: column.y) }
      column.add(text)
      column.y += 2
    }
    pages.append(column.page)
    addNumber(at: geometry.bottom + 9 * geometry.unit)
  }

  /// A text whose first line leaves room for its label.
  private func runIn(_ line: JournalBook.RunIn) -> (label: TypesetText?, text: TypesetText) {
    let label = TypesetText(line.label, styles.question, width: geometry.measure, maxLines: 1)
    var style = styles.text
    style.indent = (typesetter.lines(of: label).first?.width ?? 0) + geometry.size * 0.6
    return (label, TypesetText(line.text, style, width: geometry.measure, maxLines: 2))
  }

  /// What is left of a month's last spread: entries of the same days in other years, and a leaf.
  private mutating func addEarlier(_ month: JournalBook.Month) {
    let needsPage = number % 2 == 0
    var start = geometry.top
    if needsPage {
      pages.append(BookPages.Page())
      addHead(month.name)
    } else {
      let ends = pages[number - 1].placements.map { $0.y + Double($0.lines?.count ?? 1) * $0.text.style.leading }
      start = (ends.max() ?? start) + 12 * geometry.unit
    }
    // Three lines for the title, two and a gap for each entry.
    let fitting = Int((geometry.bottom - start - 3 * geometry.leading) / (geometry.leading * 3.4))
    let earlier = month.earlier.filter { !noted.contains($0) }.suffix(min(max(fitting, 0), PageMaker.earlierLimit))
    let end = earlier.isEmpty ? start : addList(month.earlierTitle, Array(earlier), from: start)
    if needsPage { addLeaf(at: max(end + 40 * geometry.unit, geometry.paper.height * 0.5)) }
  }

  /// - Returns: where the list ends.
  private mutating func addList(_ title: String, _ earlier: [JournalBook.Earlier], from top: Double) -> Double {
    var column = column(onPage: number, at: top + 3 * geometry.unit)
    column.page = pages[number - 1]
    column.add(.rule, at: top, width: geometry.measure)
    var style = styles.question
    (style.size, style.leading) = (style.size * 1.2, style.leading * 1.2)
    column.add(title, style)
    column.y += 3 * geometry.unit
    let dates = 17 * geometry.unit
    for line in earlier {
      let text = TypesetText(line.text, styles.text, width: geometry.measure - dates, maxLines: 3)
      guard column.y + typesetter.height(of: text) <= geometry.bottom else { break }
      let date = TypesetText("\(line.day) · \(line.year)", styles.head, width: dates, maxLines: 1)
      column.page.add(date, x: column.left, y: column.y + baseline(styles.text, styles.head))
      column.page.add(text, x: column.left + dates, y: column.y)
      column.y += typesetter.height(of: text) + geometry.leading * 0.4
      noted.append(line)
    }
    pages[number - 1] = column.page
    return column.y
  }

  private mutating func addLeaf(at y: Double) {
    let middle = geometry.textLeft(page: number) + geometry.measure / 2
    let y = min(y, geometry.bottom - 18 * geometry.unit)
    pages[number - 1].add(.leaf(season: season), x: middle, y: y, width: 30 * geometry.unit)
  }

  /// The ring and the words on a left page, then the index.
  private mutating func addBack(_ whole: JournalBook.Whole) {
    endOnRightPage()
    var ring = newBlocks
    ring.addRing(whole, book)
    addText(ring.blocks, head: book.ringTitle)
    guard !whole.index.isEmpty else { return }
    var index = newBlocks
    index.add(whole.index) { pagesText($0.compactMap { entryPages[$0] }) }
    addText(index.blocks, head: tr("Sprouts"))
  }
}

// MARK: - Text

extension PageMaker {
  /// Adds blocks as pages of text.
  /// - Parameter head: in the running head; `nil` for the title of the book and of the section.
  private mutating func addText(_ blocks: [BookBlock], head: String? = nil, notes: [JournalBook.Earlier] = []) {
    var lastDay: JournalBook.RunIn?
    for runs in PageBreaks.pages(blocks.map(\.breaks), height: geometry.textHeight, leading: geometry.leading) {
      pages.append(BookPages.Page())
      var marks: [(day: Int32, y: Double)] = []
      for run in runs {
        let block = blocks[run.block]
        place(block, run, on: number)
        guard run.lines.lowerBound == 0 else { continue }
        if let (title, level) = block.heading { headings.append(.init(title: title, level: level, page: number)) }
        guard let entry = block.entry else { continue }
        entryPages[entry.seq] = number
        guard entry.mark != lastDay else { continue }
        lastDay = entry.mark
        marks.append((entry.day.day, geometry.top + run.y))
        addMark(entry.mark, at: geometry.top + run.y)
      }
      addNote(notes, marks)
      guard let first = runs.first.map({ blocks[$0.block] }) else { continue }
      if head == nil, let heading = first.heading, heading.level < 3 {
        addNumber(at: geometry.headTop)
      } else {
        addHead(head ?? (geometry.isRight(number) ? first.section : book.title))
      }
    }
  }

  private mutating func place(_ block: BookBlock, _ run: PageBreaks.Run, on number: Int) {
    let (left, y) = (geometry.textLeft(page: number), geometry.top + run.y)
    switch block.content {
    case .text(let text):
      pages[number - 1].add(text, lines: run.lines, x: left + block.x, y: y)
      guard let tail = block.tail, run.lines.upperBound == block.breaks.lines else { return }
      // It shares the baseline of the last line.
      let last = y + Double(run.lines.count - 1) * text.style.leading
      pages[number - 1].add(tail.text, x: left + tail.x, y: last + baseline(text.style, tail.text.style))
    case .picture(let picture?, let width):
      let x = picture == .drop ? left + 2 * geometry.unit : left + geometry.measure / 2
      pages[number - 1].add(picture, x: x, y: y + block.breaks.leading / 2, width: width)
    case .pages(let seqs, let style):
      // A harvest comes after its entries, so their pages are known.
      let numbers = seqs.compactMap { entryPages[$0] }
      guard !numbers.isEmpty else { return }
      let text = trn("{n} entry", "{n} entries", numbers.count) + ": " + pagesText(numbers)
      let line = TypesetText(text, style, width: geometry.measure, maxLines: block.breaks.lines)
      pages[number - 1].add(line, x: left, y: y)
    case .picture(nil, _): break
    }
  }

  /// How much lower a text of another style begins to share a baseline.
  private func baseline(_ style: TextStyle, _ other: TextStyle) -> Double {
    (style.leading - other.leading) * Typesetter.baseline
  }

  /// Adds a line to the last page.
  private mutating func add(_ text: String, _ style: TextStyle, x: Double, y: Double, width: Double) {
    pages[number - 1].add(TypesetText(text, style, width: width, maxLines: 1), x: x, y: y)
  }

  /// The day and the weekday beside a line. They end at the text of a left page.
  private mutating func addMark(_ mark: JournalBook.RunIn, at y: Double) {
    func width(_ text: String, _ style: TextStyle) -> Double {
      text.isEmpty ? 0 : typesetter.lines(of: TypesetText(text, style, width: geometry.markWidth)).first?.width ?? 0
    }
    let day = mark.label.isEmpty ? 0 : width(mark.label, styles.day) + geometry.size * 0.3
    var x = geometry.markLeft(page: number)
    if !geometry.isRight(number) { x += geometry.markWidth - day - width(mark.text, styles.weekday) }
    for (text, style, x) in [(mark.label, styles.day, x), (mark.text, styles.weekday, x + day)] where !text.isEmpty {
      add(text, style, x: x, y: y + baseline(styles.text, style), width: geometry.markWidth)
    }
  }

  /// An entry of an earlier year below its day, at most one a page.
  private mutating func addNote(_ notes: [JournalBook.Earlier], _ marks: [(day: Int32, y: Double)]) {
    let left = geometry.markLeft(page: number)
    for (mark, next) in zip(marks, marks.dropFirst().map(\.y) + [geometry.bottom]) {
      guard let note = notes.first(where: { $0.day == mark.day && !noted.contains($0) }) else { continue }
      let text = TypesetText(note.text, styles.note, width: geometry.markWidth)
      let top = mark.y + geometry.leading * 1.6
      guard top + styles.note.leading + typesetter.height(of: text) + 2 < next else { continue }
      add("\(note.year)", styles.note.italic, x: left, y: top, width: geometry.markWidth)
      pages[number - 1].add(text, x: left, y: top + styles.note.leading)
      noted.append(note)
      return
    }
  }

  private mutating func addHead(_ text: String) {
    let style = geometry.isRight(number) ? styles.head.aligned(.right) : styles.head
    add(text, style, x: geometry.textLeft(page: number), y: geometry.headTop, width: geometry.measure)
    addNumber(at: geometry.headTop)
  }

  private mutating func addNumber(at y: Double) {
    let style = geometry.isRight(number) ? styles.number : styles.number.aligned(.right)
    add("\(number)", style, x: geometry.markLeft(page: number), y: y, width: geometry.markWidth)
  }
}
