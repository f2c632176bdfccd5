/// Rows with aligned columns. If a row doesn't fit the terminal, it continues on the next line.
struct Table {
  let rows: [[String]]
  /// Whether the last column is an excerpt, which is cut so that a row fits on one line.
  var endsInExcerpt = false

  /// The widest cell in columns. Longer cells are cut: a title from another device may have any length.
  private static let widestCell = 60
  /// The maximum width of the last cell, in columns. It may contain whole sentences.
  private static let widestLastCell = 400
  /// The narrowest column for a text. If there is less space, the text starts on the next line.
  private static let narrowestText = 24

  func lines(indent: Int = 2) -> [String] {
    let rows = rows.map { row in
      row.enumerated().map { index, cell in
        let isLast = index == row.count - 1 && !endsInExcerpt
        return Output.safe(cell).clipped(to: isLast ? Table.widestLastCell : Table.widestCell)
      }
    }
    let count = rows.map(\.count).max() ?? 0
    let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].columns : 0 }.max() ?? 0 }
    return rows.flatMap { row in
      let line = spaces(indent) + zip(row, widths).map { $0.padded(to: $1) }.joined(separator: "  ").trimmedAtEnd
      guard let width = Output.terminalWidth, line.columns > width else { return [line] }
      return endsInExcerpt ? [line.clipped(to: width)] : folded(row, widths, indent, to: width)
    }
  }

  /// A row on several lines: first the cells that fit side by side, then the words of the others.
  private func folded(_ row: [String], _ widths: [Int], _ indent: Int, to width: Int) -> [String] {
    var (lines, line) = ([String](), spaces(indent))
    for (cell, column) in zip(row, widths) {
      if line.columns + cell.columns > width, width - line.columns < Table.narrowestText {
        lines.append(line.trimmedAtEnd)
        line = spaces(indent + 4)
      }
      let start = line.columns
      let parts = Output.wrap(cell, width: max(1, width - start))
      for part in parts.dropLast() {
        lines.append(line + part)
        line = spaces(start)
      }
      line += (parts.last ?? "").padded(to: parts.count == 1 ? column : 0) + "  "
    }
    return lines + [line.trimmedAtEnd]
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}

extension String {
  fileprivate var trimmedAtEnd: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
