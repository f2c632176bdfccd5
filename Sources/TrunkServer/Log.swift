import Glibc

/// One line to a stream, written at once. What goes in never has a token, a code, an address or text of a journal;
/// only printed codes do, which somebody has asked for.
public enum Log {
  public static func printLine(_ line: String) { write(line, to: STDOUT_FILENO) }

  /// To standard error, where the system's log takes it from.
  public static func note(_ line: String) { write(line, to: STDERR_FILENO) }

  private static func write(_ line: String, to descriptor: Int32) {
    var line = line + "\n"
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
