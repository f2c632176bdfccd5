import CGLib
import Garden
import Glibc
import Localization

/// What the program says. Text for people goes through `Output.safe`, so that a title from elsewhere can't steer the
/// terminal.
enum Output {
  static func write(_ text: String) {
    guard let code = send(text, to: STDOUT_FILENO) else { return }
    complain(tr("The answer could not be written: {reason}.", ["reason": String(cString: strerror(code))]))
    exit(Exit.file.rawValue)
  }

  static func write(_ lines: [String]) { write(lines.joined(separator: "\n")) }

  static func write(_ json: JSON) { write(json.prettyText) }

  /// Says something that is not the answer: questions, hints, errors.
  static func complain(_ text: String) {
    // There is no one else to tell if this can't be written.
    _ = send(text, to: STDERR_FILENO)
  }

  /// One line of somebody's text: control characters and line breaks become spaces.
  static func safe(_ text: String) -> String {
    safe(text, keepingLines: false)
  }

  /// One line of somebody's text with parts of it emphasized on a terminal.
  /// - Parameter marks: ranges of UTF-8 bytes, in order.
  static func emphasized(_ text: String, _ marks: [Range<Int>]) -> String {
    guard canEmphasize else { return safe(text) }
    let bytes = Array(text.utf8)
    func piece(_ range: Range<Int>) -> String {
      safe(String(decoding: bytes[range.clamped(to: bytes.indices)], as: UTF8.self))
    }
    var result = ""
    var end = 0
    for mark in marks where mark.lowerBound >= end {
      result += piece(end..<mark.lowerBound) + "\u{1B}[1m" + piece(mark) + "\u{1B}[0m"
      end = mark.upperBound
    }
    return result + piece(end..<max(end, bytes.count))
  }

  /// A journal text, each of its lines indented and, on a terminal, wrapped.
  static func paragraphs(_ text: String, indent: Int = 2) -> [String] {
    let margin = String(repeating: " ", count: indent)
    return safe(text, keepingLines: true).split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
      wrap(String(line), width: terminalWidth.map { max(20, min($0, 92) - indent) }).map {
        $0.isEmpty ? "" : margin + $0
      }
    }
  }
}

extension Output {
  /// Whether the answer goes to a terminal that shows bold text, and the user hasn't declined it (see no-color.org).
  private static var canEmphasize: Bool {
    guard isatty(STDOUT_FILENO) == 1, getenv("TERM").map({ String(cString: $0) }) != "dumb" else { return false }
    return getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
  }

  /// Columns of the terminal; `nil` if the answer goes elsewhere.
  fileprivate static var terminalWidth: Int? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// - Returns: why not all of it went out, an `errno`.
  private static func send(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text.hasSuffix("\n") ? text : text + "\n"
    return text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
        if count < 0, errno == EINTR { continue }
        if count < 0 { return errno }
        sent += count
      }
      return nil
    }
  }

  private static func safe(_ text: String, keepingLines: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator:
        result.append(scalar == "\n" && keepingLines ? scalar : " ")
      // Direction overrides could make a line read as another.
      case .format where (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value): break
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  fileprivate static func wrap(_ line: String, width: Int?) -> [String] {
    guard let width, line.columns > width else { return [line] }
    var lines: [String] = []
    var current = ""
    for word in line.split(separator: " ") {
      if !current.isEmpty, current.columns + 1 + String(word).columns > width {
        lines.append(current)
        current = ""
      }
      current += current.isEmpty ? String(word) : " " + word
    }
    return lines + [current]
  }
}

extension String {
  /// How many columns of a terminal the text takes.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// Filled with spaces to a width in columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }

  /// Cut to a width in columns, with an ellipsis where something is missing.
  func clipped(to width: Int) -> String {
    // A text of a megabyte need not be measured to its end.
    guard prefix(width + 1).reduce(0, { $0 + $1.columns }) > width else { return self }
    var result = ""
    var columns = 0
    for character in self {
      columns += character.columns
      if columns > width - 1 { break }
      result.append(character)
    }
    return result + "…"
  }
}

extension Character {
  /// 2 for East Asian wide characters and emoji, 0 for what joins with its neighbour, else 1.
  fileprivate var columns: Int {
    if unicodeScalars.contains(where: { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }) { return 2 }
    return unicodeScalars.map { scalar in
      g_unichar_iszerowidth(scalar.value) != 0 ? 0 : g_unichar_iswide(scalar.value) != 0 ? 2 : 1
    }.max() ?? 0
  }
}

/// Rows whose columns stand below each other. Where a terminal is too narrow for a row, it goes on in the next line.
struct Table {
  let rows: [[String]]
  /// The last column is the beginning of a text: it is cut, so that a row is a line.
  var endsInExcerpt = false

  /// Wider cells are cut: a title may come from elsewhere and be of any length.
  private static let widestCell = 60
  /// The last cell of a row holds whole sentences.
  private static let widestLastCell = 400
  /// A text is not squeezed into fewer columns; it begins in the next line then.
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

  /// A row in several lines: the cells that fit beside each other, and the words of those that do not.
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
