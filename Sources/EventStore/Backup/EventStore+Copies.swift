import SQLiteKit

/// The files in a garden's folder other than the one in use.
extension EventStore {
  /// Returns the folder with the backups of the garden in `folder`. Without backups, returns `folder` itself if it has
  /// damaged files that were set aside, otherwise `nil`.
  public nonisolated static func folderOfCopies(in folder: String) throws(StoreError) -> String? {
    try copies(in: folder).first.map { PrivateFiles.folder(of: $0) }
  }

  /// Whether the folder has damaged files that were set aside. They are never deleted.
  public nonisolated static func hasDamagedFiles(in folder: String) throws(StoreError) -> Bool {
    let file = GardenFile.path(in: folder)
    do throws(PrivateFiles.Failure) {
      return try PrivateFiles.names(in: folder).contains { Salvage.isCopy(folder + "/" + $0, of: file) }
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// Whether the folder has damaged files or unsaved drafts that were set aside.
  public nonisolated static func hasSetAsideFiles(in folder: String) throws(StoreError) -> Bool {
    if try hasDamagedFiles(in: folder) { return true }
    do throws(PrivateFiles.Failure) {
      return try PrivateFiles.names(in: folder).contains(where: SetAsideDraft.isName)
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// Returns the paths of backups, then of damaged files that were set aside, including those that an interrupted
  /// program left unfinished.
  private nonisolated static func copies(in folder: String) throws(StoreError) -> [String] {
    let (backups, file) = (BackupFolder(in: folder), GardenFile.path(in: folder))
    do throws(PrivateFiles.Failure) {
      let others = try PrivateFiles.names(in: folder).map { folder + "/" + $0 }
      return try backups.namesWithUnfinished().map { backups.path + "/" + $0 }
        + others.filter { Salvage.isCopy($0, of: file) }
    } catch {
      throw StoreError(error, path: folder)
    }
  }
}
