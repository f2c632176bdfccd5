import Gardening
import Glibc
import Localization

/// Files that the user names; `-` is standard input or output.
enum Files {
  /// - Throws: a `Failure` that says what to do, also for text that is not UTF-8.
  static func readText(_ path: String) throws -> String {
    let bytes = try path == "-" ? readAll(STDIN_FILENO, name: tr("standard input")) : readFile(path)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure(.file, tr("“{path}” is not text in UTF-8.", ["path": path]))
    }
    return text
  }

  /// Writes a file completely or not at all; only its owner can read it.
  static func write(_ text: String, to path: String) throws {
    if path == "-" { return Output.write(text) }
    do throws(TransferError) { try Gardener.write(text, to: path) } catch { throw Failure(.file, error.message) }
  }

  private static func readFile(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    return try readAll(descriptor, name: path)
  }

  private static func readAll(_ descriptor: Int32, name: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(name) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  private static func unreadable(_ path: String) -> Failure {
    Failure(
      .file, tr("“{path}” can’t be read: {reason}.", ["path": path, "reason": String(cString: strerror(errno))]))
  }
}
