import SQLiteKit

/// What there is of a garden in its folder besides the file that is in use.
extension EventStore {
  /// Where copies of the garden in `folder` lie, backups as a rule; `nil` if there are none.
  public nonisolated static func folderOfCopies(in folder: String) throws(StoreError) -> String? {
    try copies(in: folder).first.map { PrivateFiles.folder(of: $0) }
  }

  /// Whether there are damaged files that were set aside. They are never deleted.
  public nonisolated static func hasDamagedFiles(in folder: String) throws(StoreError) -> Bool {
    let file = Opening.path(in: folder)
    do throws(PrivateFiles.Failure) {
      return try PrivateFiles.names(in: folder).contains { Salvage.isCopy(folder + "/" + $0, of: file) }
    } catch {
      throw StoreError(error, path: folder)
    }
  }

  /// Backups first; then damaged files that were set aside. Of both also what is not finished because a program ended.
  private nonisolated static func copies(in folder: String) throws(StoreError) -> [String] {
    let (backups, file) = (BackupFolder(in: folder), Opening.path(in: folder))
    do throws(PrivateFiles.Failure) {
      let others = try PrivateFiles.names(in: folder).map { folder + "/" + $0 }
      return try backups.namesWithUnfinished().map { backups.path + "/" + $0 }
        + others.filter { Salvage.isCopy($0, of: file) }
    } catch {
      throw StoreError(error, path: folder)
    }
  }
}
