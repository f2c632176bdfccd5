/// Divides blocks of lines among pages, without widows, orphans, or headings at the foot of a page.
enum PageBreaks {
  /// A paragraph or heading.
  struct Block: Equatable {
    var lines: Int
    /// The height of a line.
    var leading: Double
    /// Above the block; left out at the top of a page.
    var space = 0.0
    /// Whether its end and the beginning of the next block are on the same page.
    var keepsWithNext = false
    /// Whether it begins a new page.
    var startsPage = false
    /// Whether it is never divided.
    var staysWhole = false
    /// The height that must be left where it begins, unless it begins a page.
    var room = 0.0
  }

  /// Lines of a block on a page.
  struct Run: Equatable {
    let block: Int
    let lines: Range<Int>
    /// From the top of the text area to the top of the first line.
    let y: Double
  }

  /// The minimum number of lines of a paragraph at the bottom or top of a page, if the paragraph has more lines.
  static let fewestLines = 2

  private struct Line {
    let block: Int
    let number: Int
  }

  /// The greatest number of lines by which a page may end early, if what follows could follow on it.
  static let missingLines = 3.0

  /// - Parameters:
  ///   - height: of the text area. Lines that belong together are divided if they don't fit into it.
  ///   - leading: of the text. Pages that end early get wider gaps, at most by so much each.
  /// - Returns: the runs of each page. Every line is in exactly one of them, in order.
  static func pages(_ blocks: [Block], height: Double, leading: Double) -> [[Run]] {
    let lines = blocks.indices.flatMap { block in (0..<blocks[block].lines).map { Line(block: block, number: $0) } }
    var pages: [[Run]] = []
    var start = 0
    while start < lines.count {
      let end = endOfPage(lines, from: start, blocks, height)
      var page = runs(lines[start..<end], blocks)
      if end < lines.count, lines[end].number > 0 || !blocks[lines[end].block].isApart {
        page = spread(page, blocks, height: height, leading: leading)
      }
      pages.append(page)
      start = end
    }
    return pages
  }

  private static func endOfPage(_ lines: [Line], from start: Int, _ blocks: [Block], _ height: Double) -> Int {
    var (y, lastBreak) = (0.0, Int?.none)
    for position in start..<lines.count {
      let (line, block) = (lines[position], blocks[lines[position].block])
      if position > start {
        if line.number == 0 {
          if block.startsPage || block.room > 0 && y + block.space + block.room > height { return position }
          y += block.space
        }
        if y + block.leading > height { return lastBreak ?? position }
      }
      y += block.leading
      if mayBreak(after: line, block) { lastBreak = position + 1 }
    }
    return lines.count
  }

  private static func mayBreak(after line: Line, _ block: Block) -> Bool {
    let above = line.number + 1
    let below = block.lines - above
    return below == 0 ? !block.keepsWithNext : !block.staysWhole && min(above, below) >= fewestLines
  }

  private static func runs(_ lines: ArraySlice<Line>, _ blocks: [Block]) -> [Run] {
    var (runs, y): ([Run], Double) = ([], 0)
    for line in lines {
      let block = blocks[line.block]
      if let last = runs.last, last.block == line.block {
        runs[runs.count - 1] = Run(block: last.block, lines: last.lines.lowerBound..<line.number + 1, y: last.y)
      } else {
        if !runs.isEmpty { y += block.space }
        runs.append(Run(block: line.block, lines: line.number..<line.number + 1, y: y))
      }
      y += block.leading
    }
    return runs
  }

  /// Widens the gaps of a page that ends too early.
  private static func spread(_ runs: [Run], _ blocks: [Block], height: Double, leading: Double) -> [Run] {
    guard let last = runs.last else { return runs }
    let missing = height - last.y - Double(last.lines.count) * blocks[last.block].leading - missingLines * leading
    func isGap(_ position: Int) -> Bool {
      position > 0 && blocks[runs[position].block].space >= leading * 0.8
        && !blocks[runs[position - 1].block].keepsWithNext
    }
    let gaps = runs.indices.count(where: isGap)
    guard missing > 0, gaps > 0 else { return runs }
    let extra = min(missing / Double(gaps) + 0.01, leading)
    var moved = 0.0
    return runs.enumerated().map { position, run in
      if isGap(position) { moved += extra }
      return Run(block: run.block, lines: run.lines, y: run.y + moved)
    }
  }
}

extension PageBreaks.Block {
  /// Whether the page before it may end anywhere.
  fileprivate var isApart: Bool { startsPage || room > 0 }
}
