import Glibc
import SQLiteKit

/// Keeps the garden's files from being set aside while other programs have them open.
///
/// Every open store holds the shared lock. Setting a damaged file aside needs the exclusive lock.
final class FolderLock {
  private static let name = "/garden.lock"

  private let descriptor: Int32

  /// Takes the shared lock, waiting while another program holds it exclusively.
  /// - Returns: `nil` if the lock file can't be created. Files in such a folder can't be set aside either.
  init?(folder: String, timeout milliseconds: Int32) throws(StoreError) {
    descriptor = PrivateFiles.openOrCreate(folder + FolderLock.name, O_RDWR)
    guard descriptor >= 0 else { return nil }
    try takeShared(timeout: milliseconds)
  }

  deinit { close(descriptor) }

  /// Takes the exclusive lock, waiting until other holders release theirs.
  /// - Parameter isNeedless: ends the wait early.
  /// - Returns: `false` if the wait ended without the lock; then the lock is shared as before.
  /// - Throws: `busy` if another program has it exclusively now. Then this one has no lock.
  func takeExclusive(
    timeout milliseconds: Int32, unless isNeedless: () -> Bool = { false }
  ) throws(StoreError) -> Bool {
    var isExclusive = false
    _ = FolderLock.retry(for: milliseconds) {
      isExclusive = flock(descriptor, LOCK_EX | LOCK_NB) == 0
      return isExclusive || isNeedless()
    }
    // A failed upgrade has released the shared lock, see flock(2).
    if !isExclusive { try takeShared(timeout: milliseconds) }
    return isExclusive
  }

  /// Whether the folder has held a complete file before.
  var isMarked: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_size > 0
  }

  /// Whether a folder has held a complete file before, without opening it.
  static func isMarked(in folder: String) -> Bool { !PrivateFiles.isEmpty(folder + name) }

  func mark() {
    // If the mark can't be written, a file that later loses all content is mistaken for a new one.
    if !isMarked { pwrite(descriptor, "1", 1, 0) }
  }

  /// Makes an exclusive lock shared, which can't fail.
  func share() { flock(descriptor, LOCK_SH) }

  private func takeShared(timeout milliseconds: Int32) throws(StoreError) {
    guard FolderLock.retry(for: milliseconds, { flock(descriptor, LOCK_SH | LOCK_NB) == 0 }) else { throw .busy }
  }

  /// Calls `attempt` until it returns true or the time, in milliseconds, is over.
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
