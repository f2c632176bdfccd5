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
    let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.Failure(path: path, systemError: errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw code == EWOULDBLOCK ? ServerProblem.inUse(folder) : PrivateFiles.Failure(path: path, systemError: code)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }
}
