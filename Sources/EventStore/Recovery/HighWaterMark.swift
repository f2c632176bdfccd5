import Glibc
import SQLiteKit
import TrunkModel

/// The largest `seq` that was acknowledged as being on the disk, in a small file beside the database, and the newest
/// event that the log had then, and which file it was.
///
/// SQLite silently drops everything after a damaged place in its write-ahead log. `seq` only grows, even when events
/// are removed, so a database whose last `seq` is below the mark has lost acknowledged events. One that has reached it
/// but lacks that event is another garden's, which has replaced the file.
///
/// The mark is written after the commit, so it is never above what is on the disk. The write is not synced, because
/// that would take as long as the commit itself. After a power failure the mark may be slightly low, which never raises
/// a false alarm. For the same reason the event is forgotten, and that is synced, before a commit that removes it.
final class HighWaterMark {
  /// An event, as the mark knows it.
  struct Newest: Equatable {
    let seq: Int64
    /// The SHA-256 of its text, in hexadecimal.
    let digest: String
  }

  /// What tells a file from another one on this computer. A copy of it differs, too.
  struct File: Equatable {
    let device: UInt64
    let number: UInt64

    /// - Returns: `nil` if there is no such file.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
    }

    fileprivate init(device: UInt64, number: UInt64) { (self.device, self.number) = (device, number) }
  }

  /// The content of the file.
  struct Value: Equatable {
    var seq: Int64 = 0
    /// `nil` if an earlier version wrote the mark, or if the event was removed since.
    var newest: Newest?
    /// The database; `nil` if an earlier version wrote the mark.
    var file: File?
  }

  private let descriptor: Int32
  /// What was last read from or written to the file.
  private var known = Value()

  /// The largest plausible mark: an entry each second for thirty years. The size of a damaged file doesn't tell how
  /// many entries it has lost, so there is no tighter limit.
  static let limit: Int64 = 1_000_000_000

  static func path(in folder: String) -> String { folder + "/garden.mark" }

  /// Creates the file if it is missing.
  /// - Returns: `nil` if it can't be written.
  convenience init?(folder: String) {
    self.init(PrivateFiles.openOrCreate(HighWaterMark.path(in: folder), O_RDWR | O_NOFOLLOW))
  }

  private init?(_ descriptor: Int32) {
    self.descriptor = descriptor
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// Returns the mark of a folder; 0 and no event if it is missing or damaged.
  static func value(in folder: String) -> Value {
    let descriptor = open(path(in: folder), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return Value() }
    defer { close(descriptor) }
    return value(descriptor)
  }

  /// Raises the mark if it is lower, or lacks its event. A failure is not reported: the commit is on the disk, and only
  /// its later loss might go unnoticed.
  func raise(to value: Value) {
    guard isAbove(value, known) else { return }
    // Another program may have raised it.
    known = HighWaterMark.value(descriptor)
    guard isAbove(value, known) else { return }
    // An unreadable mark may be longer than a valid one.
    if known.seq == 0 { ftruncate(descriptor, 0) }
    guard write(value) else { return }
    // Makes the kernel write the mark now, rather than within half a minute, without waiting for it.
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED)
  }

  private func isAbove(_ value: Value, _ other: Value) -> Bool {
    value.seq > other.seq
      || value.seq == other.seq && (other.newest == nil && value.newest != nil || value.file != other.file)
  }

  /// Forgets the event if a transaction has removed it or changed its text. Call it before that is committed.
  func forgetNewest(unlessIn database: Database) throws {
    known = HighWaterMark.value(descriptor)
    if let newest = known.newest, try !database.has(newest) { forgetNewest() }
  }

  /// Forgets the event before a recovery changes the numbers and the texts.
  static func forgetNewest(in folder: String) {
    guard let mark = HighWaterMark(open(path(in: folder), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) else { return }
    mark.known = value(mark.descriptor)
    if mark.known.newest != nil { mark.forgetNewest() }
  }

  private func forgetNewest() {
    // If this fails, a sound file is mistaken for another garden's. Its entries are kept then, too.
    if write(Value(seq: known.seq, file: known.file)) { fdatasync(descriptor) }
  }

  /// Records that the database of a folder is another file now, such as a copy.
  static func record(_ file: File, in folder: String) {
    guard let mark = HighWaterMark(folder: folder) else { return }
    var new = value(mark.descriptor)
    new.file = file
    // If this fails, the next opening compares the file with its log again.
    _ = mark.write(new)
  }
}

