import Glibc

extension PrivateFiles {
  /// A file that this program creates and writes under an unused name. A link planted there is never followed. While
  /// this value exists, other programs can tell that the file is being written.
  package final class NewFile {
    package let path: String
    private let descriptor: Int32

    /// Creates the file, empty.
    package init(_ path: String) throws(Failure) {
      self.path = path
      descriptor = create(path, O_RDWR)
      guard descriptor >= 0 else { throw Failure(path: path, systemError: errno) }
      // On file systems without locks, no file is considered abandoned either.
      flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit { close(descriptor) }

    /// Appends a text and waits until it is on disk.
    package func write(_ text: String) throws(Failure) {
      var text = text
      let problem = text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
      if let problem { throw Failure(path: path, systemError: problem) }
    }

    /// Appends bytes and waits until they are on disk.
    package func write(_ bytes: [UInt8]) throws(Failure) {
      if let problem = bytes.withUnsafeBytes(append) { throw Failure(path: path, systemError: problem) }
    }

    /// - Returns: an `errno`; `nil` if everything is on disk.
    private func append(_ bytes: UnsafeRawBufferPointer) -> Int32? {
      var written = 0
      while written < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return errno }
        written += count
      }
      return fsync(descriptor) == 0 ? nil : errno
    }

    /// Reads what is on disk rather than in the page cache.
    package func readBack() throws(Failure) -> [UInt8] {
      posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Failure(path: path, systemError: errno) }
      return try PrivateFiles.readAll(descriptor, path)
    }

    /// Removes a file that a program created and didn't finish, unless one is writing it now. A link itself is removed,
    /// not its target. A file that can't be removed only takes up space.
    package static func removeIfAbandoned(_ path: String) {
      let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      defer { if descriptor >= 0 { close(descriptor) } }
      if descriptor < 0 || flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
    }
  }

  /// Replaces a file completely or not at all: writes a temporary file beside it, readable only by its owner, and
  /// renames it. A link stays, and the file that it leads to is replaced: users keep files in other folders.
  /// - Parameter isDurable: whether the new name is on disk too before this returns.
  package static func replace(_ path: String, with bytes: [UInt8], isDurable: Bool) throws(Failure) {
    guard let target = isLink(path) ? resolved(path) : path else { throw Failure(path: path, systemError: errno) }
    let temporary = target + "." + String(UInt32.random(in: 0 ... .max), radix: 36)
    do throws(Failure) {
      let file = try NewFile(temporary)
      do throws(Failure) {
        try file.write(bytes)
        try rename(temporary, to: target)
      } catch {
        unlink(temporary)
        throw error
      }
      if isDurable { try sync(folder: folder(of: target)) }
    } catch {
      throw Failure(path: target, systemError: error.systemError)
    }
  }
}
