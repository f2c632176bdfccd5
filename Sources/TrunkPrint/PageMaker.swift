import CairoKit
import Localization
import TrunkKit

/// Makes the pages of a book.
struct PageMaker {
  typealias Page = BookPages.Page
  typealias Illustration = BookPages.Illustration
  typealias Heading = BookPages.Heading

  let geometry: PageGeometry
  private(set) var pages: [Page] = []
  private(set) var headings: [Heading] = []
  private(set) var entryPages: [Int64: Int] = [:]

  private let book: JournalBook
  private let edition: BookEdition
  private let styles: BookStyles
  private let typesetter = Typesetter()
  /// Entries of earlier years that are already printed.
  private var noted: [JournalBook.Earlier] = []
  private var contentsPage = 0
  private var contentsLeading = 1.0
  /// Whether the last page opens a month without entries, on the left.
  private var lastIsEmptyMonth = false
  /// Of the last month.
  private var leafSeason = 0.5

  /// Earlier entries at the end of a month.
  private static let earlierLimit = 6

  init(_ book: JournalBook, on paper: Paper, for edition: BookEdition) {
    (self.book, self.edition, geometry) = (book, edition, PageGeometry(paper))
    styles = BookStyles(geometry)
    addFront()
    if let whole = book.whole {
      for section in book.parts.flatMap(\.sections) where !Task.isCancelled { addMonth(section) }
      addRing(whole)
      addIndex(whole)
    } else {
      var blocks = BookBlocks(geometry, styles, typesetter)
      book.parts.forEach { blocks.add($0) }
      addText(blocks.blocks)
    }
    fillReferences()
    if book.whole != nil { fillContents() }
    let multiple = edition == .printShop ? 4 : 2
    while pages.count % multiple != 0 { pages.append(Page()) }
  }

  // MARK: - Front matter

  private mutating func addFront() {
    let front = FrontMatter(book, geometry, styles, typesetter)
    guard let whole = book.whole else {
      pages = [front.titlePage, front.back]
      return
    }
    if edition != .printShop { pages = [front.cover(whole), Page()] }
    pages += [front.titlePage(whole), front.dedication(whole)]
    contentsPage = pages.count
    let lines = 2 + book.entries.count { $0.chapter != nil } + book.parts.flatMap(\.sections).count
    // Long contents get smaller distances before they get a second page.
    let fitting = contentsHeight / Double(lines)
    contentsLeading = min(styles.contents.leading, max(fitting, styles.contents.size * 0.9))
    let count = Int((Double(lines) / Double(contentsLines)).rounded(.up))
    pages += [Page](repeating: Page(), count: max(1, count))
  }

  private var contentsHeight: Double { geometry.textHeight - 13 * geometry.unit }

  /// The lines of a page of contents.
  private var contentsLines: Int { Int(contentsHeight / contentsLeading + 0.01) }

  private mutating func fillContents() {
    add(
      tr("Contents"), styles.section, x: geometry.textLeft(page: contentsPage + 1),
      y: geometry.top - 2 * geometry.unit, page: contentsPage)
    for (number, heading) in headings.enumerated() {
      let (page, line) = (contentsPage + number / contentsLines, number % contentsLines)
      let left = geometry.textLeft(page: page + 1)
      var style = heading.level == 3 ? styles.contentsChapter : styles.contents
      style.size = min(style.size, contentsLeading / 1.12)
      let indent = heading.level == 3 ? 6 * geometry.unit : 0
      let y = geometry.top + 13 * geometry.unit + Double(line) * contentsLeading
      add(
        heading.title, style, x: left + indent, y: y, width: geometry.measure - indent - 10 * geometry.unit, page: page)
      add("\(heading.page)", style.aligned(.right), x: left, y: y, page: page)
    }
  }

