import Foundation
import TemporaryFolders
import TestSupport
import Testing
import TrunkDemo
import TrunkKit
import TrunkModel

@testable import CairoKit
@testable import TrunkPrint

@MainActor
@Suite struct BookPagesTests {
  /// The journal of a garden that grew for years.
  private func book(
    years: Int = 2, _ selection: BookSelection = BookSelection(), _ choices: BookChoices = BookChoices()
  ) async throws -> JournalBook {
    let fixture = try await GardenFixture()
    let demo = DemoGarden(years: years, now: fixture.time.clock.now(), zone: fixture.time.zone)
    _ = try await fixture.model.importEvents(demo.events())
    return try await fixture.model.book(selection, choices)
  }

  @Test(arguments: [Paper.a5, .a4, Paper(width: 200, height: 250)])
  func everyEntryIsPrintedOnce(paper: Paper) async throws {
    for selection in [BookSelection(), BookSelection(years: 2025...2025)] {
      let book = try await book(selection)
      let pages = BookPages(book, on: paper)
      #expect(Set(pages.entryPages.keys) == Set(book.entries.map(\.seq)))
      let printed = pages.pages.flatMap(\.placements).map(\.text.text)
      for (text, entries) in Dictionary(grouping: book.entries.filter { !$0.text.isEmpty }, by: \.text) {
        // Of a longer text than a page, each page prints a part of the same text.
        let first = ReadingText(text).paragraphs.first?.plain ?? ""
        #expect(printed.count { $0 == first } >= entries.count, "\(text)")
      }
    }
  }

  @Test(arguments: [Paper.a5, .a4, .letter, .halfLetter], [BookEdition.screen, .printShop])
  func noLineLeavesItsMargins(paper: Paper, edition: BookEdition) async throws {
    let fixture = try await GardenFixture(now: "2024-05-02T08:00:00Z")
    let texts = [
      String(repeating: "w", count: 2000), "שלום עולם, זה יום ארוך מאוד ואני כותב עליו", "日本語のとても長い文章です。",
      "مرحبا بالعالم في يوم طويل",
      "A short one.", String(repeating: "Donaudampfschifffahrtsgesellschaftskapitän und wir. ", count: 12), "",
    ]
    let id = try await fixture.plant(String(repeating: "W", count: 60))
    for year in 0..<2 {
      for text in texts {
        try await fixture.model.water(id, text: text, question: text.isEmpty ? nil : String(text.prefix(200)))
        fixture.time.advance(days: 1)
        let joy = try #require(Node(path: "heart/joy"))
        if !text.isEmpty, text.count < 50 { try await fixture.model.shine(joy, text: text, question: nil) }
        fixture.time.advance(days: 7)
      }
      if year == 1 { try await fixture.model.harvest(id, result: 4, reflection: texts[5]) }
      fixture.time.advance(days: 365 - 8 * Int64(texts.count))
    }
    let book = try await fixture.model.book(BookSelection(years: 2025...2025), author: "Ada")
    let pages = BookPages(book, on: paper, for: edition)
    let (geometry, typesetter) = (pages.geometry, Typesetter())
    for (index, page) in pages.pages.enumerated() where index > 2 {
      let left = min(geometry.textLeft(page: index + 1), geometry.markLeft(page: index + 1))
      let right = left + geometry.measure + geometry.gap + geometry.markWidth
      for placement in page.placements {
        let lines = typesetter.lines(of: placement.text)
        for line in placement.lines.map({ lines[$0] }) ?? lines[...] {
          let start = placement.x + line.x
          #expect(start >= left - 0.5 && start + line.width <= right + 0.5, "page \(index + 1): \(line.text)")
        }
        let height = Double(placement.lines?.count ?? lines.count) * placement.text.style.leading
        #expect(placement.y >= 15 && placement.y + height <= paper.height - 15)
      }
    }
    #expect(try BookPainter(pages).pdf().starts(with: Array("%PDF".utf8)))
  }

