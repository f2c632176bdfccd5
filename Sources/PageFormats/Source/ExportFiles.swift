import Glibc
import TrunkModel

/// The files of an export: those of a folder or a zip, or a single one. Nothing is unpacked to the disk.
final class ExportFiles {
  struct File {
    /// The path in the export, with `/`. If all files are in one folder, that folder isn't part of it.
    var path: Substring
    /// The path with that folder.
    let fullPath: String
    /// In bytes, as the folder or archive claims.
    let size: Int
    fileprivate let place: Place

    var name: Substring { path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path }
    var folder: Substring { path.lastIndex(of: "/").map { path[..<$0] } ?? "" }
    /// The name without its extension.
    var stem: Substring { name.lastIndex(of: ".").map { name[..<$0] } ?? name }
    /// In lower case, without the dot.
    var ending: String { name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? "" }
  }

  fileprivate enum Place {
    case disk(FolderListing.Path)
    case archive(ZipArchive.Position)
  }

  /// Sorted by their paths. Files that no format reads, such as deleted ones, are left out.
  let files: [File]
  /// Paths of links, pipes and devices, which are not read.
  let others: [String]
  /// Whether the export is one file, and no archive.
  let isSingle: Bool
  let limits: PageLimits
  private let archive: ZipArchive?
  private var bytesRead = 0
  /// The file that was read last, because finding the format often reads the first file whole.
  private var last: (path: String, bytes: [UInt8])?

  init(_ path: String, limits: PageLimits) throws(PageReadError) {
    self.limits = limits
    var status = stat()
    guard stat(path, &status) == 0 else { throw errno == ENOENT ? .missing : .unreadable(code: errno) }
    var found: [File] = []
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      var listing = FolderListing(path, limits: limits)
      try listing.addAll()
      found = listing.files.map { File(path: $0.path[...], fullPath: $0.path, size: $0.size, place: .disk($0.source)) }
      (archive, isSingle, others) = (nil, false, listing.others)
    case S_IFREG where try ZipArchive.isZip(path):
      let zip = try ZipArchive(path)
      found = try zip.entries(limits).map {
        File(path: $0.path[...], fullPath: $0.path, size: $0.size, place: .archive($0.position))
      }
      (archive, isSingle, others) = (zip, false, [])
    case S_IFREG:
      let name = path.split(separator: "/").last.map(String.init) ?? path
      found = [File(path: name[...], fullPath: name, size: Int(status.st_size), place: .disk(Array(path.utf8CString)))]
      (archive, isSingle, others) = (nil, true, [])
    default: throw .notAFile
    }
    files = Self.withoutTopFolder(found).filter { !Self.isIgnored($0.path) }
      .sorted { $0.fullPath.precedesInBytes($1.fullPath) }
  }

  /// The whole content of a file; `nil` if this file can't be read.
  /// - Throws: `tooLarge` if it or all files so far are larger than the limits.
  func bytes(of file: File) throws(PageReadError) -> [UInt8]? {
    if let last, last.path == file.fullPath { return last.bytes }
    let rest = limits.totalBytes - bytesRead
    let limit = min(rest, limits.fileBytes)
    func tooLarge() -> PageReadError {
      .tooLarge(limit: rest < limits.fileBytes ? limits.totalBytes : limits.fileBytes)
    }
    // An archive may claim a size that it doesn't have, so what is read is counted too.
    guard file.size <= limit else { throw tooLarge() }
    let bytes: [UInt8]? =
      switch file.place {
      case .disk(let path): FolderListing.bytes(path, limit: limit + 1)
      case .archive(let position): archive?.bytes(at: position, limit: limit + 1)
      }
    guard let bytes else { return nil }
    guard bytes.count <= limit else { throw tooLarge() }
    bytesRead += bytes.count
    last = (file.fullPath, bytes)
    return bytes
  }

  /// The first bytes of a file, at most `count`; empty if it can't be read.
  func head(of file: File, _ count: Int = 4096) -> [UInt8] {
    let bytes =
      switch file.place {
      case .disk(let path): FolderListing.bytes(path, limit: count) ?? []
      case .archive(let position): archive?.head(at: position, count) ?? []
      }
    return bytes.count < count ? bytes : PageText.withoutCutCharacter(bytes)
  }
}

extension ExportFiles {
  /// What programs keep beside a journal: deleted and older notes, resource forks of macOS, histories.
  /// - Parameter path: without the top folder, which may be hidden: RedNotebook's is `.rednotebook`.
  private static func isIgnored(_ path: Substring) -> Bool {
    let parts = path.split(separator: "/")
    return parts.contains { $0.hasPrefix(".") && $0 != ".." || $0 == "__MACOSX" }
      || zip(parts, parts.dropFirst()).contains { $0 == "logseq" && $1 == "bak" }
  }

  /// Hidden files count: a folder beside `.obsidian` is no top folder.
  private static func withoutTopFolder(_ files: [File]) -> [File] {
    let files = files.filter { !$0.fullPath.hasPrefix("__MACOSX/") && $0.name != ".DS_Store" }
    guard let first = files.first?.fullPath, let slash = first.firstIndex(of: "/") else { return files }
    let top = first[...slash]
    guard files.allSatisfy({ $0.fullPath.hasPrefix(top) }) else { return files }
    return files.map { file in
      var file = file
      file.path = file.path.dropFirst(top.count)
      return file
    }
  }
}
