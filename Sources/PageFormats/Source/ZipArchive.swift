import CMinizip
import Glibc

/// A zip that is read in memory.
final class ZipArchive {
  struct Position {
    fileprivate let place: unz64_file_pos
    fileprivate let isEncrypted: Bool
  }

  private let file: unzFile

  static func isZip(_ path: String) throws(PageReadError) -> Bool {
    guard let head = FolderListing.bytes(Array(path.utf8CString), limit: 4) else { throw .unreadable(code: errno) }
    // An empty archive begins with its directory.
    return head == [0x50, 0x4B, 3, 4] || head == [0x50, 0x4B, 5, 6]
  }

  init(_ path: String) throws(PageReadError) {
    guard let file = unzOpen64(path) else { throw .damagedArchive }
    self.file = file
  }

  deinit { unzClose(file) }

  /// The files of the archive. Folders are left out.
  func entries(_ limits: PageLimits) throws(PageReadError) -> [(path: String, size: Int, position: Position)] {
    var (entries, step) = ([(path: String, size: Int, position: Position)](), unzGoToFirstFile(file))
    var name = [UInt8](repeating: 0, count: 4096)
    while step == UNZ_OK {
      guard entries.count < limits.files else { throw .tooManyFiles(limit: limits.files) }
      var (info, place) = (unz_file_info64(), unz64_file_pos())
      let isNamed = name.withUnsafeMutableBytes { name in
        unzGetCurrentFileInfo64(
          file, &info, name.baseAddress?.assumingMemoryBound(to: CChar.self), UInt(name.count), nil, 0, nil, 0)
      }
      guard isNamed == UNZ_OK, unzGetFilePos64(file, &place) == UNZ_OK else { throw .damagedArchive }
      // Some programs of Windows separate folders with backslashes.
      let bytes = name.prefix(min(Int(info.size_filename), name.count)).map { $0 == 0x5C ? 0x2F : $0 }
      let path = PageText.decode(bytes).text
      if let last = bytes.last, last != 0x2F {
        let isEncrypted = info.flag & 1 == 1
        entries.append((path, Int(clamping: info.uncompressed_size), Position(place: place, isEncrypted: isEncrypted)))
      }
      step = unzGoToNextFile(file)
    }
    guard step == UNZ_END_OF_LIST_OF_FILE else { throw .damagedArchive }
    if !entries.isEmpty, entries.allSatisfy(\.position.isEncrypted) { throw .needsPassword }
    return entries
  }

  /// At most `limit` bytes; `nil` if the entry is damaged or encrypted.
  func bytes(at position: Position, limit: Int) -> [UInt8]? { read(position, limit: limit, isWhole: true) }

  func head(at position: Position, _ count: Int) -> [UInt8] { read(position, limit: count, isWhole: false) ?? [] }

  private func read(_ position: Position, limit: Int, isWhole: Bool) -> [UInt8]? {
    var place = position.place
    guard !position.isEncrypted, unzGoToFilePos64(file, &place) == UNZ_OK, unzOpenCurrentFile(file) == UNZ_OK
    else { return nil }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var count: Int32 = 0
    repeat {
      count = unzReadCurrentFile(file, &chunk, UInt32(min(chunk.count, limit - bytes.count)))
      if count > 0 { bytes += chunk[..<Int(count)] }
    } while count > 0 && bytes.count < limit
    // Closing compares the checksum of an entry that was read to its end.
    let isIntact = unzCloseCurrentFile(file) == UNZ_OK
    return count < 0 || isWhole && !isIntact && bytes.count < limit ? nil : bytes
  }
}
