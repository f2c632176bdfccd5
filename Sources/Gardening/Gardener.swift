import Garden
import GardenStore
import Observation
import Sync

/// The app without a screen: the one door through which a garden is read and changed.
///
/// An intent (`water`, `plant`, …) checks the rules against the present garden, makes an event, has it committed and
/// applies it; then `garden` is a new value. Events that other programs wrote to the same store enter the same way.
/// Intents run one after the other: each sees what the one before it did, so that a double click makes one event.
@MainActor
@Observable
public final class Gardener {
  /// Everything that is derived from the log.
  public private(set) var garden: Garden
  /// The instant for which the day is shown; `refreshClock` moves it.
  public internal(set) var now: Instant
  /// What the account says of its user; empty without an account. Its time zone, if this computer knows it, goes before
  /// that of the clock.
  public private(set) var profile: Profile
  /// A first download has begun and not ended: what is here is only a part of the garden, in which sprouts may seem to grow
  /// that were harvested years ago.
  public var isPartial: Bool { initialSync == .running }
  /// How far the first download of an account's garden is.
  public private(set) var initialSync: InitialSync
  /// What `undo` would take back, as long as somebody should be offered that.
  public var undoable: Undoable? { undoables.last { !$0.isPast } }
  /// The actions that can still be taken back, the last one last.
  var undoables: [Undoable] = []

  /// Whether actions can be taken back. Where nobody can do so, nothing is held back for it.
  @ObservationIgnored public var offersUndo = true

  public nonisolated let store: GardenStore
  @ObservationIgnored let clock: Clock
  @ObservationIgnored private var chronicle: Chronicle
  /// The newest event of the log that the chronicle has seen, and the log's generation then.
  @ObservationIgnored private var lastSeq: Int64
  @ObservationIgnored private var generation: Int64
  /// How many events were applied when a checkpoint was last kept in the store.
  @ObservationIgnored private var checkpointed: Int
  @ObservationIgnored private var lastTurn: Task<Void, Never>?

  /// An action that can be taken back for a few seconds.
  public struct Undoable: Sendable, Equatable {
    public enum Action: Sendable {
      case plant, water, shine, harvest, uproot, deleteSeedling
    }

    public let action: Action
    /// The id of what it was done to: a sprout, a seedling, a twig.
    public let entityID: String?
    public let clientIDs: [String]
    public let until: Instant
    /// What was written: it becomes a draft again, so that undoing loses no line.
    let draft: Draft?
    /// It is offered no longer.
    var isPast = false
  }

  /// How long an action can be taken back, in seconds: a little longer than that is offered, so that a late click still
  /// counts.
  public static let undoSeconds: Int64 = 9
  /// How long it is offered to take an action back, in seconds.
  public static let offerSeconds: Int64 = 8

  /// A checkpoint is kept in the store after this many events, so that a start never derives more.
  private static let checkpointSpacing = 200

  /// Opens the garden in a folder; an empty one is made there if there never was one.
  /// - Throws: `StoreError`.
  public nonisolated static func open(
    folder: String, clock: Clock = .system, missingFile: GardenStore.MissingFile = .fails
  ) async throws -> Gardener {
    let store = try await GardenStore.open(folder: folder, missingFile: missingFile)
    let loaded = try await load(store, clock)
    return await Gardener(store: store, clock: clock, loaded: loaded)
  }

  private init(store: GardenStore, clock: Clock, loaded: Loaded) {
    self.store = store
    self.clock = clock
    chronicle = loaded.chronicle
    lastSeq = loaded.lastSeq
    generation = loaded.generation
    checkpointed = loaded.checkpointed
    garden = loaded.chronicle.garden
    profile = loaded.profile
    initialSync = loaded.initialSync
    now = clock.now()
  }
}

// MARK: - Following the log and the clock

extension Gardener {
  /// Takes in what other programs wrote. Call it when the store's file changed.
  public func catchUp() async throws {
    try await inTurn { [self] in try await takeIn() }
  }

  /// Waits for what was begun before, then does this: whatever reads and changes the state must not be interrupted by
  /// another that does.
  func inTurn<Value: Sendable>(_ body: @escaping @MainActor () async throws -> Value) async throws -> Value {
    let previous = lastTurn
    let task = Task {
      await previous?.value
      return try await body()
    }
    lastTurn = Task { _ = await task.result }
    return try await task.value
  }

  /// Applies what came into the log since the last time; only within a turn.
  func takeIn() async throws {
    // Before the events: if they are the whole by then, all of them come.
    let head = try await store.head()
    let newProfile = Profile(text: head.profile)
    let isSameZone = newProfile[.timeZone] == profile[.timeZone]
    guard head.generation == generation, isSameZone else { return try await reload() }
    if newProfile != profile { profile = newProfile }
    guard let next = try await Gardener.derive(from: chronicle, after: lastSeq, store) else {
      return try await reload()
    }
    // With the garden, in one step: all is rendered once.
    if initialSync != head.initialSync { initialSync = head.initialSync }
    guard next.lastSeq > lastSeq else { return }
    // What came may be later than the last look at the clock: it must not lie in the future of what is shown.
    now = clock.now()
    (chronicle, lastSeq) = next
    garden = chronicle.garden
    await keepCheckpointIfDue()
  }

