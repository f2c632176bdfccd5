import TestSupport
import Testing
import TrunkModel

@testable import TrunkPrint

@Suite struct PageBreaksTests {
  private typealias Block = PageBreaks.Block

  /// Headings, long and short paragraphs, and lines that belong to the paragraph above, in any order.
  private func blocks(_ random: inout SeededRandom) -> [Block] {
    (0..<random.next(below: 60)).map { _ in
      Block(
        lines: random.pick([1, 1, 2, 3, 4, 9, 70]), leading: random.pick([8, 10, 15]),
        space: random.pick([0, 1.5, 12]), keepsWithNext: random.isLucky(oneIn: 3), startsPage: random.isLucky(oneIn: 20)
      )
    }
  }

  @Test(arguments: 0..<300) func everyLineIsOnOnePageInOrder(seed: Int) {
    var random = SeededRandom(seed: seed)
    let blocks = blocks(&random)
    let pages = PageBreaks.pages(blocks, height: 200, leading: 10)
    let lines = pages.flatMap { $0 }.flatMap { run in run.lines.map { [run.block, $0] } }
    #expect(lines == blocks.indices.flatMap { block in (0..<blocks[block].lines).map { [block, $0] } })
    #expect(pages.allSatisfy { !$0.isEmpty })
    for page in pages {
      for run in page {
        let bottom = run.y + Double(run.lines.count) * blocks[run.block].leading
        #expect(bottom <= 200)
      }
      for (upper, lower) in zip(page, page.dropFirst()) {
        let bottom = upper.y + Double(upper.lines.count) * blocks[upper.block].leading
        let wider = lower.y - bottom - blocks[lower.block].space
        #expect(wider > -0.001 && wider <= 10, "a page that ends early has wider gaps")
      }
    }
  }

  /// Applies if the lines that belong together fit on a page.
  @Test(arguments: 0..<300) func noPageEndsOrBeginsWithALoneLine(seed: Int) {
    var random = SeededRandom(seed: seed)
    var blocks = blocks(&random)
    for index in blocks.indices.dropFirst() where blocks[index - 1].keepsWithNext {
      (blocks[index].keepsWithNext, blocks[index].startsPage) = (false, false)
    }
    let pages = PageBreaks.pages(blocks, height: 200, leading: 10)
    for (page, next) in zip(pages, pages.dropFirst()) {
      guard let last = page.last, let first = next.first else { continue }
      if first.block == last.block {
        #expect(last.lines.count >= 2 && blocks[last.block].lines - last.lines.upperBound >= 2)
      } else {
        #expect(!blocks[last.block].keepsWithNext)
      }
    }
    for page in pages {
      #expect(page.dropFirst().allSatisfy { !blocks[$0.block].startsPage || $0.lines.lowerBound > 0 })
    }
  }

  /// Entries of a question and an answer, one of three lines that can't be divided.
  @Test func noPageEndsMoreThanThreeLinesEarly() {
    var random = SeededRandom(seed: 1)
    let blocks = (0..<200).flatMap { _ in
      [
        Block(lines: random.pick([1, 2]), leading: 10, space: 10, keepsWithNext: true),
        Block(lines: random.pick([2, 3, 4]), leading: 10, space: 0),
      ]
    }
    for page in PageBreaks.pages(blocks, height: 400, leading: 10).dropLast() {
      let last = page.last.map { $0.y + Double($0.lines.count) * 10 } ?? 0
      #expect(last >= 370 - 0.001 && last <= 400)
    }
  }

  @Test func aChapterNeedsRoom() {
    let chapter = Block(lines: 1, leading: 10, space: 10, room: 60)
    func blocks(_ lines: Int) -> [Block] { [Block(lines: lines, leading: 10), chapter] }
    #expect(PageBreaks.pages(blocks(3), height: 100, leading: 10).count == 1)
    #expect(PageBreaks.pages(blocks(4), height: 100, leading: 10).count == 2)
  }

  @Test func aHeadingMovesToThePageOfItsText() {
    let blocks = [
      Block(lines: 8, leading: 10), Block(lines: 1, leading: 10, keepsWithNext: true), Block(lines: 3, leading: 10),
    ]
    let pages = PageBreaks.pages(blocks, height: 100, leading: 10).map { $0.map(\.block) }
    #expect(pages == [[0], [1, 2]])
  }

  @Test func linesThatDoNotFitOnAPageAreDivided() {
    let blocks = [Block](repeating: Block(lines: 1, leading: 10, keepsWithNext: true), count: 25)
    #expect(PageBreaks.pages(blocks, height: 100, leading: 10).map(\.count) == [10, 10, 5])
    #expect(PageBreaks.pages(blocks, height: 1, leading: 10).map(\.count) == [Int](repeating: 1, count: 25))
    #expect(PageBreaks.pages([], height: 100, leading: 10) == [])
  }
}
