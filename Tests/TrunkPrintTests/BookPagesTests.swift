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
  private func book(years: Int = 2, _ selection: BookSelection = BookSelection()) async throws -> JournalBook {
    let fixture = try await GardenFixture()
    let demo = DemoGarden(years: years, now: fixture.time.clock.now(), zone: fixture.time.zone)
    _ = try await fixture.model.importEvents(demo.events())
    return try await fixture.model.book(selection)
  }

  @Test(arguments: [Paper.a5, .a4, Paper(width: 200, height: 250)])
  func everyEntryIsPrintedOnce(paper: Paper) async throws {
    let book = try await book()
    let pages = BookPages(book, on: paper)
    let runs = pages.pages.flatMap(\.runs)
    let printed = runs.filter { $0.lines.lowerBound == 0 }.map(\.block)
    #expect(printed == Array(pages.blocks.indices))
    let entries = pages.blocks.compactMap(\.entry)
    #expect(Set(entries) == Set(book.entries.indices))
    for (index, entry) in book.entries.enumerated() {
      let texts = pages.blocks.filter { $0.entry == index }.map(\.text.text)
      #expect(entry.text.isEmpty || texts.contains { entry.text.hasPrefix($0) }, "\(entry.text)")
    }
  }

  @Test func nothingLeavesThePaper() async throws {
    let pages = BookPages(try await book(years: 1), on: .a5)
    let typesetter = Typesetter()
    for page in pages.pages {
      for placement in page.placements {
        let lines = placement.lines?.count ?? typesetter.lineCount(of: placement.text)
        #expect(placement.x >= 15 && placement.x + placement.text.width <= Paper.a5.width - 15)
        #expect(placement.y >= 15)
        #expect(placement.y + Double(lines) * placement.text.style.leading <= Paper.a5.height - 15)
      }
    }
  }

  @Test func theBookOfAYearBeginsWithTheRingsOfTheTrunk() async throws {
    let book = try await book(BookSelection(growth: 2025))
    let rings = try #require(book.rings)
    #expect(rings.marked.map { $0 < rings.gains.count } == true)
    let front = try #require(BookPages(book, on: .a5).pages.first)
    guard case .rings(let printed, let middle, let radius) = front.ornament else {
      Issue.record("no rings: \(String(describing: front.ornament))")
      return
    }
    #expect(printed == rings)
    #expect(middle - radius > 15)
    // The title is below the picture.
    #expect(front.placements.allSatisfy { $0.y > middle + radius })
    let journal = try #require(BookPages(try await self.book(years: 1), on: .a5).pages.first)
    #expect(journal.ornament == .sprout(foot: Paper.a5.height * 0.24))
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
    #expect(pages.headings.map(\.title) == titles)
    #expect(pages.headings.map(\.page) == pages.headings.map(\.page).sorted())
    #expect(pages.headings.first?.page == 3)
  }

  @Test func aPDFReaderFindsEveryWord() async throws {
    let book = try await book(years: 1)
    let pages = BookPages(book, on: .a5)
    let text = try read(BookPainter(pages).pdf())
    let sheets = text.components(separatedBy: "\u{C}").dropLast()
    #expect(sheets.count == pages.count)
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
    let folder = try TemporaryFolder("book").created()
    defer { withExtendedLifetime(folder) {} }
    let file = folder.path + "/book.pdf"
    try Data(pdf).write(to: URL(fileURLWithPath: file))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/pdftotext")
    // In the order in which the pages are drawn: dates in the margin aren't mixed with the text beside them.
    process.arguments = ["-raw", file, "-"]
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
    #expect(pages.count < 12)
    let lines = pages.pages.flatMap(\.placements).filter { $0.text.text.hasPrefix("www") }.compactMap(\.lines?.count)
    #expect(lines.reduce(0, +) > 60)
    #expect(try BookPainter(pages).pdf().starts(with: Array("%PDF".utf8)))
  }
}

extension String {
  /// The text with single spaces in place of line breaks, which depend on the width of the page.
  fileprivate var singleSpaced: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
