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
  public internal(set) var garden: Garden
  /// The instant that is shown as the present; `refreshClock` updates it.
  public internal(set) var now: Instant
  /// The account's profile; empty without an account. Its time zone, if the system knows it, is that of events that
  /// name none.
  public internal(set) var profile: Profile
  /// The state of the initial sync of an account's garden. While it is running, the garden is incomplete, and sprouts
  /// that were harvested years ago may appear to be growing.
  public internal(set) var initialSync: InitialSync
  /// Whether the account's garden is not completely downloaded yet. Until then, an empty garden may have entries on the
  /// server.
  public var awaitsInitialSync: Bool { hasAccount && initialSync != .done }
  /// The recoveries of the garden's damaged files that no user has seen yet.
  public internal(set) var unseenRecoveries: [Recovery]
  /// Increases when earlier pages change.
  public internal(set) var pageRevision: Int64
  /// The numbers of the events that are hidden on this computer.
  public internal(set) var hidden: Set<Int64>
  /// Increases when a draft changes without an event.
  public internal(set) var draftRevision = 0
  /// Increases when another garden's file was merged, also if it had nothing new.
  public internal(set) var mergeRevision = 0
  /// The action that `undo` would undo, while undo is offered.
  public var undoable: Undoable? { undoables.last { !$0.isPast } }
  /// The actions that can still be undone, the latest last.
  var undoables: [Undoable] = []

  /// Whether `refreshIfAllowed` applies what other connections have written: `false`, for example, while a download has
  /// brought only a part of the account's garden. Intents always apply it, because their rules need all events.
  @ObservationIgnored public var mayRefresh: @MainActor () async -> Bool = { true }
  /// Whether actions can be undone. If not, their events are sent without delay.
  @ObservationIgnored public var offersUndo = true
  /// Whether edits and new seedlings, which a window doesn't offer to undo, can be undone too.
  @ObservationIgnored public var holdsEdits = false
  /// The undo window in seconds.
  @ObservationIgnored public var undoWindow = GardenModel.undoSeconds
  /// Whether intents fail after another program has signed out and cleared the log. Commands need this: what they wrote
  /// would stay in a garden that no program opens. The window copies such entries instead, see `SyncEngine.leave`.
  @ObservationIgnored public var failsWhenCleared = false
  /// Whether this is the garden of an account, so that a server may have entries that it lacks.
  @ObservationIgnored public var hasAccount = false

  package nonisolated let store: EventStore
  @ObservationIgnored public let clock: WallClock
  @ObservationIgnored var projection: Projection
  /// The newest event of the log that the projection has applied, and the log's generation at that time.
  @ObservationIgnored var lastSeq: Int64
  @ObservationIgnored var generation: Int64
  /// Whether the garden had earlier pages and nothing else when it was loaded.
  let hadOnlyPages: Bool
  /// How often the log had been cleared when it was loaded.
  private let loadedClears: Int64
  var expectedClears: Int64? { failsWhenCleared ? loadedClears : nil }
  /// The number of applied events when the last checkpoint was saved.
  @ObservationIgnored var checkpointedCount: Int
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
    /// Whether undoing it makes words a draft again.
    public var hasWords: Bool { draft.map { !$0.text.trimmed.isEmpty } ?? false }
    /// Whether undoing is no longer offered.
    var isPast = false
  }

  /// The undo window in seconds: a little longer than the offer, so that a late click still counts.
  public static let undoSeconds: Int64 = 9
  /// The undo window of a terminal in seconds, in which the user types a command. The outbox ignores longer ones.
  public static let terminalUndoSeconds: Int64 = 60
  /// How long undo is offered, in seconds.
  public static let offerSeconds: Int64 = 8

  /// Creates the model of a loaded garden.
  public init(_ loaded: Loaded) {
    store = loaded.store
    clock = loaded.clock
    projection = loaded.projection
    lastSeq = loaded.lastSeq
    generation = loaded.generation
    checkpointedCount = loaded.checkpointedCount
    loadedClears = loaded.clears
    garden = loaded.projection.garden
    profile = loaded.profile
    initialSync = loaded.initialSync
    unseenRecoveries = loaded.recoveries
    pageRevision = loaded.pageRevision
    hidden = loaded.hidden
    hadOnlyPages = loaded.hasOnlyPages
    now = clock.now()
  }
}

// MARK: - Turns and the clock

extension GardenModel {
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

  /// Reads the clock and updates everything that depends on the day, the hour and the time zone.
  public func refreshClock() async throws {
    try await inTurn { [self] in
      now = clock.now()
      if !garden.zones.areSame(as: GardenModel.zones(profile, clock)) { try await reload() }
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
}