  @Test(arguments: [Paper.a5, .a4]) func aYearIsABook(paper: Paper) async throws {
    var choices = BookChoices()
    choices.dedication = "For Ruth and Tom,\nwho were there for most of it"
    let book = try await book(years: 3, BookSelection(years: 2025...2025), choices)
    let pages = BookPages(book, on: paper, for: .printShop)
    #expect(pages.count % 4 == 0)
    let months = pages.headings.filter { $0.level == 2 }.prefix(12)
    #expect(months.map(\.title) == book.parts.flatMap(\.sections).compactMap(\.month?.name))
    #expect(months.allSatisfy { $0.page % 2 == 0 }, "a month begins on a left page")
    let sheets = try read(BookPainter(pages).pdf()).components(separatedBy: "\u{C}").map(\.singleSpaced)
    #expect(sheets[1].hasPrefix("For Ruth and Tom, who were there"))
    for heading in pages.headings {
      #expect(sheets[heading.page - 1].contains(heading.title), "\(heading)")
      #expect(sheets[2].contains("\(heading.title) \(heading.page)") || sheets[3].contains(heading.title))
    }
    let whole = try #require(book.whole)
    let notes = book.parts.flatMap(\.sections).flatMap { $0.month?.earlier ?? [] }
    #expect(!whole.names.isEmpty && !whole.words.isEmpty && !notes.isEmpty)
    for note in notes {
      let printed = pages.pages.flatMap(\.placements).count { $0.text.text == note.text && $0.lines == nil }
      #expect(printed <= notes.count { $0.text == note.text }, "\(note)")
    }
  }

  @Test func aCoverHasBackSpineAndFront() async throws {
    let pages = BookPages(try await book(years: 2, BookSelection(years: 2025...2025)), on: .a5, for: .printShop)
    let cover = try #require(BookCover(BookPainter(pages), leafThickness: 0.2))
    let millimetre = 72 / 25.4
    #expect(abs(cover.spine - (Double(pages.count) * 0.1 + 0.6) * millimetre) < 0.01)
    let text = try read(cover.pdf())
    #expect(text.contains("2025") && text.contains("a year of the tree"))
  }

