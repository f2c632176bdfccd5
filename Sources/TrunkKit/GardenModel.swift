import EventStore
import Observation
import TrunkModel

/// The app without a UI: the only way to read and change a garden.
///
/// An intent (`water`, `plant`, …) checks the rules, creates an event, commits it and applies it; then `garden` has a
/// new value. Events that other programs wrote to the same store are applied the same way. Intents run one after the
/// other, and each sees the result of the one before it, so that a double click creates one event.
@MainActor
@Observable
public final class GardenModel {
  /// The garden derived from the log.
  public private(set) var garden: Garden
  /// The instant that is shown as the present; `refreshClock` updates it.
  public internal(set) var now: Instant
  /// The account's profile; empty without an account. Its time zone, if the system knows it, takes precedence over that
  /// of the clock.
  public private(set) var profile: Profile
  /// The state of the initial sync of an account's garden. While it is running, the garden is incomplete, and sprouts
  /// that were harvested years ago may appear to be growing.
  public private(set) var initialSync: InitialSync
  /// Increases when a draft changes without an event.
  public internal(set) var draftRevision = 0
  /// The action that `undo` would undo, while undo is offered.
  public var undoable: Undoable? { undoables.last { !$0.isPast } }
  /// The actions that can still be undone, the latest last.
  var undoables: [Undoable] = []

  /// Asked before the garden applies by itself what other connections have written. `false` leaves it as it is, for
  /// example while a download has only brought a part of the account's garden. Intents don't ask, because their rules
  /// need all events.
  @ObservationIgnored public var mayRefresh: @MainActor () async -> Bool = { true }
  /// Whether actions can be undone. If not, their events are sent without delay.
  @ObservationIgnored public var offersUndo = true

  public nonisolated let store: EventStore
  @ObservationIgnored public let clock: Clock
  @ObservationIgnored private var projection: Projection
  /// The newest event of the log that the projection has applied, and the log's generation at that time.
  @ObservationIgnored private var lastSeq: Int64
  @ObservationIgnored private var generation: Int64
  /// The number of applied events when the last checkpoint was saved.
  @ObservationIgnored private var checkpointed: Int
  @ObservationIgnored private var lastTurn: Task<Void, Never>?

  /// An action that can be undone for a few seconds.
  public struct Undoable: Sendable, Equatable {
    public enum Action: Sendable {
      case plant, water, shine, harvest, uproot, deleteSeedling, editNode, restoreNode
    }

    public let action: Action
    /// The id of the affected object: a sprout, a seedling, a twig or a branch.
    public let entityID: String?
    public let clientIDs: [String]
    public let until: Instant
    /// The text that was written. Undoing makes it a draft again, so that no line is lost.
    let draft: Draft?
    /// Whether it is no longer offered.
    var isPast = false
  }

  /// The undo window in seconds: a little longer than the offer, so that a late click still counts.
  public static let undoSeconds: Int64 = 9
  /// How long undo is offered, in seconds.
  public static let offerSeconds: Int64 = 8

  /// A checkpoint is saved after this many events, so that a start derives only a few.
  private static let checkpointSpacing = 200

  /// Opens the garden in a folder, and creates an empty one if there never was one.
  /// - Throws: `StoreError`.
  public nonisolated static func open(
    folder: String, clock: Clock = .system, missingFile: EventStore.MissingFile = .fails,
    fullDisk: EventStore.FullDisk = .fails
  ) async throws -> GardenModel {
    await GardenModel(try await load(folder: folder, clock: clock, missingFile: missingFile, fullDisk: fullDisk))
  }

  /// Reads the garden for `init(_:)`, without the main thread, which may still be busy.
  /// - Throws: `StoreError`.
  public nonisolated static func load(
    folder: String, clock: Clock = .system, missingFile: EventStore.MissingFile = .fails,
    fullDisk: EventStore.FullDisk = .fails
  ) async throws -> Loaded {
    try await load(EventStore.open(folder: folder, missingFile: missingFile, fullDisk: fullDisk), clock)
  }

  /// Creates the model of a loaded garden.
  public init(_ loaded: Loaded) {
    store = loaded.store
    clock = loaded.clock
    projection = loaded.projection
    lastSeq = loaded.lastSeq
    generation = loaded.generation
    checkpointed = loaded.checkpointed
    garden = loaded.projection.garden
    profile = loaded.profile
    initialSync = loaded.initialSync
    now = clock.now()
  }
}