  /// Names the pages of entries where they are known now.
  private mutating func fillReferences() {
    for page in pages.indices {
      for (index, placement) in pages[page].placements.enumerated() {
        guard let seqs = placement.references else { continue }
        let numbers = seqs.compactMap { entryPages[$0] }
        let text = numbers.isEmpty ? " " : trn("{n} entry", "{n} entries", numbers.count) + ": " + pagesText(numbers)
        pages[page].placements[index].text = TypesetText(
          text, placement.text.style, width: placement.text.width, maxLines: 3)
      }
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
      switch range.count {
      case 1: "\(range.lowerBound)"
      case 2: "\(range.lowerBound), \(range.upperBound)"
      default: "\(range.lowerBound)–\(range.upperBound)"
      }
    }.joined(separator: ", ")
  }

  // MARK: - Months

  private mutating func addMonth(_ section: JournalBook.Section) {
    guard let month = section.month else { return }
    // It begins on a left page; two months without entries share a spread.
    let followsEmpty = lastIsEmptyMonth && section.entries.isEmpty
    if pages.count % 2 == 0, !followsEmpty {
      addLeafPage(leafSeason)
    }
    headings.append(Heading(title: month.title(of: book), level: 2, page: pages.count + 1))
    lastIsEmptyMonth = section.entries.isEmpty && !followsEmpty
    leafSeason = month.tree.season
    addOpener(month, section.silence)
    guard !section.entries.isEmpty else { return }
    var blocks = BookBlocks(geometry, styles, typesetter, season: month.tree.season)
    for entry in section.entries { blocks.add(entry) }
    addText(blocks.blocks, head: month.name, notes: geometry.hasNotes ? month.earlier : [])
    addEarlier(month)
  }

  private mutating func addOpener(_ month: JournalBook.Month, _ silence: String) {
    let number = pages.count + 1
    let left = geometry.textLeft(page: number)
    pages.append(Page())
    let index = pages.count - 1
    var y = geometry.top - 4 * geometry.unit
    add(month.name, styles.month, x: left, y: y, page: index)
    y += styles.month.leading + 2
    add(month.year, styles.year, x: left, y: y, page: index)
    y += styles.year.leading
    var texts = month.lines.map { runIn($0) }
    if !silence.isEmpty {
      texts.append((TypesetText(silence, styles.milestone, width: geometry.measure, maxLines: 1), nil))
    }
    let height = texts.reduce(0) { $0 + Double(typesetter.lineCount(of: $1.0)) * $1.0.style.leading + 2 }
    let room = geometry.bottom - y - height - 4 * geometry.unit
    let size = max(min(115 * geometry.unit * (geometry.hasNotes ? 1.25 : 1), room, geometry.paper.width * 0.86), 0)
    pages[index].illustrations.append(
      Illustration(
        picture: .tree(month.tree), x: geometry.paper.width / 2, y: y + room / 2 + 2 * geometry.unit, width: size))
    y = geometry.bottom - height
    for (text, label) in texts {
      if let label { pages[index].placements.append(.init(text: label, lines: nil, x: left, y: y)) }
      pages[index].placements.append(.init(text: text, lines: nil, x: left, y: y))
      y += Double(typesetter.lineCount(of: text)) * text.style.leading + 2
    }
    addNumber(number, y: geometry.bottom + 9 * geometry.unit)
  }

  /// A text whose first line leaves room for its label.
  private func runIn(_ line: JournalBook.RunIn) -> (TypesetText, TypesetText?) {
    let label = TypesetText(line.label, styles.question, width: geometry.measure, maxLines: 1)
    var style = styles.text
    style.indent = (typesetter.lines(of: label).first?.width ?? 0) + geometry.size * 0.6
    return (TypesetText(line.text, style, width: geometry.measure, maxLines: 2), label)
  }

