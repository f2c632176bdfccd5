import Glibc
import SQLiteKit

/// The folder of a copy that is being written. While this value exists, other programs leave the folder alone.
final class UnfinishedCopy {
  /// The suffix of a folder whose copy is being written.
  static let suffix = ".part"

  let copy: VerifiedCopy
  private let descriptor: Int32

  private init(_ copy: VerifiedCopy, _ descriptor: Int32) {
    (self.copy, self.descriptor) = (copy, descriptor)
  }

  deinit { close(descriptor) }

  /// Creates the folder.
  /// - Returns: `nil` if a folder of this name exists.
  static func make(_ folder: String) throws(PrivateFiles.Failure) -> UnfinishedCopy? {
    while true {
      guard PrivateFiles.makeEmptyFolder(folder) else {
        if errno == EEXIST { return nil }
        throw PrivateFiles.Failure(path: folder, systemError: errno)
      }
      let descriptor = open(folder)
      if descriptor >= 0 {
        let unfinished = UnfinishedCopy(VerifiedCopy(folder: folder), descriptor)
        // If the file system has no locks, no folder is treated as abandoned either.
        while flock(descriptor, LOCK_EX) != 0, errno == EINTR {}
        if unfinished.isInPlace { return unfinished }
      } else if errno != ENOENT {
        throw PrivateFiles.Failure(path: folder, systemError: errno)
      }
      // Another program removed the folder as abandoned before it was locked, so try again.
    }
  }

  /// Removes the folder and its contents.
  func remove() { UnfinishedCopy.remove(copy.folder) }

  private static func remove(_ folder: String) {
    // What can't be removed stays for the next attempt.
    for name in (try? PrivateFiles.names(in: folder)) ?? [] { unlink(folder + "/" + name) }
    rmdir(folder)
  }

  /// Removes a copy that an interrupted program left unfinished, but not one that another program is writing now.
  /// Nothing is lost: a garden is cleared only after its copy is complete.
  static func removeAbandoned(_ folder: String) {
    let descriptor = open(folder)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(folder) }
  }

  private static func open(_ folder: String) -> Int32 {
    Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  /// Whether the locked folder still has its name.
  private var isInPlace: Bool {
    var (locked, named) = (stat(), stat())
    return fstat(descriptor, &locked) == 0 && lstat(copy.folder, &named) == 0
      && (locked.st_dev, locked.st_ino) == (named.st_dev, named.st_ino)
  }
}
