import Dispatch
import Glibc
import SQLiteKit

/// Reports when another program may have changed the file, without polling.
///
/// Every store touches the file after a commit. Watching the writes would report too early: SQLite makes a transaction
/// visible through shared memory, which can't be watched, after the last write to a file.
final class ExternalWrites {
  private let source: any DispatchSourceRead

  /// - Parameter onTouch: called on `queue` after each touch, including those by the same store.
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
      // The content of inotify's events doesn't matter: the database itself shows whether it has changed.
      var buffer = [UInt8](repeating: 0, count: 4096)
      while read(descriptor, &buffer, buffer.count) > 0 {}
      onTouch()
    }
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }
}

/// The listeners for writes by other stores.
struct Listeners {
  /// The watch on the file; `nil` without listeners.
  var source: ExternalWrites?
  var streams: [Int: AsyncStream<Void>.Continuation] = [:]
  /// The number of listeners added so far. It numbers the next one.
  var count = 0
  /// SQLite's `data_version` when the listeners were last notified.
  var dataVersion: Int64 = 0
}

extension EventStore {
  /// Yields whenever another program, or another store of this program, has written: events after `lastSeq`, a new
  /// `generation`, a draft or a checkpoint. Several writes may be reported as one.
  public func changes() throws(StoreError) -> AsyncStream<Void> {
    if listeners.source == nil {
      listeners.dataVersion = try currentDataVersion()
      do throws(PrivateFiles.Failure) {
        listeners.source = try ExternalWrites(folder: folder, queue: executor.queue) { [weak self] in
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
    // `data_version` changes only when another connection has written. If it can't be read, notify the listeners: their
    // own reads will fail with the reason.
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
