import Foundation

/// A folder in memory if the system has `/dev/shm`, else a temporary one. It is removed with this object.
public final class MemoryFolder: Sendable {
  public let path: String

  public init() throws {
    let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()
    path = base + "trunk-sync-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    // Best effort: it is a folder for temporary files.
    try? FileManager.default.removeItem(atPath: path)
  }
}
