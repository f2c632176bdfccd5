import EventStore
import TrunkModel

/// The state of syncing, for windows and terminals.
public struct SyncStatus: Sendable, Equatable {
  /// The state that is shown, in order of precedence.
  public enum Phase: Sendable, Equatable {
    /// The server ended the session. The garden remains usable.
    case signedOut
    /// The initial sync is running: the garden is incomplete.
    case initialSync
    case syncing
    case offline
    /// The server lacks many entries that it had confirmed, and the user hasn't decided what to do; see `remoteLoss`.
    case remoteLoss
    /// The server rejected entries, and the user hasn't decided about them; see `rejected`.
    case rejected
    /// Some events wait to be sent.
    case pendingUpload
    /// The server has everything except rejected entries that the user keeps on this computer; see `localOnly`.
    case localOnly
    /// The server has every entry of this garden.
    case synced
  }

  public var phase = Phase.synced
  /// The number of rows that the running or the last sync has fetched so far.
  public var fetched = 0
  /// Whether a large download is incomplete. A garden projected from a part of the rows never existed on any device.
  public var isLargeDownload = false
  /// The number of events that the server has not acknowledged.
  public var pending = 0
  /// The number of pending events in their undo window, which are sent when it ends.
  public var undoable = 0
  /// The number of pending events that may be sent now.
  public var sendable = 0
  /// When the first undo window ends, so that its event may be sent.
  public var nextUndoWindowEnd: Instant?
  /// The number of rejected events that the user hasn't decided about. `EventStore.outboxItems` lists them.
  public var rejected = 0
  /// The number of rejected events that the user keeps on this computer only.
  public var localOnly = 0
  /// The `created_at` of the newest confirmed event, as the server wrote it.
  public var latest: String?
  /// Why the last attempt failed; `nil` if it did not.
  public var failure: SyncProblem?
  public var consecutiveFailures = 0
  /// Whether the desktop reports a network, or a sync has reached the server since it didn't.
  public var hasNetwork = true
  /// Whether the profile has changes that can be sent now.
  public var hasProfileToSend = false
  /// Why the profile could not be sent or fetched the last time; `nil` if it could.
  public var profileFailure: SyncProblem?
  public var lastAttempt: Instant?
  public var lastSuccess: Instant?
  /// The difference between this computer's clock and the server's at the end of the last sync; `nil` if they agree.
  public var clockDifference: ClockDifference?
  /// The remote loss that the user hasn't decided about; `nil` if there is none. It is stored, and every program shows
  /// it (the indicator, `trunkctl status`, `trunkctl doctor`) until the rows are back or a `SyncRequest.decision` has
  /// been carried out.
  public var remoteLoss: RemoteLoss?
  /// The user chose "not now" in this program: it doesn't ask again unprompted, but still shows the loss.
  public var isRemoteLossDeferred = false
  /// The last removal of entries or texts by a download in this program; `nil` if there was none.
  public var removal: Removal?

  public init() {}
}
