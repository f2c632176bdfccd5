import GardenStore
import Localization

extension Gardener {
  /// What the user should know about how the garden was opened: that it can only be read, or that a damaged file was
  /// set aside, or is gone. Empty as a rule.
  /// - Parameter isLoading: the garden comes from a server just now, and is empty only for that.
  public func openingNotices(isLoading: Bool = false) -> [String] {
    var notices: [String] = []
    switch store.access {
    case .readWrite: break
    case .readOnly(.newerVersion): notices.append(StoreError.newerVersion.message)
    case .readOnly(.notWritable): notices.append(StoreError.notWritable(path: store.folder).message)
    }
    if let recovery = store.recovery {
      notices.append(
        trn(
          "The file of your journal was damaged. {n} entry was recovered; the damaged file is kept as “{path}”.",
          "The file of your journal was damaged. {n} entries were recovered; the damaged file is kept as “{path}”.",
          recovery.fromFile + recovery.fromBackup, ["path": recovery.damagedFile]))
      if recovery.missing > 0 {
        notices.append(
          trn(
            "Up to {n} entry that was saved last could not be recovered on this computer. If it was synced, the next sync brings it back.",
            "Up to {n} entries that were saved last could not be recovered on this computer. Those that were synced come back with the next sync.",
            recovery.missing))
      }
    }
    // Whoever moved or deleted the file would otherwise meet an empty garden without a word.
    if !isLoading, garden.eventCount == 0 {
      do {
        if try !GardenStore.backups(in: store.folder).isEmpty {
          notices.append(
            tr("This garden is empty, but there are backups of it. Preferences, under Backups, brings one back."))
        }
      } catch { notices.append(error.message) }
    }
    return notices
  }
}
