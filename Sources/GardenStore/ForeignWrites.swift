import Dispatch
import Glibc
import Storage

/// Tells when another program may have changed the file. Sleeps until the kernel wakes it.
///
/// Every store touches the file after it has committed. The writes themselves would tell too early: SQLite makes a
/// transaction visible through shared memory, which nobody can watch, after the last write to a file.
final class ForeignWrites {
  private let source: any DispatchSourceRead

  /// - Parameter onTouch: called on `queue` after each touch, also one by the own store.
  /// - Throws: the `errno` of the failure.
  init(folder: String, queue: DispatchQueue, onTouch: @escaping @Sendable () -> Void) throws(PrivateFiles.Failure) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
    guard descriptor >= 0 else { throw PrivateFiles.Failure(path: folder, systemError: errno) }
    guard inotify_add_watch(descriptor, folder, UInt32(IN_ATTRIB)) >= 0 else {
      let systemError = errno
      close(descriptor)
      throw PrivateFiles.Failure(path: folder, systemError: systemError)
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      // What happened does not matter: the database itself says whether there is something new.
      var buffer = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
      onTouch()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }
}
