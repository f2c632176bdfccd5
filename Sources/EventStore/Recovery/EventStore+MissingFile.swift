import SQLiteKit

extension EventStore {
  /// What to do if a garden's file is missing although it existed before.
  public enum MissingFile: Sendable {
    /// Throws `StoreError.missing`.
    case fails
    /// Rebuilds the file from the newest backup and other remaining files.
    case restoresBackup
    /// Starts an empty garden. Backups and damaged files stay.
    case startsOver
  }

  /// Whether there is a garden in a folder.
  /// - Throws: `missing` if the file is gone but the folder shows that it existed.
  public static func holdsGarden(in folder: String) throws(StoreError) -> Bool {
    let path = GardenFile.path(in: folder)
    if PrivateFiles.exists(path) || Salvage.isFinished(path) { return true }
    if let missing = try missing(in: folder) { throw missing }
    return false
  }

  /// Returns the error for a folder without a garden's file; `nil` if it never had one.
  static func missing(in folder: String) throws(StoreError) -> StoreError? {
    let path = GardenFile.path(in: folder)
    let copies = try folderOfCopies(in: folder)
    let others = try OtherGarden.all(in: folder)
    guard
      copies != nil || !others.isEmpty || FolderLock.isMarked(in: folder) || HighWaterMark.value(in: folder).seq > 0
        // A link that leads nowhere: the disk with the file may not be mounted.
        || PrivateFiles.isLink(path)
        || ["-wal", "-journal"].contains(where: { !PrivateFiles.isEmpty(path + $0) })
    else { return nil }
    return .missing(path: path, copies: copies)
  }
}
