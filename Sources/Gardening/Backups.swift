import Garden
import GardenStore

extension Gardener {
  /// Makes the backup of the day where it is due: beside the garden, and in a second folder if there is one.
  public func backUpIfDue(secondFolder: String?) async throws {
    // A store of its own: reading decades of entries must not keep today's waiting.
    let reader = try await GardenStore.open(folder: store.folder)
    for folder in [store.folder, secondFolder].compactMap({ $0 }) {
      _ = try await reader.backUpIfDue(to: folder, now: clock.now(), zone: garden.zone)
    }
  }

  /// Makes a backup in each of these places, due or not.
  /// - Returns: how many events it holds.
  @discardableResult
  public func backUp(secondFolder: String?) async throws -> Int {
    var count = 0
    let reader = try await GardenStore.open(folder: store.folder)
    for folder in [store.folder, secondFolder].compactMap({ $0 }) {
      count = try await reader.backUp(to: folder, now: clock.now(), zone: garden.zone).eventCount
    }
    return count
  }

  /// Where copies of the garden lie beside it, backups as a rule; `nil` if there are none.
  public nonisolated func folderOfCopies() async throws -> String? {
    try GardenStore.folderOfCopies(in: store.folder)
  }

  /// The backups in each of these places, newest first.
  public nonisolated func backups(secondFolder: String?) async throws -> [BackupFile] {
    let files = try [store.folder, secondFolder].compactMap { $0 }.flatMap { try GardenStore.backups(in: $0) }
    return files.sorted { ($0.day.number, $0.second) > ($1.day.number, $1.second) }
  }
}
