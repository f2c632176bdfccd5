import Glibc

/// Counts the writes to a folder's files, as inotify reports them, since this object was created.
public final class FolderChanges: Sendable {
  private let descriptor: Int32

  /// Starts watching.
  /// - Parameter folder: the path of an existing folder. Its subfolders are not watched.
  public init(_ folder: String) {
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    precondition(
      inotify_add_watch(descriptor, folder, UInt32(IN_MODIFY) | UInt32(IN_CREATE)) >= 0, "can't watch \(folder)")
  }

  deinit { close(descriptor) }

  /// Waits for `count` further writes, or until there is none for `idle` milliseconds.
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

  /// Returns the number of events. Each has a header, whose last four bytes are the length of the name after it.
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
