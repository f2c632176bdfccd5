import CairoKit
import Localization
import TrunkKit

/// A paragraph or heading of the book, with its date in the margin and its section.
struct BookBlock {
  let text: TypesetText
  var breaks: PageBreaks.Block
  /// The title in the running head of pages that begin with it.
  let section: String
  /// The date in the margin beside its first line; `nil` for none.
  var mark: String?
  /// Its level in the table of contents: 1 for a part, 2 for a section; `nil` for text.
  var level: Int?
  /// The position of its entry in the book; `nil` for headings.
  var entry: Int?
}

/// Makes the blocks of a book.
struct BookBlocks {
  private(set) var blocks: [BookBlock] = []

  private let geometry: PageGeometry
  private let styles: BookStyles
  private let typesetter: Typesetter
  private var section = ""
  private var entry = 0
  /// Whether the last entry is a planting or an uprooting.
  private var lastIsMilestone = false

  /// The maximum number of lines of a title: a title from another device may have any length.
  private static let titleLines = 3

  init(_ book: JournalBook, _ geometry: PageGeometry, _ styles: BookStyles, _ typesetter: Typesetter) {
    (self.geometry, self.styles, self.typesetter) = (geometry, styles, typesetter)
    for part in book.parts {
      if let title = part.title { addPart(title, section: part.sections.first?.title ?? "") }
      for section in part.sections {
        self.section = section.title
        addSection(section.title)
        if !section.text.isEmpty { add(section.text, styles.text, space: 0.9) }
        section.entries.forEach { add($0) }
      }
    }
  }

  private mutating func addPart(_ title: String, section: String) {
    self.section = section
    add(title, styles.part, maxLines: 1) {
      $0.level = 1
      $0.breaks.startsPage = true
      $0.breaks.keepsWithNext = true
    }
  }

  private mutating func addSection(_ title: String) {
    let isBelowPart = blocks.last?.level == 1
    add(title, styles.section, space: isBelowPart ? 1.5 : 2.5, maxLines: BookBlocks.titleLines) {
      $0.level = 2
      $0.breaks.keepsWithNext = true
    }
  }

  private mutating func add(_ entry: JournalBook.Entry) {
    defer { self.entry += 1 }
    let first = blocks.count
    let isBelowHeading = blocks.last?.level != nil
    // Plantings and uprootings in a row form a list.
    let continuesList = !entry.isWritten && lastIsMilestone
    let space = isBelowHeading ? 0.9 : continuesList ? 0.2 : 1.3
    lastIsMilestone = !entry.isWritten
    if entry.isWritten {
      if let question = entry.question { add(question, styles.question) { $0.breaks.keepsWithNext = true } }
      let paragraphs = entry.text.paragraphs.map { $0.joined(separator: "\n") }
      for paragraph in paragraphs { add(paragraph, styles.text, space: paragraph == paragraphs.first ? 0.15 : 0.5) }
      if paragraphs.isEmpty { add(tr("Without words"), styles.placeholder) }
      if !entry.about.isEmpty {
        // The subject of an entry is never alone at the top of a page.
        blocks[blocks.count - 1].breaks.keepsWithNext = true
        add(entry.about, styles.about, space: 0.15)
      }
    } else {
      add(entry.about, styles.milestone)
    }
    blocks[first].breaks.space = space * styles.text.leading
    blocks[first].mark = entry.shortDate
    for block in first..<blocks.count { blocks[block].entry = self.entry }
  }

  /// - Parameter space: above the block, in lines of text.
  private mutating func add(
    _ text: String, _ style: TextStyle, space: Double = 0, maxLines: Int? = nil,
    _ change: (inout BookBlock) -> Void = { _ in }
  ) {
    let text = TypesetText(text, style, width: geometry.measure, maxLines: maxLines)
    let lines = typesetter.lineCount(of: text)
    var block = BookBlock(
      text: text,
      breaks: PageBreaks.Block(lines: lines, leading: style.leading, space: space * styles.text.leading),
      section: section)
    change(&block)
    blocks.append(block)
  }
}
