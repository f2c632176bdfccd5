import SQLiteKit

/// SQLite's write-ahead log, including the frames after a damaged one, where SQLite stops reading.
///
/// The log is a header of 32 bytes and a series of frames, each a header of 24 bytes and one page. The checksum of a
/// frame continues that of the frame before it, so SQLite drops all frames after a damaged one. This type starts from
/// the checksum that the frame before it states, so it can check each frame by itself. See
/// https://www.sqlite.org/fileformat2.html#walformat.
struct WriteAheadLog {
  private static let headerSize = 32
  private static let frameHeaderSize = 24

  /// The offset of the newest intact version of each page in `bytes`, by page number.
  private var pages: [Int: Int] = [:]
  /// The number of pages of the database after the last commit.
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
    // Frames of earlier uses of the log may follow the newest frame. The first ones are always of the last use.
    let firstSalts = (WriteAheadLog.word(bytes, 40), WriteAheadLog.word(bytes, 44))
    let salts = header.isSound ? header.salts : WriteAheadLog.repeatedSalts(bytes, pageSize) ?? firstSalts
    for start in stride(from: WriteAheadLog.headerSize, through: bytes.count - frameSize, by: frameSize) {
      let (number, count) = (Int(WriteAheadLog.word(bytes, start)), Int(WriteAheadLog.word(bytes, start + 4)))
      let stated = (WriteAheadLog.word(bytes, start + 16), WriteAheadLog.word(bytes, start + 20))
      let isOwn = salts == (WriteAheadLog.word(bytes, start + 8), WriteAheadLog.word(bytes, start + 12))
      // After a damaged header the first frame can't be checked. A damaged event in it is found by its hash.
      let sum = seed.map { frameSum(at: start, from: $0, bigEndian: header.isBigEndian) } ?? stated
      // A frame with other salts is damaged, or the last use has ended.
      seed = isOwn ? stated : nil
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

  /// Writes the pages into a database file, except those beyond its size after the last commit.
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

  /// The salts of the first two successive frames that agree: those before them may be damaged.
  private static func repeatedSalts(_ bytes: [UInt8], _ pageSize: Int) -> (UInt32, UInt32)? {
    let frameSize = frameHeaderSize + pageSize
    let salts = stride(from: headerSize, through: bytes.count - frameSize, by: frameSize)
      .map { (word(bytes, $0 + 8), word(bytes, $0 + 12)) }
    return zip(salts, salts.dropFirst()).first { $0 == $1 && $0 != (0, 0) }?.0
  }

  private static func word(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    guard start + 4 <= bytes.count else { return 0 }
    return bytes[start..<(start + 4)].reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// SQLite's checksum over pairs of 32-bit words.
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
    /// One of `ConnectionOptions.pageSizes`, in bytes.
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
      pageSize = isSound && ConnectionOptions.pageSizes.contains(stated) ? stated : Header.likelyPageSize(bytes)
      // A damaged header doesn't tell the byte order of the checksums. Assume this computer's.
      if !isSound { isBigEndian = UInt32(bigEndian: 1) == 1 }
    }

    /// The page size with which two successive frames have the same salts; the newest size if there is none.
    private static func likelyPageSize(_ bytes: [UInt8]) -> Int? {
      let sizes = ConnectionOptions.pageSizes
      return sizes.first { repeatedSalts(bytes, $0) != nil } ?? sizes.first
    }
  }
}
