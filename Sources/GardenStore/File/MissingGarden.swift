import Storage

extension GardenStore {
  /// What to do where a garden's file is missing, although there was one.
  public enum MissingFile: Sendable {
    /// Throws `StoreError.missing`.
    case fails
    /// Makes the file from the newest backup, and from what else is left.
    case restoresBackup
    /// Begins an empty garden. Backups and damaged files stay.
    case startsOver
  }

  /// Whether there is a garden in a folder.
  /// - Throws: `missing` if its file is gone and something in the folder says that there was one.
  public static func holdsGarden(in folder: String) throws(StoreError) -> Bool {
    let path = Opening.path(in: folder)
    if PrivateFiles.exists(path) || Salvage.isFinished(path) { return true }
    if let missing = try missing(in: folder) { throw missing }
    return false
  }

  /// What to say about a folder without a garden's file; `nil` if there never was one.
  static func missing(in folder: String) throws(StoreError) -> StoreError? {
    let path = Opening.path(in: folder)
    let copies = try folderOfCopies(in: folder)
    guard
      copies != nil || FolderLock.isMarked(in: folder) || HighWaterMark.value(in: folder) > 0
        || !PrivateFiles.isEmpty(path + "-wal")
    else { return nil }
    return .missing(path: path, copies: copies)
  }
}
