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
}
