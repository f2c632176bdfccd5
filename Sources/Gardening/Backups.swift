import GardenStore

extension Gardener {
  /// Makes the backup of the day where it is due: beside the garden, and in a second folder if there is one.
  public func backUpIfDue(secondFolder: String?) async throws {
    for folder in [store.folder, secondFolder].compactMap({ $0 }) {
      _ = try await store.backUpIfDue(to: folder, now: clock.now(), zone: garden.zone)
    }
  }
}
