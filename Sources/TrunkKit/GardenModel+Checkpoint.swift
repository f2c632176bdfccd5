import EventStore
import TrunkModel

/// Checkpoints, from which the next start derives only a few events.
extension GardenModel {
  /// The number of events after which a checkpoint is saved.
  private static let checkpointSpacing = 200

  /// Saves a checkpoint for the next start. Call it before the program ends.
  public func close() async throws {
    await finishWriting()
    if garden.eventCount > checkpointedCount { try await saveCheckpoint() }
  }

  /// Saves a checkpoint for the next start if enough events were applied since the last one.
  public func saveCheckpointIfDue() async {
    guard garden.eventCount - checkpointedCount >= GardenModel.checkpointSpacing else { return }
    do { try await saveCheckpoint() } catch {
      // A checkpoint only saves time. If this error made an intent fail, the user would think that their entry was
      // lost.
    }
  }

  private func saveCheckpoint() async throws {
    guard store.access == .readWrite else { return }
    let garden = garden
    try await GardenModel.save(garden, lastSeq: lastSeq, in: store)
    checkpointedCount = garden.eventCount
  }

  /// The checkpoint of a large garden takes megabytes, so it is created off the main thread.
  private nonisolated static func save(_ garden: Garden, lastSeq: Int64, in store: EventStore) async throws {
    guard let lastKey = garden.lastKey else { return }
    try await store.save(
      Checkpoint(
        format: Garden.formatVersion, zone: garden.zones.fallback.identifier, lastSeq: lastSeq, lastKey: lastKey,
        eventCount: garden.eventCount, state: garden.checkpoint()))
  }
}
