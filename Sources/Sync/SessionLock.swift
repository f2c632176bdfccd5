import Dispatch
import Glibc

/// Lets one program at a time renew the session of an account. It is given back with the last reference.
final class SessionLock: Sendable {
  private static let queue = DispatchQueue(label: "session-lock", attributes: .concurrent)
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// - Parameters:
  ///   - folder: the account's; where no file can be made in it there is nothing to wait for.
  ///   - patience: how long to wait for another program, in milliseconds. Its own requests are limited to less.
  /// - Returns: `nil` if the time was over.
  static func take(in folder: String, patience: Int64 = 60_000) async -> SessionLock? {
    let descriptor = open(folder + "/session.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return SessionLock(-1) }
    let lock = SessionLock(descriptor)
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return lock }
    return await withCheckedContinuation { continuation in
      queue.async {
        // No system call waits for this lock with a limit; threads of tasks must not wait at all.
        var waited: Int64 = 0
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, waited < patience {
          usleep(20_000)
          waited += 20
        }
        continuation.resume(returning: waited < patience ? lock : nil)
      }
    }
  }
}
