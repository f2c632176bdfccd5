import Garden
import Storage

/// A backup that was made and read back at some time.
public struct BackupFile: Sendable, Equatable {
  public let path: String
  /// The local day and second of the day at which it was made, as its name says.
  public let day: Day
  public let second: Int64

  /// Where it is.
  public var folder: String { PrivateFiles.folder(of: path) }
}

extension GardenStore {
  /// The backups below `folder`, newest first; none if there is no such folder.
  public nonisolated static func backups(in folder: String) throws(StoreError) -> [BackupFile] {
    let backups = BackupFolder(in: folder)
    do throws(PrivateFiles.Failure) {
      return try backups.names().reversed().compactMap { name in
        guard let day = BackupFolder.day(of: name), let second = second(of: name) else { return nil }
        return BackupFile(path: backups.path + "/" + name, day: day, second: second)
      }
    } catch {
      throw StoreError(error, path: backups.path)
    }
  }

  /// Of a name that `BackupFolder.day(of:)` knows.
  private static func second(of name: String) -> Int64? {
    Int64(name.dropFirst(15).prefix(6)).map { $0 / 10_000 * 3600 + $0 / 100 % 100 * 60 + $0 % 100 }
  }
}
