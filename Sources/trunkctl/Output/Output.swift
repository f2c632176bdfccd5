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

  /// Without lines, writes nothing, not even an empty line.
  static func write(_ lines: [String]) {
    if !lines.isEmpty { write(lines.joined(separator: "\n")) }
  }

  static func write(_ json: JSON) { write(text(json)) }

  /// Writes the JSON of an answer as one line, for programs that read lines.
  static func writeLine(_ json: JSON) { write(line(json)) }

  /// Returns JSON as one line.
  static func line(_ json: JSON) -> String { escaped(json.compactText) }

  /// Returns the text of JSON. A terminal may show it, so characters that could control the terminal are escaped.
  static func text(_ json: JSON) -> String { escaped(json.prettyText) }

  private static func escaped(_ text: String) -> String {
    var result = ""
    // Only strings contain such characters, so escaping them doesn't change the JSON. Line breaks belong to the layout.
    for scalar in text.unicodeScalars {
      guard scalar.controlsTerminal, scalar != "\n" else {
        result.unicodeScalars.append(scalar)
        continue
      }
      let digits = String(scalar.value, radix: 16)
      // Appending several scalars to the view would copy the whole text.
      result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }
    return result
  }

  /// Prints questions, hints and errors on standard error.
  static func writeMessage(_ text: String) {
    // If this fails, the error can't be reported anywhere.
    // A part may come from a server or be the name of a file.
    _ = send(safe(text, keepingLines: true), to: STDERR_FILENO)
  }

  /// Replaces the line on the terminal that says how far a command is; an empty text removes it.
  static func showProgress(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    var line = "\r\u{1B}[K" + safe(text)
    _ = line.withUTF8 { send(UnsafeRawBufferPointer($0), to: STDERR_FILENO) }
  }

  /// Reports which entries a sync removed from this computer.
  static func writeMessage(about removal: Removal?) {
    if let removal { writeMessage(removal.terminalMessage) }
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
  static var terminalWidth: Int? {
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
      if !scalar.controlsTerminal || scalar == "\n" && keepingLines {
        result.append(scalar)
      } else if !scalar.properties.isBidiControl {
        result.append(" ")
      }
    }
    return String(result)
  }

  static func wrap(_ line: String, width: Int?) -> [String] {
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
  fileprivate var controlsTerminal: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    case .format: properties.isBidiControl
    default: false
    }
  }
}