  /// What is left of a month's last spread: entries of the same days in other years, and a leaf.
  private mutating func addEarlier(_ month: JournalBook.Month) {
    let earlier = month.earlier.filter { !noted.contains($0) }.suffix(PageMaker.earlierLimit)
    if pages.count % 2 == 0 {
      let number = pages.count + 1
      pages.append(Page())
      addHead(month.name, number)
      let y = earlier.isEmpty ? geometry.top : addList(month.earlierTitle, Array(earlier), from: geometry.top)
      addLeaf(month.tree.season, y: max(y + 40 * geometry.unit, geometry.paper.height * 0.5))
    } else if let last = pages.last, !earlier.isEmpty {
      let end = last.placements.map { $0.y + Double($0.lines?.count ?? 1) * $0.text.style.leading }.max() ?? 0
      let start = end + 12 * geometry.unit
      // Three lines for the title, two and a gap for each entry.
      let fitting = Int((geometry.bottom - start - 3 * geometry.leading) / (geometry.leading * 3.4))
      if fitting > 0 { _ = addList(month.earlierTitle, Array(earlier.suffix(fitting)), from: start) }
    }
  }

  /// - Returns: where the list ends.
  private mutating func addList(_ title: String, _ earlier: [JournalBook.Earlier], from top: Double) -> Double {
    let (page, left) = (pages.count - 1, geometry.textLeft(page: pages.count))
    pages[page].illustrations.append(
      Illustration(picture: .rule, x: left + geometry.measure / 2, y: top, width: geometry.measure))
    var y = top + 3 * geometry.unit
    var style = styles.question
    (style.size, style.leading) = (style.size * 1.2, style.leading * 1.2)
    add(title, style, x: left, y: y, page: page)
    y += style.leading + 3 * geometry.unit
    let column = 17 * geometry.unit
    for line in earlier {
      add("\(line.day) · \(line.year)", styles.head, x: left, y: y + baseline(styles.text, styles.head), page: page)
      let text = TypesetText(line.text, styles.text, width: geometry.measure - column, maxLines: 3)
      let height = Double(typesetter.lineCount(of: text)) * styles.text.leading
      guard y + height <= geometry.bottom else { break }
      pages[page].placements.append(.init(text: text, lines: nil, x: left + column, y: y))
      noted.append(line)
      y += height + geometry.leading * 0.4
    }
    return y
  }

  private mutating func addLeafPage(_ season: Double) {
    pages.append(Page())
    addLeaf(season, y: geometry.paper.height * 0.48)
  }

  private mutating func addLeaf(_ season: Double, y: Double) {
    let left = geometry.textLeft(page: pages.count)
    pages[pages.count - 1].illustrations.append(
      Illustration(
        picture: .leaf(season: season), x: left + geometry.measure / 2, y: min(y, geometry.bottom - 18 * geometry.unit),
        width: 30 * geometry.unit))
  }

  // MARK: - Text

  /// Adds blocks as pages of text.
  /// - Parameter head: in the running head; `nil` for the title of the book and of the section.
  private mutating func addText(_ blocks: [BookBlock], head: String? = nil, notes: [JournalBook.Earlier] = []) {
    let runs = PageBreaks.pages(blocks.map(\.breaks), height: geometry.textHeight, leading: geometry.leading)
    var lastDay: JournalBook.RunIn?
    for runs in runs {
      let number = pages.count + 1
      pages.append(Page(runs: runs))
      guard let first = runs.first.map({ blocks[$0.block] }) else { continue }
      var marks: [(entry: JournalBook.Entry, y: Double)] = []
      for run in runs {
        let block = blocks[run.block]
        place(block, run, number)
        guard run.lines.lowerBound == 0 else { continue }
        if let heading = block.heading {
          headings.append(.init(title: heading.title, level: heading.level, page: number))
        }
        guard let entry = block.entry else { continue }
        entryPages[entry.seq] = number
        if entry.mark != lastDay { marks.append((entry, geometry.top + run.y)) }
        lastDay = entry.mark
      }
      for mark in marks { addMark(mark.entry.mark, number, y: mark.y) }
      addNote(notes, marks, number)
      let isOpening = head == nil && (first.heading?.level ?? 3) < 3
      if isOpening {
        addNumber(number, y: geometry.headTop)
      } else {
        addHead(head ?? (geometry.isRight(number) ? first.section : book.title), number)
      }
    }
  }

