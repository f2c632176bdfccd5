import Glibc
import Storage

/// Keeps the folder of a garden from being cleared away under programs that have it open.
///
/// Every open store shares the lock; who sets a damaged file aside needs it alone.
final class FolderLock {
  private static let name = "/garden.lock"

  private let descriptor: Int32

  /// Shares the lock, waiting while somebody has it alone.
  /// - Returns: `nil` where no lock file can be made: nobody can clear such a folder away.
  init?(folder: String, patience milliseconds: Int32) throws(StoreError) {
    descriptor = open(folder + FolderLock.name, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard FolderLock.retry(for: milliseconds, { [descriptor] in flock(descriptor, LOCK_SH | LOCK_NB) == 0 }) else {
      throw .busy
    }
  }

  deinit { close(descriptor) }

  /// Waits until nobody else shares the lock.
  /// - Returns: `false` if that took too long; then it is shared as before.
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

  /// The same for a folder that isn't open.
  static func isMarked(in folder: String) -> Bool { !PrivateFiles.isEmpty(folder + name) }

  func mark() {
    // A missing mark only means that an emptied file is taken for a new one.
    if !isMarked { pwrite(descriptor, "1", 1, 0) }
  }

  func share() { flock(descriptor, LOCK_SH) }

  /// Tries until it works or the time is over.
  static func retry(for milliseconds: Int32, _ attempt: () -> Bool) -> Bool {
    var waited: Int32 = 0
    while !attempt() {
      guard waited < milliseconds else { return false }
      // No system call waits for this lock with a limit. It is only ever contended while a damaged file is repaired.
      usleep(5000)
      waited += 5
    }
    return true
  }
}
