import Dispatch
import Glibc
import SQLiteKit

/// A lock that lets one program at a time renew an account's session. It is released with the last reference.
final class SessionLock: Sendable {
  private static let queue = DispatchQueue(label: "session-lock", attributes: .concurrent)
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// - Parameters:
  ///   - folder: the account's folder. If the lock file can't be created there, the result locks nothing.
  ///   - timeout: how long to wait for another program, in milliseconds. That program's requests have a shorter limit.
  /// - Returns: `nil` after that time.
  static func take(in folder: String, timeout: Int64 = 60_000) async -> SessionLock? {
    let descriptor = PrivateFiles.openOrCreate(folder + "/session.lock", O_RDWR)
    guard descriptor >= 0 else { return SessionLock(-1) }
    let lock = SessionLock(descriptor)
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return lock }
    return await withCheckedContinuation { continuation in
      queue.async {
        // flock has no timeout, so poll. This runs on a queue because a task's thread must not block.
        var waited: Int64 = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, waited < timeout {
          usleep(20_000)
          waited += 20
        }
        continuation.resume(returning: waited < timeout ? lock : nil)
      }
    }
  }
}