// MARK: - Following the log and the clock

extension GardenModel {
  /// Applies what other connections, such as `trunkctl`, write to the store, until the calling task is cancelled.
  /// - Parameter onProblem: called when new events can't be read; the next write tries again.
  public func watchStore(onProblem: (any Error) -> Void) async {
    do {
      for await _ in try await store.changes() {
        do { try await refreshIfAllowed() } catch { onProblem(error) }
      }
    } catch {
      onProblem(error)
    }
  }

  /// Applies what another connection has written, if `mayRefresh` allows it.
  public func refreshIfAllowed() async throws {
    if await mayRefresh() { try await refresh() }
  }

  /// Applies everything that other connections have written.
  public func refresh() async throws {
    try await inTurn { [self] in try await applyNewEvents() }
  }

  /// Runs `body` after all earlier calls have finished, because code that reads and changes the state must not be
  /// interleaved.
  func inTurn<Value: Sendable>(_ body: @escaping @MainActor () async throws -> Value) async throws -> Value {
    let previous = lastTurn
    let task = Task {
      await previous?.value
      return try await body()
    }
    lastTurn = Task { _ = await task.result }
    return try await task.value
  }

  /// Reads the new events of the log and applies them. Call it only within a turn.
  func applyNewEvents() async throws {
    let (head, new) = try await store.news(afterSeq: lastSeq, generation: generation)
    let newProfile = Profile(text: head.profile)
    let isSameZone = newProfile[.timeZone] == profile[.timeZone]
    guard head.generation == generation, isSameZone else { return try await reload() }
    if newProfile != profile { profile = newProfile }
    guard let next = try await GardenModel.derive(from: projection, new, store) else { return try await reload() }
    // Update it together with the garden, so that everything is rendered once.
    if initialSync != head.initialSync { initialSync = head.initialSync }
    await publish(next, lastSeq: head.lastSeq)
  }

  /// Applies events that an intent has just written, without reading them back. Call it only within a turn.
  func apply(_ written: AppendResult) async throws {
    let seqs = written.inserted.map(\.seq)
    let isNext = seqs == (0..<Int64(seqs.count)).map { lastSeq + 1 + $0 }
    // Otherwise another connection has written in between, or the log already had one of the events.
    guard isNext, !written.isRewritten, let last = seqs.last,
      let next = try await GardenModel.derive(from: projection, written.inserted, store)
    else { return try await applyNewEvents() }
    await publish(next, lastSeq: last)
  }

  private func publish(_ next: Projection, lastSeq newest: Int64) async {
    guard newest > lastSeq else { return }
    // New events may be later than `now`, and must not be in its future.
    now = clock.now()
    (projection, lastSeq) = (next, newest)
    garden = next.garden
    await keepCheckpointIfDue()
  }

  /// Applies new events, one or a hundred thousand, off the main thread, which stays responsive.
  /// - Returns: `nil` if the garden must be derived from the start.
  private nonisolated static func derive(
    from projection: Projection, _ new: [LoggedEvent], _ store: EventStore
  ) async throws -> Projection? {
    var projection = projection
    guard let newest = new.map(\.seq).max() else { return projection }
    let sorted = LoggedEvent.sorted(new)
    guard let first = projection.needsRewind(for: sorted) else {
      projection.advance(sorted)
      return projection
    }
    // Without a checkpoint before them, everything must be derived: the store may have a later checkpoint.
    guard let position = projection.rewind(before: first) else { return nil }
    let replayed = try await store.events(afterKey: position)
    // Rewinding keeps the count of ignored events, so these are added here and the others come from the log.
    projection.advance(sorted.filter { !$0.event.isUnderstood })
    // Events that others wrote after `new` was read are applied next time.
    projection.advance(replayed.filter { $0.event.isUnderstood && $0.seq <= newest })
    return projection
  }

  /// Reads the clock and updates everything that depends on the day, the hour and the time zone.
  public func refreshClock() async throws {
    try await inTurn { [self] in
      now = clock.now()
      if GardenModel.zone(profile, clock) != garden.zone { try await reload() }
    }
  }

