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
      descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw Failure(path: path, systemError: errno) }
      // On file systems without locks, no file is considered abandoned either.
      flock(descriptor, LOCK_EX | LOCK_NB)
    }

    deinit { close(descriptor) }

    /// Appends a text and waits until it is on disk.
    package func write(_ text: String) throws(Failure) {
      var text = text
      let problem = text.withUTF8 { bytes -> Int32? in
        var written = 0
        while written < bytes.count {
          let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
          if count < 0 && errno == EINTR { continue }
          if count < 0 { return errno }
          written += count
        }
        return fsync(descriptor) == 0 ? nil : errno
      }
      if let problem { throw Failure(path: path, systemError: problem) }
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
}
