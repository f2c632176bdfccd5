import Glibc
import SQLiteKit

/// The space of a file system, in bytes.
struct DiskSpace: Sendable {
  let free: Int64
  let total: Int64

  /// The space that new events must leave free, so that signing in and deleting still work: 128 MiB, or a tenth of a
  /// small disk.
  var reserve: Int64 { min(128 << 20, total / 10) }

  /// The free space below which accounts have only their guaranteed share: 1 GiB, or a quarter of a small disk.
  var reserveOfSmallAccounts: Int64 { min(1 << 30, total / 4) }

  /// The space that a backup must leave free. It is more than `reserve`, so that backups don't stop new events.
  private var reserveOfBackups: Int64 { 4 * reserve }

  /// The space that must be free before a backup of this size is written.
  func needed(forBackup size: Int64) -> Int64 { size + reserveOfBackups }
}

extension DiskSpace {
  /// Measures the file system of a folder.
  init(folder: String) throws(PrivateFiles.Failure) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { throw PrivateFiles.Failure(path: folder, systemError: errno) }
    // The space reserved for root counts as used. The result is limited, so that later sums can't overflow.
    func bytes(_ blocks: UInt) -> Int64 {
      let (bytes, isTooLarge) = blocks.multipliedReportingOverflow(by: status.f_frsize)
      return isTooLarge ? 1 << 60 : min(Int64(clamping: bytes), 1 << 60)
    }
    free = bytes(status.f_bavail)
    total = bytes(status.f_blocks)
  }
}