extension HighWaterMark {
  private static let numberLength = 20
  private static let digestLength = 64
  /// The lengths in bytes of the first line, which earlier versions wrote alone, of the second and of the third.
  private static let lengths = [
    2 * numberLength + 2, 2 * (numberLength + digestLength) + 4, 4 * numberLength + 4,
  ]

  private func write(_ value: Value) -> Bool {
    let (newest, file) = (value.newest ?? Newest(seq: 0, digest: ""), value.file ?? File(device: 0, number: 0))
    let (number, digest) = (HighWaterMark.numberLength, HighWaterMark.digestLength)
    let lines = [
      HighWaterMark.padded(String(value.seq), number),
      HighWaterMark.padded(String(newest.seq), number) + " " + HighWaterMark.padded(newest.digest, digest),
      HighWaterMark.padded(String(file.device), number) + " " + HighWaterMark.padded(String(file.number), number),
    ]
    // Each line has its text twice, so that a damaged mark is detected. The length never changes and fits into one disk
    // sector.
    let bytes = Array(lines.map { "\($0) \($0)\n" }.joined().utf8)
    guard pwrite(descriptor, bytes, bytes.count, 0) == bytes.count else { return false }
    known = value
    return true
  }

  private static func padded(_ text: String, _ length: Int) -> String {
    String(repeating: "0", count: max(0, length - text.count)) + text
  }

  private static func value(_ descriptor: Int32) -> Value {
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let (first, second, all) = (lengths[0], lengths[0] + lengths[1], lengths.reduce(0, +))
    guard [first, all].contains(count), let seq = number(twice(bytes[..<first])) else { return Value() }
    guard count == all else { return Value(seq: seq) }
    return Value(seq: seq, newest: newest(twice(bytes[first..<second])), file: file(twice(bytes[second..<all])))
  }

  private static func newest(_ text: ArraySlice<UInt8>?) -> Newest? {
    guard let text, let seq = number(text.prefix(numberLength)), seq > 0 else { return nil }
    return Newest(seq: seq, digest: String(decoding: text.suffix(digestLength), as: UTF8.self))
  }

  private static func file(_ text: ArraySlice<UInt8>?) -> File? {
    guard let text, let device = UInt64(String(decoding: text.prefix(numberLength), as: UTF8.self)),
      let number = UInt64(String(decoding: text.suffix(numberLength), as: UTF8.self)), number > 0
    else { return nil }
    return File(device: device, number: number)
  }

  /// Returns the text of a line that has it twice.
  private static func twice(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let (first, second) = (line.prefix(line.count / 2 - 1), line.dropFirst(line.count / 2).dropLast())
    return first.elementsEqual(second) && line[line.startIndex + first.count] == UInt8(ascii: " ") ? first : nil
  }

  private static func number(_ digits: ArraySlice<UInt8>?) -> Int64? {
    digits.flatMap { Int64(String(decoding: $0, as: UTF8.self)) }.flatMap { (0...limit).contains($0) ? $0 : nil }
  }
}

extension Database {
  /// The largest `seq` that was ever assigned, and the newest event.
  func acknowledged() throws -> HighWaterMark.Value {
    let newest = try first("SELECT seq, sha256 FROM events ORDER BY seq DESC LIMIT 1") { row in
      HighWaterMark.Newest(seq: row.integer(0), digest: row.blob(1).hexadecimal)
    }
    return HighWaterMark.Value(seq: try lastSequence, newest: newest)
  }

  /// Whether the log has the event under its number. If it is damaged, its text or its recorded hash is still right.
  fileprivate func has(_ newest: HighWaterMark.Newest) throws -> Bool {
    try first("SELECT sha256, raw FROM events WHERE seq = ?", .integer(newest.seq)) { row in
      row.blob(0).hexadecimal == newest.digest || SHA256().digest(of: row.bytes(1)).hexadecimal == newest.digest
    } ?? false
  }

  /// Whether the log has the event, perhaps under another number.
  func hasAnywhere(_ newest: HighWaterMark.Newest) throws -> Bool {
    if try has(newest) { return true }
    return try integer("SELECT EXISTS (SELECT 1 FROM events WHERE lower(hex(sha256)) = ?)", .text(newest.digest)) == 1
  }
}
