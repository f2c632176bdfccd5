import Glibc

/// Counts the writes to a folder's files, as the kernel reports them, from its creation on.
public final class FolderChanges: Sendable {
  private let descriptor: Int32

  /// - Parameter folder: an existing folder. Its subfolders are not watched.
  public init(_ folder: String) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    precondition(
      inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY) | UInt32(IN_CREATE)) >= 0, "can't watch \(folder)")
  }

  deinit { close(descriptor) }

  /// Waits for this many writes, or until there was none for `idle` milliseconds.
  public func wait(_ count: Int, idle: Int32 = 100) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    var seen = 0
    while seen < count {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, idle) > 0 else { return }
      let size = read(descriptor, &buffer, buffer.count)
      guard size > 0 else { return }
      seen += FolderChanges.count(buffer.prefix(size))
    }
  }

  /// Each event has a header and a name; the end of the header contains the length of the name.
  private static func count(_ events: ArraySlice<UInt8>) -> Int {
    let header = MemoryLayout<inotify_event>.size
    var (count, place) = (0, 0)
    while place + header <= events.count {
      let length = events[(place + header - 4)..<(place + header)].reversed().reduce(0) { $0 << 8 | Int($1) }
      count += 1
      place += header + length
    }
    return count
  }
}