  /// The next instant at which the display changes by itself: the end of the reset day, a harvest that becomes ready,
  /// midnight, or the hour at which the greeting changes.
  public var nextChange: Instant {
    let (day, second) = garden.zone.local(now)
    let hours = [5, 12, 17, 21].map { Int64($0) * 3600 }.filter { $0 > second }
    let greeting =
      hours.first.map { garden.zone.instant(day: day, second: $0) }
      ?? garden.zone.instant(day: day.adding(days: 1), second: 0)
    let harvest = garden.upcoming(at: now).first?.harvestDue
    return min(min(greeting, garden.zone.nextReset(after: now)), harvest ?? greeting)
  }

  /// Waits until all pending intents are on disk.
  public func finishWriting() async { await lastTurn?.value }

  /// Saves a checkpoint for the next start. Call it before the program ends.
  public func close() async throws {
    await finishWriting()
    if garden.eventCount > checkpointed { try await keepCheckpoint() }
  }

  /// The time zone that defines the days.
  private nonisolated static func zone(_ profile: Profile, _ clock: Clock) -> Zone {
    profile[.timeZone]?.text.flatMap(Zone.named) ?? clock.zone()
  }

  /// A garden that was read from a store.
  public struct Loaded: Sendable {
    let store: EventStore
    let clock: Clock
    let profile: Profile
    let initialSync: InitialSync
    let projection: Projection
    let lastSeq: Int64
    let generation: Int64
    let checkpointed: Int
  }

  private nonisolated static func load(_ store: EventStore, _ clock: Clock) async throws -> Loaded {
    // Events that others write while this reads are left to `refresh`: they may belong before the checkpoint.
    let head = try await store.head()
    let profile = Profile(text: head.profile)
    let zone = zone(profile, clock)
    let kept = try await store.newestCheckpoint(format: Garden.formatVersion, zone: zone.identifier) {
      Garden(checkpoint: $0.state, zone: zone)
    }
    if let (kept, garden) = kept {
      let lastSeq = max(head.lastSeq, kept.lastSeq)
      var projection = Projection(garden)
      projection.advance(try await store.events(after: kept).filter { $0.seq <= lastSeq })
      return Loaded(
        store: store, clock: clock, profile: profile, initialSync: head.initialSync, projection: projection,
        lastSeq: lastSeq,
        generation: head.generation, checkpointed: garden.eventCount)
    }
    var projection = Projection(Garden(zone: zone))
    projection.advance(try await store.events(afterKey: nil).filter { $0.seq <= head.lastSeq })
    return Loaded(
      store: store, clock: clock, profile: profile, initialSync: head.initialSync, projection: projection,
      lastSeq: head.lastSeq,
      generation: head.generation, checkpointed: 0)
  }

  private func reload() async throws {
    let loaded = try await GardenModel.load(store, clock)
    now = clock.now()
    projection = loaded.projection
    lastSeq = loaded.lastSeq
    generation = loaded.generation
    checkpointed = loaded.checkpointed
    garden = projection.garden
    profile = loaded.profile
    initialSync = loaded.initialSync
  }

  /// Saves a checkpoint for the next start if enough events were applied since the last one.
  public func keepCheckpointIfDue() async {
    guard garden.eventCount - checkpointed >= GardenModel.checkpointSpacing else { return }
    do { try await keepCheckpoint() } catch {
      // A checkpoint only saves time. If this error made an intent fail, the user would think that their entry was
      // lost.
    }
  }

  private func keepCheckpoint() async throws {
    guard store.access == .readWrite else { return }
    let garden = garden
    try await GardenModel.keep(garden, lastSeq: lastSeq, in: store)
    checkpointed = garden.eventCount
  }

  /// The checkpoint of a large garden takes megabytes, so it is created off the main thread.
  private nonisolated static func keep(_ garden: Garden, lastSeq: Int64, in store: EventStore) async throws {
    guard let lastKey = garden.lastKey else { return }
    try await store.save(
      Checkpoint(
        format: Garden.formatVersion, zone: garden.zone.identifier, lastSeq: lastSeq, lastKey: lastKey,
        eventCount: garden.eventCount, state: garden.checkpoint()))
  }
}
