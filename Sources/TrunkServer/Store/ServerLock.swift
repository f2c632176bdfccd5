import Glibc
import SQLiteKit

/// Keeps a second server from serving the same folder, for as long as it lives. Each of two servers would send only its
/// own rows to live connections, and would number them without knowing the other's.
final class ServerLock: Sendable {
  private let descriptor: Int32

  /// - Throws: `ServerProblem.inUse` if another server has the folder, `PrivateFiles.Failure`.
  init(folder: String) throws {
    // Not the database itself: closing a file drops the locks of every SQLite connection of this process to it.
    let path = folder + "/lock"
    let descriptor = PrivateFiles.openOrCreate(path, O_RDWR | O_NOFOLLOW)
    guard descriptor >= 0 else { throw PrivateFiles.Failure(path: path, systemError: errno) }
    guard ServerLock.take(descriptor) else {
      let code = errno
      close(descriptor)
      throw code == EWOULDBLOCK ? ServerProblem.inUse(folder) : PrivateFiles.Failure(path: path, systemError: code)
    }
    self.descriptor = descriptor
  }

  /// Whether a server has the folder.
  static func isHeld(folder: String) throws(PrivateFiles.Failure) -> Bool {
    let path = folder + "/lock"
    let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return false }
    guard descriptor >= 0 else { throw PrivateFiles.Failure(path: path, systemError: errno) }
    // Releases the lock, which other programs may ask for in the same way.
    defer { close(descriptor) }
    if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return false }
    guard errno == EWOULDBLOCK else { throw PrivateFiles.Failure(path: path, systemError: errno) }
    return true
  }

  /// Waits for a moment, because `isHeld` takes the lock for one.
  private static func take(_ descriptor: Int32) -> Bool {
    for _ in 0..<5 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(20_000)
    }
    errno = EWOULDBLOCK
    return false
  }

  deinit { close(descriptor) }
}
