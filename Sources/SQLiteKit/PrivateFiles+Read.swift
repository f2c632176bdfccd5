import Glibc

extension PrivateFiles {
  /// Reads a file.
  /// - Parameter orEmpty: whether a missing file counts as empty.
  package static func read(_ path: String, orEmpty: Bool = false) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT, orEmpty { return [] }
    guard descriptor >= 0 else { throw Failure(path: path, systemError: errno) }
    defer { close(descriptor) }
    return try readAll(descriptor, path)
  }

  /// Reads a file in a folder that others may write to: no link, pipe or device is opened in its place.
  /// - Parameter followsLinks: whether the path may be a link to the file, as users make for their settings.
  package static func readFile(_ path: String, followsLinks: Bool = false) throws(Failure) -> [UInt8] {
    // Without O_NONBLOCK, opening a pipe waits for a writer.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW))
    guard descriptor >= 0 else { throw Failure(path: path, systemError: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(path: path, systemError: errno) }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG else { throw Failure(path: path, systemError: kind == S_IFDIR ? EISDIR : EINVAL) }
    return try readAll(descriptor, path)
  }

  /// Passes the content of a file to `body` while no other program does the same. Does nothing if another program does,
  /// or if the file is gone or not a regular file.
  package static func readExclusively(_ path: String, _ body: ([UInt8]) throws -> Void) throws {
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT || errno == ELOOP { return }
    guard descriptor >= 0 else { throw Failure(path: path, systemError: errno) }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure(path: path, systemError: errno) }
    guard status.st_nlink > 0, status.st_mode & S_IFMT == S_IFREG else { return }
    try body(try readAll(descriptor, path))
  }

  /// Reads from the descriptor's current position to the end.
  static func readAll(_ descriptor: Int32, _ path: String) throws(Failure) -> [UInt8] {
    try read(descriptor, path, limit: .max) ?? []
  }

  /// Reads from the descriptor's current position to the end.
  /// - Returns: `nil` if there are more than `limit` bytes.
  package static func read(_ descriptor: Int32, _ path: String, limit: Int) throws(Failure) -> [UInt8]? {
    var status = stat()
    // Only the size of a regular file is known before reading.
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > limit { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Failure(path: path, systemError: errno) }
      if count == 0 { return bytes }
      guard count <= limit - bytes.count else { return nil }
      bytes += buffer[..<count]
    }
  }
}
