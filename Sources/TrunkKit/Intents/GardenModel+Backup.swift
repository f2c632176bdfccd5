import EventStore
import TrunkModel

extension GardenModel {
  /// Makes the daily backup if it is due: in the garden's folder, and in the second folder if there is one.
  public func backUpIfDue(secondFolder: String?) async throws {
    // A separate store, so that reading decades of entries doesn't block today's writes.
    let reader = try await EventStore.open(folder: store.folder)
    for folder in [store.folder, secondFolder].compactMap({ $0 }) {
      _ = try await reader.backUpIfDue(to: folder, now: clock.now(), zone: garden.zone)
    }
  }

  /// Checks that backups can be written to a folder and read back. It leaves the subfolder for them.
  public nonisolated static func checkBackupFolder(_ folder: String) async throws(StoreError) {
    try EventStore.checkBackupFolder(folder)
  }

  /// Makes a backup in the garden's folder, even if none is due.
  /// - Returns: its path.
  package func backUpHere() async throws -> String {
    let reader = try await EventStore.open(folder: store.folder)
    return try await reader.backUp(to: store.folder, now: clock.now(), zone: garden.zone).path
  }

  /// Makes a backup in each folder, even if none is due.
  /// - Returns: the number of events in it.
  @discardableResult
  public func backUp(secondFolder: String?) async throws -> Int {
    var count = 0
    let reader = try await EventStore.open(folder: store.folder)
    for folder in [store.folder, secondFolder].compactMap({ $0 }) {
      count = try await reader.backUp(to: folder, now: clock.now(), zone: garden.zone).eventCount
    }
    return count
  }

  /// Removes the whole garden after it was backed up and copied. If another program writes to it in between, it is
  /// copied again.
  /// - Parameter folder: gets a new folder with the copy.
  /// - Returns: the copy of everything that was removed.
  /// - Throws: `StoreError`; then nothing was removed.
  public func startOver(keepingCopyBelow folder: String) async throws -> VerifiedCopy {
    _ = try await backUpHere()
    return try await inTurn { [self] in
      for _ in 0..<GardenModel.copyAttempts {
        let copy = try await store.writeCopy(below: folder, at: clock.now())
        guard try await store.clear(keptIn: copy) else { continue }
        undoables = []
        draftRevision += 1
        try await applyNewEvents()
        return copy
      }
      throw StoreError.busy
    }
  }

  /// How often a garden is copied before it is removed, if other programs write to it.
  private static let copyAttempts = 5

  /// Makes a backup in one folder, even if none is due and while the garden is read-only.
  /// - Parameter folder: `nil` for the folder of the garden.
  public func backUp(to folder: String?) async throws(StoreError) -> BackupResult {
    try await store.backUp(to: folder ?? store.folder, now: clock.now(), zone: garden.zone)
  }

  /// Checks the file and every event thoroughly, and rebuilds the search index if it is wrong.
  public func checkStore() async throws(StoreError) -> Verification {
    let found = try await store.verify()
    if !found.searchDifferences.isEmpty, isWritable { try await store.rebuildSearchIndex() }
    return found
  }

  /// The folder with the garden's backups or, without backups, with its damaged files that were set aside; `nil` if
  /// there are neither.
  public nonisolated func folderOfCopies() async throws -> String? {
    try EventStore.folderOfCopies(in: store.folder)
  }

  /// The backups in each folder, newest first.
  public nonisolated func backups(secondFolder: String?) async throws -> [BackupFile] {
    let files = try [store.folder, secondFolder].compactMap { $0 }.flatMap { try EventStore.backups(in: $0) }
    return files.sorted { ($0.day.number, $0.second) > ($1.day.number, $1.second) }
  }
}
