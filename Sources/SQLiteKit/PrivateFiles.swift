import Glibc

/// Files and folders that only their owner can read, and that are on disk when a call returns.
package enum PrivateFiles {
  package struct Failure: Error {
    package let path: String
    package let systemError: Int32

    package init(path: String, systemError: Int32) {
      self.path = path
      self.systemError = systemError
    }
  }

  /// Creates a folder and its parents, and removes other users' access to it.
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
    guard makeEmptyFolder(path) || errno == EEXIST else { throw Failure(path: path, systemError: errno) }
    try sync(folder: parent)
  }

  /// Creates a folder that doesn't exist, in one that does. Returns false with `errno` if that fails.
  package static func makeEmptyFolder(_ path: String) -> Bool {
    guard mkdir(path, 0o700) == 0 else { return false }
    if geteuid() == 0 {
      let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      if descriptor >= 0 {
        giveToOwner(of: folder(of: path), descriptor)
        close(descriptor)
      }
    }
    return true
  }

  /// Creates missing parent folders, but leaves existing ones as they are: they belong to the desktop.
  package static func makeFolder(above path: String) throws(Failure) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return }
    try makeFolder(path)
  }

  /// Opens a file for this user alone, and creates it if it is missing.
  /// - Parameter flags: for `open`, besides those for creating.
  /// - Returns: the descriptor, or -1 with `errno`.
  package static func openOrCreate(_ path: String, _ flags: Int32) -> Int32 {
    // Another program may remove the file between the two calls. A link that leads nowhere stays.
    for _ in 1..<openAttempts {
      let descriptor = openExistingOrCreate(path, flags)
      if descriptor >= 0 || errno != ENOENT { return descriptor }
    }
    return openExistingOrCreate(path, flags)
  }

  private static let openAttempts = 100

  private static func openExistingOrCreate(_ path: String, _ flags: Int32) -> Int32 {
    let new = create(path, flags)
    guard new < 0, errno == EEXIST, flags & O_EXCL == 0 else { return new }
    return open(path, flags | O_CLOEXEC)
  }

  /// Creates a file for this user alone; a link is never followed.
  /// - Returns: the descriptor, or -1 with `errno`.
  package static func create(_ path: String, _ flags: Int32) -> Int32 {
    let descriptor = open(path, flags | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    if descriptor >= 0, geteuid() == 0 { giveToOwner(of: folder(of: path), descriptor) }
    return descriptor
  }

  /// Gives what root has just created to the owner of its folder. Otherwise, after `sudo trunkctl backup` the user
  /// couldn't write there. If the file system has no owners, the file stays as it is.
  private static func giveToOwner(of folder: String, _ descriptor: Int32) {
    var status = stat()
    if stat(folder, &status) == 0, status.st_uid != 0 { fchown(descriptor, status.st_uid, status.st_gid) }
  }

  /// Creates a folder in a folder that others may write to: a link is not followed, unless it is the user's own.
  package static func makeFolderWithoutLink(_ path: String) throws(Failure) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, status.st_uid != geteuid() {
      throw Failure(path: path, systemError: ELOOP)
    }
    try makeFolder(path)
  }

  /// Creates an empty file if there is none, and removes other users' access to it.
  ///
  /// An existing file is never opened here: closing it would drop the locks of every SQLite connection of this process
  /// to it.
  package static func makeFile(_ path: String) throws(Failure) {
    var status = stat()
    if stat(path, &status) == 0 {
      tighten(path, status.st_mode)
      return
    }
    let descriptor = create(path, O_WRONLY)
    guard descriptor >= 0 || errno == EEXIST else { throw Failure(path: path, systemError: errno) }
    if descriptor >= 0 { close(descriptor) }
    try sync(folder: folder(of: path))
  }

  /// Whether two paths lead to the same file or folder; false if one leads nowhere.
  package static func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(one, &first) == 0 && stat(other, &second) == 0
      && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// The path without links; `nil` if it leads nowhere.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The path without slashes at its end, and below the working directory if it is relative.
  package static func absolute(_ path: String) -> String {
    var path = path
    while path.count > 1, path.last == "/" { path.removeLast() }
    guard !path.hasPrefix("/"), let directory = getcwd(nil, 0) else { return path }
    defer { free(directory) }
    return String(cString: directory) + "/" + path
  }

  /// The path without links of the topmost folder of the disk that a folder is on: where the disk is mounted, which,
  /// unlike its device number, is the same after it was connected again. `nil` if there is no such folder.
  package static func mountPoint(of folder: String) -> String? {
    var (status, above) = (stat(), stat())
    guard var place = resolved(folder), stat(place, &status) == 0 else { return nil }
    while place != "/" {
      let parent = self.folder(of: place)
      guard stat(parent, &above) == 0, above.st_dev == status.st_dev else { break }
      place = parent
    }
    return place
  }

  /// The last part of a path.
  package static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes changes of the names in a folder durable.
  package static func sync(folder: String) throws(Failure) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure(path: folder, systemError: errno) }
    defer { close(descriptor) }
    // Some file systems, such as those of cameras and network shares, can't sync a folder.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS else {
      throw Failure(path: folder, systemError: errno)
    }
  }

  /// Writes a new file completely and to disk, or removes what it wrote. Removes a file or link that an interrupted
  /// program left under this name; never writes through it.
  package static func write(_ text: String, to path: String) throws(Failure) {
    try remove(path)
    let file = try NewFile(path)
    do throws(Failure) {
      try file.write(text)
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Removes a file, or a link but not its target. A missing file is no error.
  package static func remove(_ path: String) throws(Failure) {
    guard unlink(path) == 0 || errno == ENOENT else { throw Failure(path: path, systemError: errno) }
  }

  /// Copies the readable blocks. Unreadable blocks are zeros in the copy.
  package static func copyReadable(_ path: String, to copy: String) throws(Failure) {
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Failure(path: path, systemError: errno) }
    defer { close(source) }
    let target = create(copy, O_WRONLY)
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

  /// Overwrites bytes of a file.
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

  /// Whether nothing has this name. A link that leads nowhere is not missing: what it leads to may be on a disk that
  /// isn't mounted.
  package static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
  }

  /// Whether there is a regular file at the path: not a folder, link, pipe or device.
  package static func isFile(_ path: String) -> Bool { type(of: path) == S_IFREG }

  /// Whether there is a folder at the path, not a link to one.
  package static func isFolder(_ path: String) -> Bool { type(of: path) == S_IFDIR }

  /// Whether there is a link at the path, wherever it leads.
  package static func isLink(_ path: String) -> Bool { type(of: path) == S_IFLNK }

  /// What a link contains; `nil` if there is no link at the path.
  package static func linkTarget(_ path: String) -> String? {
    var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    return count < 0 ? nil : String(decoding: target[..<count], as: UTF8.self)
  }

  private static func type(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Whether a file is empty or missing.
  package static func isEmpty(_ path: String) -> Bool { size(of: path) == 0 }

  /// The size in bytes; 0 if the file is missing.
  package static func size(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }

  /// The names in a folder, sorted by bytes; empty if the folder is missing.
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

extension PrivateFiles.Failure: CustomStringConvertible {
  package var description: String { "\(path): \(String(cString: strerror(systemError)))" }
}

extension PrivateFiles {
  private static func tighten(_ path: String, _ mode: mode_t) {
    // A read-only medium keeps its permissions. The folder can still be read.
    if mode & 0o077 != 0 { chmod(path, mode & 0o700) }
  }
}
