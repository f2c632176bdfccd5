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

/// Who is told of writes by others.
struct Listeners {
  /// There as long as somebody listens.
  var source: ForeignWrites?
  var streams: [Int: AsyncStream<Void>.Continuation] = [:]
  /// How many there have been.
  var count = 0
  /// SQLite's number of the state of which they know.
  var dataVersion: Int64 = 0
}

extension GardenStore {
  /// Yields whenever another program, or another store of this one, has written: something after `lastSeq`, another
  /// `generation`, a draft, a checkpoint. Several writes may come as one.
  public func changes() throws(StoreError) -> AsyncStream<Void> {
    if listeners.source == nil {
      listeners.dataVersion = try currentDataVersion()
      do throws(PrivateFiles.Failure) {
        listeners.source = try ForeignWrites(folder: folder, queue: executor.queue) { [weak self] in
          Task { await self?.lookForForeignWrites() }
        }
      } catch {
        throw failure(error)
      }
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    listeners.count += 1
    let number = listeners.count
    listeners.streams[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.removeListener(number) }
    }
    return stream
  }

  private func lookForForeignWrites() {
    // Changes only when another connection has written. If it can't be read, the listeners will find out why.
    let version = try? currentDataVersion()
    guard version == nil || version != listeners.dataVersion else { return }
    if let version { listeners.dataVersion = version }
    for listener in listeners.streams.values { listener.yield() }
  }

  private func removeListener(_ number: Int) {
    listeners.streams[number] = nil
    if listeners.streams.isEmpty { listeners.source = nil }
  }

  private func currentDataVersion() throws(StoreError) -> Int64 {
    do throws(DatabaseError) { return try database.integer("PRAGMA data_version") } catch { throw failure(error) }
  }
}
