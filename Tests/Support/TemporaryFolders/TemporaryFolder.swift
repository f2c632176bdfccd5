import Foundation

/// A folder for the temporary files of a test. At first it doesn't exist; it is removed together with this object.
public final class TemporaryFolder: Sendable {
  public let path: String

  /// - Parameters:
  ///   - name: the start of the folder's name. If the folder is left, it tells whose it is.
  ///   - isInMemory: whether the folder is in memory, which is faster than a disk, if the system has `/dev/shm`.
  public init(_ name: String, isInMemory: Bool = false) {
    let parent = isInMemory && access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()
    // Short, because D-Bus allows only 99 bytes for the path of a socket.
    path = parent + name + "-" + String(UInt64.random(in: 0 ... .max), radix: 36)
  }

  deinit {
    // If this fails, the run of the tests reports what is left.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Creates the folder and returns this object.
  public func created() throws -> TemporaryFolder {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return self
  }
}
