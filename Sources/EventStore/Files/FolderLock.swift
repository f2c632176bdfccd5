import Glibc
import SQLiteKit

/// Keeps the folder of a garden from being cleared while programs have it open.
///
/// Every open store holds the shared lock. Setting a damaged file aside needs the exclusive lock.
final class FolderLock {
  private static let name = "/garden.lock"

  private let descriptor: Int32

  /// Takes the shared lock, waiting while another program holds it exclusively.
  /// - Returns: `nil` if the lock file can't be created: such a folder can't be cleared either.
  init?(folder: String, patience milliseconds: Int32) throws(StoreError) {
    descriptor = open(folder + FolderLock.name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard FolderLock.retry(for: milliseconds, { [descriptor] in flock(descriptor, LOCK_SH | LOCK_NB) == 0 }) else {
      throw .busy
    }
  }

  deinit { close(descriptor) }

  /// Takes the exclusive lock, waiting for other holders.
  /// - Returns: `false` if that took too long; then the lock is shared as before.
  func takeAlone(patience milliseconds: Int32) -> Bool {
    if FolderLock.retry(for: milliseconds, { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }) { return true }
    // A failed change of a lock may have dropped it.
    share()
    return false
  }

  /// Whether the folder has once held a complete file.
  var isMarked: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_size > 0
  }

  /// Whether a folder that isn't open has once held a complete file.
  static func isMarked(in folder: String) -> Bool { !PrivateFiles.isEmpty(folder + name) }

  func mark() {
    // A missing mark only means that an emptied file is taken for a new one.
    if !isMarked { pwrite(descriptor, "1", 1, 0) }
  }

  func share() { flock(descriptor, LOCK_SH) }

  /// Retries until it succeeds or the time is over.
  static func retry(for milliseconds: Int32, _ attempt: () -> Bool) -> Bool {
    var waited: Int32 = 0
    while !attempt() {
      guard waited < milliseconds else { return false }
      // flock has no timeout, so poll. The lock is contended only while a damaged file is repaired.
      usleep(5000)
      waited += 5
    }
    return true
  }
}
