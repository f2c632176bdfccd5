import CGLib
import Glibc
import Localization
import SyncEngine
import TrunkModel

/// Output for people and scripts. Text from the garden goes through `Output.safe`, so that a title from another device
/// can't control the terminal.
enum Output {
  static func write(_ text: String) {
    end(ifFailed: send(text, to: STDOUT_FILENO))
  }

  /// Writes bytes unchanged, because they are not text.
  static func write(_ bytes: [UInt8]) {
    end(ifFailed: bytes.withUnsafeBytes { send($0, to: STDOUT_FILENO) })
  }

  private static func end(ifFailed code: Int32?) {
    guard let code else { return }
    writeMessage(tr("The output could not be written: {reason}.", ["reason": String(cString: strerror(code))]))
    exit(Exit.file.rawValue)
  }

  static func write(_ lines: [String]) { write(lines.joined(separator: "\n")) }

  static func write(_ json: JSON) { write(text(json)) }

  /// Writes the JSON of an answer as one line, for programs that read lines.
  static func writeLine(_ json: JSON) { write(escaped(json.compactText)) }

  /// The JSON of an answer. A terminal may show it, so characters that could control the terminal are escaped.
  static func text(_ json: JSON) -> String { escaped(json.prettyText) }

  private static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    // Only strings contain such characters, so escaping them doesn't change the JSON. Line breaks belong to the layout.
    for scalar in text.unicodeScalars {
      guard scalar.steersTerminal, scalar != "\n" else {
        result.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      result.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars)
    }
    return String(result)
  }

  /// Prints questions, hints and errors on standard error.
  static func writeMessage(_ text: String) {
    // If this fails, the error can't be reported anywhere.
    _ = send(text, to: STDERR_FILENO)
  }

  /// Reports which entries a sync removed from this computer.
  static func writeMessage(about removal: Removal?) {
    if let removal { writeMessage(removal.terminalWords) }
  }

  /// The text as one line: control characters and line breaks become spaces.
  static func safe(_ text: String) -> String {
    safe(text, keepingLines: false)
  }

  /// The text as one line, with parts of it emphasized on a terminal.
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

  /// A journal text with every line indented and, on a terminal, wrapped.
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
  /// Whether standard output is a terminal that shows bold text, and the user hasn't declined it (see no-color.org).
  private static var canEmphasize: Bool {
    guard isatty(STDOUT_FILENO) == 1, getenv("TERM").map({ String(cString: $0) }) != "dumb" else { return false }
    return getenv("NO_COLOR").map { $0.pointee == 0 } ?? true
  }

  /// The width of the terminal in columns; `nil` if standard output is not a terminal.
  fileprivate static var terminalWidth: Int? {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }

  /// - Returns: the `errno` if not everything was written, otherwise `nil`.
  private static func send(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text.hasSuffix("\n") ? text : text + "\n"
    return text.withUTF8 { send(UnsafeRawBufferPointer($0), to: descriptor) }
  }

  private static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var sent = 0
    while sent < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: sent), bytes.count - sent)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return errno }
      sent += count
    }
    return nil
  }

  private static func safe(_ text: String, keepingLines: Bool) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if !scalar.steersTerminal || scalar == "\n" && keepingLines {
        result.append(scalar)
      } else if !scalar.properties.isBidiControl {
        result.append(" ")
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

extension Unicode.Scalar {
  /// Whether it is a control character, a line break, or a character that could change how a line reads by changing its
  /// direction.
  fileprivate var steersTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: properties.isBidiControl
    default: false
    }
  }
}

extension String {
  /// The width of the text in terminal columns.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// Padded with spaces to a width in columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }

  /// Cut to a width in columns, with an ellipsis if something was cut.
  func clipped(to width: Int) -> String {
    // Don't measure a very long text to its end.
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
  /// 2 for East Asian wide characters and emoji, 0 for combining characters, otherwise 1.
  fileprivate var columns: Int {
    if unicodeScalars.contains(where: { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }) { return 2 }
    return unicodeScalars.map { scalar in
      g_unichar_iszerowidth(scalar.value) != 0 ? 0 : g_unichar_iswide(scalar.value) != 0 ? 2 : 1
    }.max() ?? 0
  }
}

/// Rows with aligned columns. If a row doesn't fit the terminal, it continues on the next line.
struct Table {
  let rows: [[String]]
  /// Whether the last column is an excerpt, which is cut so that a row fits on one line.
  var endsInExcerpt = false

  /// The widest cell in columns. Longer cells are cut: a title from another device may have any length.
  private static let widestCell = 60
  /// The widest last cell in columns; it may contain whole sentences.
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
