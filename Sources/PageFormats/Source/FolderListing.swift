import Glibc

/// Lists the files below a folder without following links, and reads only regular files.
struct FolderListing {
  private(set) var files: [(path: String, source: String, size: Int)] = []
  private(set) var others: [String] = []
  private let root: String
  private let limits: PageLimits

  init(_ root: String, limits: PageLimits) {
    self.root = root
    self.limits = limits
  }

  /// - Parameter path: relative to the root; empty for the root itself.
  mutating func add(_ path: String, depth: Int) throws(PageReadError) {
    let folder = path.isEmpty ? root : root + "/" + path
    guard let handle = opendir(folder) else {
      // A folder within the export that may not be read doesn't stop the others.
      guard path.isEmpty else { return others.append(path) }
      throw .unreadable(code: errno)
    }
    defer { closedir(handle) }
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      guard files.count + others.count < limits.files else { throw .tooManyFiles(limit: limits.files) }
      let inner = path.isEmpty ? name : path + "/" + name
      var status = stat()
      guard lstat(root + "/" + inner, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where depth < limits.depth: try add(inner, depth: depth + 1)
      case S_IFREG: files.append((inner, root + "/" + inner, Int(status.st_size)))
      default: others.append(inner)
      }
    }
  }

  /// At most `limit` bytes of a regular file; `nil` if it can't be read or has become something else.
  static func bytes(_ path: String, limit: Int) -> [UInt8]? {
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