  @Test func aPrintShopCanReadTheFiles() async throws {
    let fixture = try await GardenFixture(now: "2025-05-02T08:00:00Z")
    let id = try await fixture.plant("Cello")
    for text in ["Bar nine — at last", "שלום עולם", "日本語 ★ ☀"] {
      try await fixture.model.water(id, text: text, question: "¿Qué oíste?")
      fixture.time.advance(days: 1)
    }
    let book = try await fixture.model.book(BookSelection(years: 2025...2025), author: "Ada")
    let pages = BookPages(book, on: .a5, for: .printShop)
    let files = try pages.files()
    #expect(BookEdition.printShop.paths("/b.pdf") == ["/b.pdf", "/b-cover.pdf"])
    for (file, count) in zip(files, [pages.count, 1]) {
      let check = try run("qpdf", file, ["--check"])
      #expect(check.contains("No syntax or stream encoding errors"), "\(check)")
      #expect(try run("qpdf", file, ["--show-npages"]).contains("\(count)\n"))
      let fonts = try run("pdffonts", file, []).split(separator: "\n").dropFirst(2)
      // After the name, the type and the encoding: embedded, subset, Unicode.
      #expect(!fonts.isEmpty && fonts.allSatisfy { $0.contains(/\syes\s+(yes|no)\s+(yes|no)\s/) }, "\(fonts)")
    }
    var shares: [Double] = []
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      _ = try book.files(.pdf, for: .printShop) {
        shares.append($0)
        if shares.count == 3 { throw Stop() }
      }
    }
    #expect(shares == shares.sorted() && shares.first == 0 && shares.count == 3)
  }

  @Test(arguments: [4, 16, 20, 44, 99]) func aBookletHasEveryPageOnce(count: Int) {
    let sides = BookPainter.bookletSides(pages: count)
    #expect(sides.flatMap(\.self).sorted() == Array(0..<(count + 3) / 4 * 4))
    // The first page is on the right of the first sheet's front, and the second one on its back.
    #expect(sides[0][1] == 0 && sides[1][0] == 1)
  }

  @Test func facingPagesMirrorEachOther() {
    let geometry = PageGeometry(.a5)
    #expect(geometry.textLeft(page: 3) < geometry.textLeft(page: 2))
    #expect(abs(geometry.textLeft(page: 2) + geometry.measure + geometry.textLeft(page: 3) - Paper.a5.width) < 0.001)
    #expect(geometry.markLeft(page: 3) > geometry.textLeft(page: 3) + geometry.measure)
    #expect(geometry.markLeft(page: 2) + geometry.markWidth < geometry.textLeft(page: 2))
  }

  @Test func theTableOfContentsListsEverySection() async throws {
    let book = try await book()
    let pages = BookPages(book, on: .a5)
    let titles = book.parts.flatMap { part in [part.title].compactMap { $0 } + part.sections.map(\.title) }
    #expect(pages.headings.filter { $0.level < 3 }.map(\.title) == titles)
    #expect(pages.headings.map(\.page) == pages.headings.map(\.page).sorted())
    #expect(pages.headings.first?.page == 3)
  }

  @Test func aPDFReaderFindsEveryWord() async throws {
    let book = try await book(years: 1)
    let pages = BookPages(book, on: .a5)
    let text = try read(BookPainter(pages).pdf())
    let sheets = text.components(separatedBy: "\u{C}").dropLast()
    #expect(sheets.count == pages.count, "one page for each")
    #expect(sheets[0].singleSpaced.hasPrefix("Journal"))
    let wholeText = text.singleSpaced
    for entry in book.entries where !entry.text.isEmpty {
      // A page may end within a paragraph.
      #expect(wholeText.contains(String(entry.text.singleSpaced.prefix(30))), "\(entry.text)")
    }
    // The page number is printed on each page of text.
    for (index, sheet) in sheets.enumerated().dropFirst(2) {
      #expect(sheet.singleSpaced.split(separator: " ").contains("\(index + 1)"), "page \(index + 1)")
    }
  }

  @Test func noncharactersDoNotPreventTheFile() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant("Cel\u{FFFF}lo")
    try await fixture.model.water(id, text: "Slow\u{FFFE} bow, less\u{10FFFF} arm", question: nil)
    let text = try read(BookPainter(BookPages(try await fixture.model.book(BookSelection()), on: .a5)).pdf())
    #expect(text.singleSpaced.contains("Slow bow, less arm"))
    #expect(text.contains("Cello"))
  }

  private func read(_ pdf: [UInt8]) throws -> String {
    // In the order in which the pages are drawn: dates in the margin aren't mixed with the text beside them.
    try run("pdftotext", pdf, ["-raw"], "-")
  }

  /// What a program prints about a PDF file.
  private func run(_ program: String, _ pdf: [UInt8], _ options: [String], _ last: String...) throws -> String {
    let folder = try TemporaryFolder("book").created()
    defer { withExtendedLifetime(folder) {} }
    let file = folder.path + "/book.pdf"
    try Data(pdf).write(to: URL(fileURLWithPath: file))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/" + program)
    process.arguments = options + [file] + last
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return text
  }
}

@MainActor
@Suite struct LongTextTests {
  /// A title and a word that are longer than a page, and scripts from right to left.
  @Test func staysOnThePaper() async throws {
    let fixture = try await GardenFixture()
    let id = try await fixture.plant(String(repeating: "W", count: 60))
    for text in [String(repeating: "w", count: 2000), "שלום עולם", "日本語 👩‍👩‍👧‍👦", "a\n\nb\nc"] {
      try await fixture.model.water(id, text: text, question: text)
      fixture.time.advance(seconds: 86_400)
    }
    let book = try await fixture.model.book(BookSelection(sprout: id))
    let pages = BookPages(book, on: .a5)
    #expect(pages.count < 14)
    let lines = pages.pages.flatMap(\.placements).filter { $0.text.text.hasPrefix("www") }.compactMap(\.lines?.count)
    #expect(lines.reduce(0, +) > 60)
    #expect(try BookPainter(pages).pdf().starts(with: Array("%PDF".utf8)))
  }
}

extension String {
  /// The text with single spaces in place of line breaks, which depend on the width of the page.
  fileprivate var singleSpaced: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
