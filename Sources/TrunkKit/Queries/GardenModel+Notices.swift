import EventStore
import Localization

extension GardenModel {
  /// Messages about how the garden was opened: that it is read-only, or empty although it has backups. Usually empty.
  /// - Parameter inTerminal: whether they are shown in a terminal, where they name commands.
  public func openingNotices(inTerminal: Bool = false) -> [String] {
    var notices = [accessNotice].compactMap(\.self)
    // If the file was moved or deleted, the user would otherwise see an empty garden without an explanation. The
    // initial sync explains it, too.
    if !awaitsInitialSync, garden.eventCount == 0, !hadOnlyPages, let notice = backupNotice(inTerminal: inTerminal) {
      notices.append(notice)
    }
    return notices
  }

  private var accessNotice: String? {
    switch store.access {
    case .readWrite: nil
    case .readOnly(.newerVersion): StoreError.newerVersion.message
    case .readOnly(.notWritable): StoreError.notWritable(path: store.folder).message
    case .readOnly(.diskFull): tr("The disk is full. You can read your journal. To write, free some space.")
    }
  }

  /// A message for each recovery from damage that no user has seen yet. Usually empty.
  public var recoveryNotices: [String] {
    unseenRecoveries.map { GardenModel.sentences(about: $0).joined(separator: " ") }
  }

  /// Records that a user has seen `recoveryNotices`, which are then empty.
  public func markRecoveriesSeen() async throws(StoreError) {
    guard !unseenRecoveries.isEmpty else { return }
    try await store.markSeen(unseenRecoveries)
    unseenRecoveries = []
  }

  private nonisolated static func sentences(about recovery: Recovery) -> [String] {
    if let replacement = recovery.replacement { return sentences(about: recovery, replacement) }
    var sentences = [
      trn(
        "Your garden’s file was damaged. {n} entry was recovered. The damaged file is kept as “{path}”.",
        "Your garden’s file was damaged. {n} entries were recovered. The damaged file is kept as “{path}”.",
        recovery.fromFile + recovery.fromBackup, ["path": recovery.damagedFile])
    ]
    if recovery.unreadable > recovery.fromBackup {
      sentences.append(
        trn(
          "{n} part of the damaged file could not be read. Entries in it may be lost on this computer.",
          "{n} parts of the damaged file could not be read. Entries in them may be lost on this computer.",
          recovery.unreadable))
    }
    if recovery.missing > 0 {
      sentences.append(
        trn(
          "Up to {n} recent entry could not be recovered on this computer. If it was synced, the next sync brings it back.",
          "Up to {n} recent entries could not be recovered on this computer. The next sync brings back those that were synced.",
          recovery.missing))
    }
    return sentences
  }

  private nonisolated static func sentences(
    about recovery: Recovery, _ replacement: Recovery.Replacement
  ) -> [String] {
    var sentences: [String]
    switch replacement {
    case .taken:
      sentences = [
        tr(
          "Your garden’s file was replaced by the file of another garden, most often by a service that syncs the folder. Its entries are now in your garden. The file is kept as “{path}”.",
          ["path": recovery.damagedFile])
      ]
    case .setAside(let path):
      sentences = [
        tr(
          "Your garden’s file was replaced by the file of another garden, most often by a service that syncs the folder. That file is now “{path}”, and you can merge it.",
          ["path": path]),
        trn("{n} entry of yours was recovered.", "{n} entries of yours were recovered.", recovery.fromFile),
      ]
    }
    if recovery.fromBackup > 0 {
      sentences.append(
        trn(
          "{n} other entry was restored from your newest backup.",
          "{n} other entries were restored from your newest backup.", recovery.fromBackup))
    }
    if recovery.missing > 0 {
      sentences.append(
        tr(
          "Entries that you have written since on this computer may be lost here. The next sync brings back those that were synced."
        ))
    }
    return sentences
  }

  /// Says that an empty garden has backups with entries; `nil` if it has none.
  private func backupNotice(inTerminal: Bool) -> String? {
    do {
      guard try EventStore.hasBackedUpEntries(in: store.folder) else { return nil }
    } catch { return error.message }
    return inTerminal
      ? tr(
        "This garden is empty, but it has backups in “{folder}”. “trunkctl import” restores one.",
        ["folder": store.folder + "/backups"])
      : tr("This garden is empty, but it has backups. To restore one, open Preferences and go to Backups.")
  }
}