  private mutating func place(_ block: BookBlock, _ run: PageBreaks.Run, _ number: Int) {
    let (left, y) = (geometry.textLeft(page: number), geometry.top + run.y)
    switch block.content {
    case .text(let text):
      pages[number - 1].placements.append(
        .init(
          text: text, lines: block.references == nil ? run.lines : nil, x: left + block.x, y: y,
          references: block.references))
      guard let tail = block.tail, run.lines.upperBound == block.breaks.lines else { return }
      // It shares the baseline of the last line.
      let last = y + Double(run.lines.count - 1) * text.style.leading
      pages[number - 1].placements.append(
        .init(text: tail.text, lines: nil, x: left + tail.x, y: last + baseline(text.style, tail.text.style)))
    case .picture(let picture?, let width):
      let x = picture == .drop ? left + 2 * geometry.unit : left + geometry.measure / 2
      pages[number - 1].illustrations.append(
        Illustration(picture: picture, x: x, y: y + block.breaks.leading / 2, width: width))
    case .picture(nil, _): break
    }
  }

  /// How much lower a text of another style begins to share a baseline.
  private func baseline(_ style: TextStyle, _ other: TextStyle) -> Double {
    (style.leading - other.leading) * Typesetter.baseline
  }

  private mutating func add(
    _ text: String, _ style: TextStyle, x: Double, y: Double, width: Double? = nil, page: Int
  ) {
    let text = TypesetText(text, style, width: width ?? geometry.measure, maxLines: 1)
    pages[page].placements.append(.init(text: text, lines: nil, x: x, y: y))
  }

  /// The day and the weekday beside a line. They are read from the inside of a left page.
  private mutating func addMark(_ mark: JournalBook.RunIn, _ number: Int, y: Double) {
    let left = geometry.markLeft(page: number)
    let day = TypesetText(mark.label, styles.day, width: geometry.markWidth, maxLines: 1)
    let weekday = TypesetText(mark.text, styles.weekday, width: geometry.markWidth, maxLines: 1)
    func width(_ text: TypesetText) -> Double { text.text.isEmpty ? 0 : typesetter.lines(of: text).first?.width ?? 0 }
    let space = mark.label.isEmpty ? 0 : geometry.size * 0.3
    let start =
      geometry.isRight(number) ? left : left + geometry.markWidth - width(day) - space - width(weekday)
    for (text, x) in [(day, start), (weekday, start + width(day) + space)] where !text.text.isEmpty {
      pages[number - 1].placements.append(
        .init(text: text, lines: nil, x: x, y: y + baseline(styles.text, text.style)))
    }
  }

  /// An entry of an earlier year below its day, at most one a page.
  private mutating func addNote(
    _ notes: [JournalBook.Earlier], _ marks: [(entry: JournalBook.Entry, y: Double)], _ number: Int
  ) {
    for (position, mark) in marks.enumerated() {
      guard let note = notes.first(where: { $0.day == mark.entry.day.day && !noted.contains($0) }) else { continue }
      let text = TypesetText(note.text, styles.note, width: geometry.markWidth)
      let top = mark.y + geometry.leading * 1.6
      let end = top + styles.note.leading * Double(1 + typesetter.lineCount(of: text))
      let next = marks.indices.contains(position + 1) ? marks[position + 1].y : geometry.bottom
      guard end + 2 < next else { continue }
      let left = geometry.markLeft(page: number)
      add("\(note.year)", styles.noteYear, x: left, y: top, width: geometry.markWidth, page: number - 1)
      pages[number - 1].placements.append(.init(text: text, lines: nil, x: left, y: top + styles.note.leading))
      noted.append(note)
      return
    }
  }

