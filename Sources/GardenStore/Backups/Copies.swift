import Glibc
import Storage

/// What there is of a garden in its folder besides the file that is in use.
extension GardenStore {
  /// Where copies of the garden in `folder` lie, backups as a rule; `nil` if there are none.
  public nonisolated static func folderOfCopies(in folder: String) throws(StoreError) -> String? {
    try copies(in: folder).first.map { PrivateFiles.folder(of: $0) }
  }

  /// Deletes all copies of the garden in `folder`.
  public nonisolated static func removeCopies(in folder: String) throws(StoreError) {
    // One that can't be deleted does not save the others; one that is gone was deleted by somebody else.
    var failure: StoreError?
    for file in try copies(in: folder) where unlink(file) != 0 && errno != ENOENT {
      failure = failure ?? StoreError(systemError: errno, path: file)
    }
    if let failure { throw failure }
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
