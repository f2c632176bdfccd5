import Glibc

/// Files and folders that only their owner may read, and that are on the disk when a call returns.
package enum PrivateFiles {
  package struct Failure: Error {
    package let path: String
    package let systemError: Int32

    package init(path: String, systemError: Int32) {
      self.path = path
      self.systemError = systemError
    }
  }

  /// Makes a folder and those above it, and takes rights of others away from it.
  package static func makeFolder(_ path: String) throws(Failure) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw Failure(path: path, systemError: ENOTDIR) }
      tighten(path, status.st_mode)
      return
    }
    guard errno == ENOENT || errno == ENOTDIR else { throw Failure(path: path, systemError: errno) }
    let parent = folder(of: path)
    if parent != path { try makeFolder(above: parent) }
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw Failure(path: path, systemError: errno) }
    try sync(folder: parent)
  }

  /// Makes an empty file if there is none, and takes rights of others away from it.
  ///
  /// A file that exists is never opened here: closing it would drop the locks of every SQLite connection that this
  /// process has to it.
  package static func makeFile(_ path: String) throws(Failure) {
    var status = stat()
    if stat(path, &status) == 0 {
      tighten(path, status.st_mode)
      return
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 || errno == EEXIST else { throw Failure(path: path, systemError: errno) }
    if descriptor >= 0 { close(descriptor) }
    try sync(folder: folder(of: path))
  }

  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes what happened to the names in a folder durable.
  package static func sync(folder: String) throws(Failure) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(path: folder, systemError: errno) }
    defer { close(descriptor) }
    // Some file systems, such as those of cameras and network folders, have nothing to write for a folder.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS else {
      throw Failure(path: folder, systemError: errno)
    }
  }

  /// Writes a new file completely, down to the disk, or removes what it wrote. A file or link that an interrupted program
  /// left under this name is removed, never written through.
  package static func write(_ text: String, to path: String) throws(Failure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw Failure(path: path, systemError: errno) }
    let file = try NewFile(path)
    do throws(Failure) {
      try file.write(text)
    } catch {
      unlink(path)
      throw error
    }
  }

  /// - Parameter orEmpty: a missing file is empty.
  package static func read(_ path: String, orEmpty: Bool = false) throws(Failure) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT, orEmpty { return [] }
    guard descriptor >= 0 else { throw Failure(path: path, systemError: errno) }
    defer { close(descriptor) }
    return try readAll(descriptor, path)
  }

  /// From the place where the descriptor stands to the end.
  static func readAll(_ descriptor: Int32, _ path: String) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Failure(path: path, systemError: errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  /// Copies what can be read; blocks that the disk does not give are zeros in the copy.
  package static func copyReadable(_ path: String, to copy: String) throws(Failure) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Failure(path: path, systemError: errno) }
    defer { close(source) }
    let target = open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard target >= 0 else { throw Failure(path: copy, systemError: errno) }
    defer { close(target) }
    var status = stat()
    guard fstat(source, &status) == 0 else { throw Failure(path: path, systemError: errno) }
    var buffer = [UInt8](repeating: 0, count: 4096)
    for offset in stride(from: 0, to: status.st_size, by: buffer.count) {
      let count = pread(source, &buffer, buffer.count, offset)
      guard count > 0 else { continue }
      guard pwrite(target, buffer, count, offset) == count else { throw Failure(path: copy, systemError: errno) }
    }
    guard ftruncate(target, status.st_size) == 0 else { throw Failure(path: copy, systemError: errno) }
  }

  /// Puts bytes over those of a file.
  package static func overwrite(
    _ bytes: some Collection<UInt8>, at path: String, from offset: Int = 0
  ) throws(Failure) {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(path: path, systemError: errno) }
    defer { close(descriptor) }
    guard pwrite(descriptor, Array(bytes), bytes.count, off_t(offset)) == bytes.count else {
      throw Failure(path: path, systemError: errno)
    }
  }

  package static func rename(_ old: String, to new: String) throws(Failure) {
    guard Glibc.rename(old, new) == 0 else { throw Failure(path: new, systemError: errno) }
  }

  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Whether a file has no content, or there is none.
  package static func isEmpty(_ path: String) -> Bool { size(of: path) == 0 }

  /// In bytes; 0 if there is no such file.
  package static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// Names in a folder, sorted by their bytes; none if it is missing.
  package static func names(in folder: String) throws(Failure) -> [String] {
    guard let directory = opendir(folder) else {
      if errno == ENOENT { return [] }
      throw Failure(path: folder, systemError: errno)
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }
}

extension PrivateFiles {
  /// Folders above ours belong to the desktop: made if missing, else left as they are.
  private static func makeFolder(above path: String) throws(Failure) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    try makeFolder(path)
  }

  private static func tighten(_ path: String, _ mode: mode_t) {
    // On a medium that can't be written it stays as it is; that is no reason not to read it.
    if mode & 0o077 != 0 { chmod(path, mode & 0o700) }
  }
}
