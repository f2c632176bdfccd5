import Foundation

/// Whether this process may mount a file system, which the tests of a full disk need.
public let canMount: Bool = {
  guard getuid() == 0 else { return false }
  let path = NSTemporaryDirectory() + "mount-" + UUID().uuidString
  mkdir(path, 0o700)
  defer { rmdir(path) }
  guard mount("tmpfs", path, "tmpfs", 0, "size=64k") == 0 else { return false }
  return umount(path) == 0
}()

/// Creates a file that takes all remaining space of its file system.
/// - Parameter path: the path of the file, which must not exist yet.
public func fillDisk(with path: String) {
  let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  defer { close(descriptor) }
  let page = [UInt8](repeating: 1, count: 4096)
  while write(descriptor, page, page.count) > 0 {}
}
