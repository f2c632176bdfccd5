import Glibc

/// The largest `seq` that a program was told is on the disk, kept in a small file beside the database.
///
/// Behind a damaged place in its write-ahead log SQLite drops everything without an error. `seq` only ever grows, also when
/// events are removed, so a database below the mark has lost events that it had acknowledged.
///
/// The mark is written after the commit that it tells of, so it is never above what was on the disk. It is not waited for:
/// that would take as long as the commit itself. After a power failure it may be a moment old, which never raises a false
/// alarm.
final class HighWaterMark {
  private let descriptor: Int32
  /// What this object knows to be in the file.
  private var known: Int64 = 0

  /// No log reaches this number: that would take an entry each second for thirty years. How many entries a lost part of a
  /// file held can't be told from the size of the rest, so this is the only limit.
  static let limit: Int64 = 1_000_000_000

  static func path(in folder: String) -> String { folder + "/garden.mark" }

  /// Makes the file if it is missing.
  /// - Returns: `nil` where it can't be written.
  init?(folder: String) {
    descriptor = open(HighWaterMark.path(in: folder), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// The mark of a folder; 0 if there is none, or none that can be trusted.
  static func value(in folder: String) -> Int64 {
    let descriptor = open(path(in: folder), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    return value(descriptor)
  }

  /// Raises the mark, unless it is there or higher. A mark that can't be written protects less, and the commit that it
  /// tells of is on the disk all the same: there is nothing to report.
  func raise(to seq: Int64) {
    guard seq > known else { return }
    // Another program may have raised it.
    known = HighWaterMark.value(descriptor)
    guard seq > known else { return }
    let digits = String(seq)
    let number = String(repeating: "0", count: 20 - digits.count) + digits
    // What can't be read as a mark may also be longer than one.
    if known == 0 { ftruncate(descriptor, 0) }
    // Twice, so that a damaged mark is not believed. Always of the same length, in one sector of the disk.
    let bytes = Array("\(number) \(number)\n".utf8)
    guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { return }
    known = seq
    // The kernel begins to write it now rather than in half a minute, and nothing waits for it.
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
