import Glibc
import Logging

/// The server's log, and the output of commands. Both write single lines immediately, without characters that a
/// terminal would interpret.
///
/// Callers never pass tokens, codes, addresses or journal text. The only exception is codes that the administrator
/// asked to print.
public enum ServerLog {
  /// The server's log. Call `start` before the first use.
  public static let log = Logger(label: "trunk-server")

  /// Sends the log to standard error, where the system's journal reads it. A program calls it at most once.
  public static func start(level: Logger.Level, format: LogFormat) {
    let isJournal = LineLogHandler.isJournal(STDERR_FILENO, getenv("JOURNAL_STREAM").map { String(cString: $0) })
    LoggingSystem.bootstrap { _ in
      LineLogHandler(level: level, format: format, isJournal: isJournal) { complain($0) }
    }
  }

  /// Prints a line of a command's output.
  public static func printLine(_ line: String) { write(line, to: STDOUT_FILENO) }

  /// Prints why a command failed.
  public static func complain(_ line: String) { write(line, to: STDERR_FILENO) }

  /// The text with `\u{…}` in place of all characters that a terminal could interpret or that change the direction of
  /// the text. Tabs stay.
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
  /// Control characters including those beyond ASCII, line and paragraph separators, and changes of writing direction.
  var isTerminalControl: Bool {
    properties.isBidiControl || [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
  }
}