  /// Applies what came into the log after `seq`. It may be one event or a hundred thousand: they are read, applied and
  /// let go beside the main thread, which goes on painting.
  /// - Returns: the chronicle and the newest event that it has seen; `nil` if all must be derived again.
  private nonisolated static func derive(
    from chronicle: Chronicle, after seq: Int64, _ store: GardenStore
  ) async throws -> (chronicle: Chronicle, lastSeq: Int64)? {
    var chronicle = chronicle
    let new = try await store.events(afterSeq: seq)
    guard let newest = new.map(\.seq).max() else { return (chronicle, seq) }
    let sorted = LoggedEvent.sorted(new)
    guard let first = chronicle.needsRewind(for: sorted) else {
      chronicle.advance(sorted)
      return (chronicle, newest)
    }
    // From zero: the store may have kept a state that is nearer.
    guard let place = chronicle.rewind(before: first) else { return nil }
    let replayed = try await store.events(afterKey: place)
    // Rewinding keeps the count of ignored events, so these are added here and the others come from the log.
    chronicle.advance(sorted.filter { !$0.event.isUnderstood })
    // What others wrote since the reading of `new` has its turn next time, with all that came with it.
    chronicle.advance(replayed.filter { $0.event.isUnderstood && $0.seq <= newest })
    return (chronicle, newest)
  }

  /// Looks at the clock: makes all that depends on the day, the hour and the zone right.
  public func refreshClock() async throws {
    try await inTurn { [self] in
      now = clock.now()
      if Gardener.zone(profile, clock) != garden.zone { try await reload() }
    }
  }

  /// The next instant at which something that is shown changes by itself: the end of the reset day, a harvest that
  /// becomes ready, midnight or the top of the hour at which the greeting changes.
  public var nextChange: Instant {
    let (day, second) = garden.zone.local(now)
    let hours = [5, 12, 17, 21].map { Int64($0) * 3600 }.filter { $0 > second }
    let greeting =
      hours.first.map { garden.zone.instant(day: day, second: $0) }
      ?? garden.zone.instant(day: day.adding(days: 1), second: 0)
    let harvest = garden.upcoming(at: now).first?.harvestDue
    return min(min(greeting, garden.zone.nextReset(after: now)), harvest ?? greeting)
  }

  /// Waits until all that was begun is on the disk.
  public func finishWriting() async { await lastTurn?.value }

  /// Keeps the present state for the next start. Call it before the program ends.
  public func close() async throws {
    await finishWriting()
    if garden.eventCount > checkpointed { try await keepCheckpoint() }
  }

  /// The zone by which the days are counted.
  private nonisolated static func zone(_ profile: Profile, _ clock: Clock) -> Zone {
    profile[.timeZone]?.text.flatMap(Zone.named) ?? clock.zone()
  }

  private struct Loaded: Sendable {
    let profile: Profile
    let initialSync: InitialSync
    let chronicle: Chronicle
    let lastSeq: Int64
    let generation: Int64
    let checkpointed: Int
  }

  private nonisolated static func load(_ store: GardenStore, _ clock: Clock) async throws -> Loaded {
    // What others write while this reads is left for `catchUp`: it may belong before the place of the checkpoint.
    let head = try await store.head()
    let profile = Profile(text: head.profile)
    let zone = zone(profile, clock)
    let kept = try await store.newestCheckpoint(format: Garden.formatVersion, zone: zone.identifier) {
      Garden(checkpoint: $0.state, zone: zone)
    }
    if let (kept, garden) = kept {
      let lastSeq = max(head.lastSeq, kept.lastSeq)
      var chronicle = Chronicle(garden)
      chronicle.advance(try await store.events(after: kept).filter { $0.seq <= lastSeq })
      return Loaded(
        profile: profile, initialSync: head.initialSync, chronicle: chronicle, lastSeq: lastSeq,
        generation: head.generation, checkpointed: garden.eventCount)
    }
    var chronicle = Chronicle(Garden(zone: zone))
    chronicle.advance(try await store.events(afterKey: nil).filter { $0.seq <= head.lastSeq })
    return Loaded(
      profile: profile, initialSync: head.initialSync, chronicle: chronicle, lastSeq: head.lastSeq,
      generation: head.generation, checkpointed: 0)
  }

  private func reload() async throws {
    let loaded = try await Gardener.load(store, clock)
    now = clock.now()
    chronicle = loaded.chronicle
    lastSeq = loaded.lastSeq
    generation = loaded.generation
    checkpointed = loaded.checkpointed
    garden = chronicle.garden
    profile = loaded.profile
    initialSync = loaded.initialSync
  }

  /// Keeps the present state for the next start if many events were applied since one was kept.
  public func keepCheckpointIfDue() async {
    guard garden.eventCount - checkpointed >= Gardener.checkpointSpacing else { return }
    do { try await keepCheckpoint() } catch {
      // It only saves time. An intent that failed for it would say that what is on the disk was not done.
    }
  }

  private func keepCheckpoint() async throws {
    guard store.access == .readWrite else { return }
    let garden = garden
    try await Gardener.keep(garden, lastSeq: lastSeq, in: store)
    checkpointed = garden.eventCount
  }

  /// Decades make megabytes: not on the main thread.
  private nonisolated static func keep(_ garden: Garden, lastSeq: Int64, in store: GardenStore) async throws {
    guard let lastKey = garden.lastKey else { return }
    try await store.save(
      Checkpoint(
        format: Garden.formatVersion, zone: garden.zone.identifier, lastSeq: lastSeq, lastKey: lastKey,
        eventCount: garden.eventCount, state: garden.checkpoint()))
  }
}
