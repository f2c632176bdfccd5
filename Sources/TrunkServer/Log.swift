import Glibc

/// One line to a stream, written at once, with nothing in it that a terminal would obey. What goes in never has a token, a code, an address or text of a journal;
/// only printed codes do, which somebody has asked for.
public enum Log {
  public static func printLine(_ line: String) { write(line, to: STDOUT_FILENO) }

  /// To standard error, where the system's log takes it from.
  public static func note(_ line: String) { write(line, to: STDERR_FILENO) }

  /// The text with `\u{…}` in the place of everything that a terminal could obey, or that changes the order of what is
  /// shown; a tab stays.
  public static func visible(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.isTerminalControl && $0 != "\t" }) else { return text }
    return text.unicodeScalars.reduce(into: "") { out, scalar in
      if scalar.isTerminalControl, scalar != "\t" {
        out += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        out.unicodeScalars.append(scalar)
      }
    }
  }

  private static func write(_ line: String, to descriptor: Int32) {
    var line = visible(line) + "\n"
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }
}

extension Unicode.Scalar {
  /// Control characters, also those above ASCII, line and paragraph separators, and what changes the writing direction.
  var isTerminalControl: Bool {
    properties.isBidiControl || [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
  }
}
