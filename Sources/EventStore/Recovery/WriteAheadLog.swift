import SQLiteKit

/// SQLite's write-ahead log, read also behind a damaged place, where SQLite stops.
///
/// The log is a header of 32 bytes and a row of frames, each a header of 24 bytes and one page. The checksum of a frame
/// continues that of the frame before it, so one damaged frame makes SQLite drop all that follow. Starting from the
/// checksum that the frame before it states, each frame can be checked by itself. See https://www.sqlite.org/fileformat2.html#walformat.
struct WriteAheadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// Where the newest sound form of each page is in `bytes`, by the number of the page.
  private var pages: [Int: Int] = [:]
  /// How many pages the database has after the last commit.
  private(set) var pageCount = 0
  private let pageSize: Int
  private let bytes: [UInt8]

  /// - Returns: `nil` if the log holds no commit that can be read.
  init?(_ bytes: [UInt8]) {
    self.bytes = bytes
    guard bytes.count > WriteAheadLog.headerSize else { return nil }
    let header = Header(bytes)
    guard let pageSize = header.pageSize else { return nil }
    self.pageSize = pageSize
    let frameSize = WriteAheadLog.frameHeaderSize + pageSize
    var pending: [Int: Int] = [:]
    var seed: (UInt32, UInt32)? = header.isSound ? header.checksum : nil
    // The first frame is of the last use of the log; frames of earlier uses may follow the newest one.
    let salts = header.isSound ? header.salts : (WriteAheadLog.word(bytes, 40), WriteAheadLog.word(bytes, 44))
    for start in stride(from: WriteAheadLog.headerSize, through: bytes.count - frameSize, by: frameSize) {
      let (number, count) = (Int(WriteAheadLog.word(bytes, start)), Int(WriteAheadLog.word(bytes, start + 4)))
      let stated = (WriteAheadLog.word(bytes, start + 16), WriteAheadLog.word(bytes, start + 20))
      let isOwn = salts == (WriteAheadLog.word(bytes, start + 8), WriteAheadLog.word(bytes, start + 12))
      // Behind a damaged header the first frame can't be checked; a damaged text in it is found by its hash.
      let sum = seed.map { frameSum(at: start, from: $0, bigEndian: header.isBigEndian) } ?? stated
      seed = stated
      guard isOwn, sum == stated, number > 0, number <= 1 << 30 else { continue }
      pending[number] = start + WriteAheadLog.frameHeaderSize
      if count > 0 {
        pages.merge(pending) { $1 }
        pending = [:]
        pageCount = count
      }
    }
    if pages.isEmpty { return nil }
  }

  /// Puts the pages into a database file, which gets the length that it had after the last commit.
  func write(to path: String) throws(PrivateFiles.Failure) {
    for (number, start) in pages where number <= pageCount {
      try PrivateFiles.overwrite(bytes[start..<(start + pageSize)], at: path, from: (number - 1) * pageSize)
    }
  }

  private func frameSum(at start: Int, from seed: (UInt32, UInt32), bigEndian: Bool) -> (UInt32, UInt32) {
    let head = WriteAheadLog.sum(bytes[start..<(start + 8)], from: seed, bigEndian: bigEndian)
    let page = start + WriteAheadLog.frameHeaderSize
    return WriteAheadLog.sum(bytes[page..<(page + pageSize)], from: head, bigEndian: bigEndian)
  }

  private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    guard start + 4 <= bytes.count else { return 0 }
    return bytes[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The sum that SQLite forms of pairs of words.
  private static func sum(
    _ bytes: ArraySlice<UInt8>, from seed: (UInt32, UInt32), bigEndian: Bool
  ) -> (UInt32, UInt32) {
    bytes.withUnsafeBytes { buffer in
      var (first, second) = seed
      for offset in stride(from: 0, to: buffer.count - 7, by: 8) {
        let left = buffer.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let right = buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
        first = first &+ (bigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left)) &+ second
        second = second &+ (bigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right)) &+ first
      }
      return (first, second)
    }
  }

  private struct Header {
    /// `nil` if it is none that a file of this program has.
    var pageSize: Int?
    var isBigEndian: Bool
    var salts: (UInt32, UInt32)
    var checksum: (UInt32, UInt32)
    var isSound: Bool

    init(_ bytes: [UInt8]) {
      isBigEndian = bytes[3] & 1 == 1
      salts = (word(bytes, 16), word(bytes, 20))
      checksum = (word(bytes, 24), word(bytes, 28))
      isSound =
        word(bytes, 0) & ~1 == 0x377f_0682 && sum(bytes[..<24], from: (0, 0), bigEndian: isBigEndian) == checksum
      let stated = Int(word(bytes, 8))
      pageSize = isSound && Connecting.pageSizes.contains(stated) ? stated : Header.likelyPageSize(bytes)
      // A damaged header does not tell how the sums were formed: this computer's way.
      if !isSound { isBigEndian = UInt32(bigEndian: 1) == 1 }
    }

    /// The size with which the second frame has the salts of the first.
    private static func likelyPageSize(_ bytes: [UInt8]) -> Int? {
      let sizes = Connecting.pageSizes
      return sizes.first { size in
        let next = headerSize + frameHeaderSize + size
        return bytes.count >= next + frameHeaderSize && word(bytes, 40) == word(bytes, next + 8)
          && word(bytes, 44) == word(bytes, next + 12)
      } ?? sizes.first
    }
  }
}
