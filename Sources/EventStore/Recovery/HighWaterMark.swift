import Glibc
import SQLiteKit

/// The largest `seq` that was acknowledged as being on the disk, in a small file beside the database.
///
/// SQLite silently drops everything after a damaged place in its write-ahead log. `seq` only grows, even when events
/// are removed, so a database whose last `seq` is below the mark has lost acknowledged events.
///
/// The mark is written after the commit, so it is never above what is on the disk. The write is not synced, because
/// that would take as long as the commit itself. After a power failure the mark may be slightly low, which never raises
/// a false alarm.
final class HighWaterMark {
  private let descriptor: Int32
  /// The value that was last read from or written to the file.
  private var known: Int64 = 0

  /// The largest plausible mark: an entry each second for thirty years. The size of a damaged file doesn't tell how
  /// many entries it has lost, so there is no tighter limit.
  static let limit: Int64 = 1_000_000_000

  static func path(in folder: String) -> String { folder + "/garden.mark" }

  /// Creates the file if it is missing.
  /// - Returns: `nil` if it can't be written.
  init?(folder: String) {
    descriptor = PrivateFiles.openOrCreate(HighWaterMark.path(in: folder), O_RDWR | O_NOFOLLOW)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Returns the mark of a folder; 0 if it is missing or damaged.
  static func value(in folder: String) -> Int64 {
    let descriptor = open(path(in: folder), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    return value(descriptor)
  }

  /// Raises the mark to `seq` if it is lower. A failure is not reported: the commit is on the disk, and only its later
  /// loss might go unnoticed.
  func raise(to seq: Int64) {
    guard seq > known else { return }
    // Another program may have raised it.
    known = HighWaterMark.value(descriptor)
    guard seq > known else { return }
    let digits = String(seq)
    let number = String(repeating: "0", count: 20 - digits.count) + digits
    // An unreadable mark may be longer than a valid one.
    if known == 0 { ftruncate(descriptor, 0) }
    // Written twice, so that a damaged mark is detected. The length never changes and fits into one disk sector.
    let bytes = Array("\(number) \(number)\n".utf8)
    guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { return }
    known = seq
    // Makes the kernel write the mark now, rather than within half a minute, without waiting for it.
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }

  private static func value(_ descriptor: Int32) -> Int64 {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count == 42, bytes[20] == UInt8(ascii: " "), bytes[..<20] == bytes[21..<41],
      let seq = Int64(String(decoding: bytes[..<20], as: UTF8.self)), (0...limit).contains(seq)
    else { return 0 }
    return seq
  }
}
