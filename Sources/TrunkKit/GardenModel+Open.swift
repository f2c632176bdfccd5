import EventStore
import TrunkModel

/// Reads the garden from its store.
extension GardenModel {
  /// Opens the garden in a folder, and creates an empty one if there never was one.
  /// - Throws: `StoreError`.
  public nonisolated static func open(
    folder: String, clock: WallClock = .system, missingFile: EventStore.MissingFile = .fails,
    fullDisk: EventStore.FullDisk = .fails
  ) async throws -> GardenModel {
    await GardenModel(try await load(folder: folder, clock: clock, missingFile: missingFile, fullDisk: fullDisk))
  }

  /// Reads the garden for `init(_:)` off the main thread, which may still be busy.
  /// - Throws: `StoreError`.
  public nonisolated static func load(
    folder: String, clock: WallClock = .system, missingFile: EventStore.MissingFile = .fails,
    fullDisk: EventStore.FullDisk = .fails
  ) async throws -> Loaded {
    try await load(EventStore.open(folder: folder, missingFile: missingFile, fullDisk: fullDisk), clock)
  }

  /// A garden that was read from a store.
  public struct Loaded: Sendable {
    let store: EventStore
    let clock: WallClock
    let profile: Profile
    let initialSync: InitialSync
    let recoveries: [Recovery]
    let clears: Int64
    let projection: Projection
    let lastSeq: Int64
    let generation: Int64
    let checkpointedCount: Int
    let pageRevision: Int64
    let hidden: Set<Int64>
    /// Whether it has earlier pages; only known of a garden without events.
    let hasOnlyPages: Bool
  }

  nonisolated static func load(_ store: EventStore, _ clock: WallClock) async throws -> Loaded {
    // Events that others write while this reads are left to `refresh`: they may belong before the checkpoint.
    let head = try await store.head()
    let profile = Profile(text: head.profile)
    let zones = zones(profile, clock)
    let stored = try await store.newestCheckpoint(format: Garden.formatVersion, zone: zones.fallback.identifier) {
      Garden(checkpoint: $0.state, zones: zones)
    }
    let events =
      if let stored { try await store.events(after: stored.checkpoint) } else { try await store.events(afterKey: nil) }
    let lastSeq = max(head.lastSeq, stored?.checkpoint.lastSeq ?? 0)
    var projection = Projection(stored?.state ?? Garden(zones: zones))
    projection.advance(events.filter { $0.seq <= lastSeq })
    let hasOnlyPages = projection.garden.eventCount > 0 ? false : try await store.countPages() > 0
    return Loaded(
      store: store, clock: clock, profile: profile, initialSync: head.initialSync, recoveries: head.recoveries,
      clears: head.clears, projection: projection, lastSeq: lastSeq, generation: head.generation,
      checkpointedCount: stored?.state.eventCount ?? 0, pageRevision: head.pageRevision,
      hidden: head.hidden, hasOnlyPages: hasOnlyPages)
  }

  func reload() async throws {
    let loaded = try await GardenModel.load(store, clock)
    try await dropUndoneElsewhere()
    now = clock.now()
    projection = loaded.projection
    lastSeq = loaded.lastSeq
    generation = loaded.generation
    checkpointedCount = loaded.checkpointedCount
    garden = projection.garden
    profile = loaded.profile
    initialSync = loaded.initialSync
    pageRevision = loaded.pageRevision
    hidden = loaded.hidden
  }

  /// The zones that define the days: the computer's for the present, each event's for itself, and the account's for
  /// events that name none.
  package nonisolated static func zones(_ profile: Profile, _ clock: WallClock) -> Zones {
    let current = clock.zone()
    let account = profile[.timeZone]?.text.flatMap { $0 == current.identifier ? current : Zone.named($0) }
    return Zones(current, fallback: account) { Zone.named($0) }
  }
}