  private mutating func addHead(_ text: String, _ number: Int) {
    let style = geometry.isRight(number) ? styles.head.aligned(.right) : styles.head
    add(text, style, x: geometry.textLeft(page: number), y: geometry.headTop, page: number - 1)
    addNumber(number, y: geometry.headTop)
  }

  private mutating func addNumber(_ number: Int, y: Double) {
    let style = geometry.isRight(number) ? styles.number : styles.number.aligned(.right)
    add("\(number)", style, x: geometry.markLeft(page: number), y: y, width: geometry.markWidth, page: number - 1)
  }

  // MARK: - Back matter

  private mutating func addRing(_ whole: JournalBook.Whole) {
    if pages.count % 2 == 0 { addLeafPage(leafSeason) }
    pages.append(Page())
    let (number, page) = (pages.count, pages.count - 1)
    headings.append(Heading(title: book.ringTitle, level: 2, page: number))
    addHead(book.ringTitle, number)
    let (left, radius) = (geometry.textLeft(page: number), 26 * geometry.unit)
    let middle = left + geometry.measure / 2
    var y = geometry.top
    pages[page].illustrations.append(
      Illustration(picture: .ring(whole.gains, marked: whole.ring), x: middle, y: y + radius, width: radius * 2))
    y += radius * 2 + 6 * geometry.unit
    let year = styles.chapter
    add(book.title, year, x: left, y: y, page: page)
    y += year.leading
    if let ring = whole.ring {
      // Translators: the rings of a tree are counted, one for each year.
      add(tr("ring {n}", ["n": "\(ring + 1)"]), styles.small, x: left, y: y, page: page)
    }
    y += styles.small.leading + 9 * geometry.unit
    for (label, words) in [(tr("Names"), whole.names), (book.wordsTitle, whole.words)] where !words.isEmpty {
      add(label, styles.question.aligned(.centre), x: left, y: y, page: page)
      y += geometry.leading + 2
      let text = TypesetText(words.joined(separator: ", "), styles.words, width: geometry.measure, maxLines: 4)
      let balanced = typesetter.balanced(text)
      let x = left + (geometry.measure - balanced.width) / 2
      pages[page].placements.append(.init(text: balanced, lines: nil, x: x, y: y))
      y += Double(typesetter.lineCount(of: balanced)) * styles.words.leading + 6 * geometry.unit
    }
  }

  private mutating func addIndex(_ whole: JournalBook.Whole) {
    guard !whole.index.isEmpty else { return }
    var blocks = [
      BookBlock(
        content: .text(TypesetText(tr("Sprouts"), styles.section, width: geometry.measure)),
        breaks: .init(lines: 1, leading: styles.section.leading, keepsWithNext: true), heading: (tr("Sprouts"), 2))
    ]
    for line in whole.index {
      let title = TypesetText(line.title, styles.text, width: geometry.measure, maxLines: 2)
      blocks.append(
        BookBlock(
          content: .text(title),
          breaks: .init(
            lines: typesetter.lineCount(of: title), leading: styles.text.leading, space: geometry.leading * 0.5,
            keepsWithNext: true, staysWhole: true)))
      let pages = pagesText(line.seqs.compactMap { entryPages[$0] })
      let place = TypesetText(dotted([line.place, pages]), styles.name, width: geometry.measure, maxLines: 4)
      blocks.append(
        BookBlock(
          content: .text(place),
          breaks: .init(lines: typesetter.lineCount(of: place), leading: styles.name.leading, staysWhole: true)))
    }
    addText(blocks, head: tr("Sprouts"))
  }
}

extension JournalBook.Month {
  /// In the contents; with the year if the book has several.
  fileprivate func title(of book: JournalBook) -> String {
    book.whole?.years.count == 1 ? name : name + " " + year
  }
}
