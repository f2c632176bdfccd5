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
    let pages = PageBreaks.pages(blocks, height: 200)
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
        #expect(abs(lower.y - bottom - blocks[lower.block].space) < 0.001)
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
    let pages = PageBreaks.pages(blocks, height: 200)
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

  @Test func aHeadingMovesToThePageOfItsText() {
    let blocks = [
      Block(lines: 8, leading: 10), Block(lines: 1, leading: 10, keepsWithNext: true), Block(lines: 3, leading: 10),
    ]
    let pages = PageBreaks.pages(blocks, height: 100).map { $0.map(\.block) }
    #expect(pages == [[0], [1, 2]])
  }

  @Test func linesThatDoNotFitOnAPageAreDivided() {
    let blocks = [Block](repeating: Block(lines: 1, leading: 10, keepsWithNext: true), count: 25)
    #expect(PageBreaks.pages(blocks, height: 100).map(\.count) == [10, 10, 5])
    #expect(PageBreaks.pages(blocks, height: 1).map(\.count) == [Int](repeating: 1, count: 25))
    #expect(PageBreaks.pages([], height: 100) == [])
  }
}
