import Glibc

/// Lists the files below a folder without following links, and reads only regular files.
struct FolderListing {
  /// A path as the system has it, because names needn't be UTF-8; with a zero at the end.
  typealias Path = [CChar]

  private(set) var files: [(path: String, source: Path, size: Int)] = []
  private(set) var others: [String] = []
  private var count = 0
  private let root: Path
  private let limits: PageLimits

  init(_ root: String, limits: PageLimits) {
    self.root = Array(root.utf8CString)
    self.limits = limits
  }

  /// Adds the files of the root and its folders.
  mutating func addAll() throws(PageReadError) { try add(root, "", depth: 0) }

  /// - Parameter path: the path of the folder below the root; empty for the root itself.
  private mutating func add(_ folder: Path, _ path: String, depth: Int) throws(PageReadError) {
    guard let handle = opendir(folder) else {
      // A folder within the export that may not be read doesn't stop the others.
      guard path.isEmpty else { return others.append(path) }
      throw .unreadable(code: errno)
    }
    defer { closedir(handle) }
    while let entry = readdir(handle) {
      let bytes = Self.name(entry)
      if bytes == [0x2E] || bytes == [0x2E, 0x2E] { continue }
      count += 1
      guard count <= limits.files else { throw .tooManyFiles(limit: limits.files) }
      let name = PageText.decode(bytes).text
      let inner = path.isEmpty ? name : path + "/" + name
      let source = folder.dropLast() + [0x2F] + bytes.map(CChar.init(bitPattern:)) + [0]
      var status = stat()
      guard lstat(Array(source), &status) == 0 else {
        others.append(inner)
        continue
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where depth < limits.depth: try add(Array(source), inner, depth: depth + 1)
      case S_IFREG: files.append((inner, Array(source), Int(status.st_size)))
      default: others.append(inner)
      }
    }
  }

  /// The name of an entry, without copying the 256 bytes that its type has: the last entry may have fewer.
  private static func name(_ entry: UnsafeMutablePointer<dirent>) -> [UInt8] {
    let start = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
    return Array(UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self))))
  }

  /// At most `limit` bytes of a regular file; `nil` if it can't be read or has become something else.
  static func bytes(_ path: Path, limit: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: min(limit, max(Int(status.st_size), 4096) + 1, 1 << 20))
    while bytes.count < limit {
      let count = read(file, &chunk, min(chunk.count, limit - bytes.count))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }
}
