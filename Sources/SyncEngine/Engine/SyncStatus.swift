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
  /// Whether the profile has changes that can be sent now.
  public var hasProfileToSend = false
  /// Why the profile could not be sent or fetched the last time; `nil` if it could.
  public var profileFailure: SyncProblem?
  public var lastAttempt: Instant?
  public var lastSuccess: Instant?
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

/// Why a sync failed.
public enum SyncProblem: Error, Sendable, Equatable {
  case service(ServiceFailure)
  case vault(VaultFailure)
  /// The local file could not be read or written.
  case store(StoreError)
  /// Another program has started a full download, which makes this program's download invalid.
  case otherDownload
  /// Events left the log during each of several full downloads.
  case outdatedDownload
}

extension SyncProblem {
  /// A short name for logs and reports. It never contains journal text.
  public var code: String {
    switch self {
    case .service(let failure): failure.code
    case .vault(let failure): failure.code
    case .store(let failure): failure.code
    case .otherDownload: "other_download"
    case .outdatedDownload: "outdated_download"
    }
  }

  /// The pause that the service asks for, in seconds.
  var retryAfter: Int64? {
    if case .service(.unavailable(_, _, let seconds)) = self { seconds } else { nil }
  }

  /// Whether no response arrived. Another request now would wait just as long and fail too.
  var isUnanswered: Bool { if case .service(.unreachable) = self { true } else { false } }

  /// Whether a later attempt may succeed without any change.
  public var isTransient: Bool {
    switch self {
    case .service(let failure): failure.isTransient
    // At login the keyring may start later than this program.
    case .vault(.noAnswer), .vault(.noService), .store(.busy), .otherDownload, .outdatedDownload: true
    case .vault, .store: false
    }
  }
}

extension VaultFailure {
  fileprivate var code: String {
    switch self {
    case .locked: "keyring_locked"
    case .noService: "keyring_missing"
    case .noCollection: "keyring_empty"
    case .noAnswer: "keyring_silent"
    case .denied: "keyring_denied"
    case .other: "keyring_failed"
    }
  }
}

extension StoreError {
  fileprivate var code: String {
    switch self {
    case .busy: "store_busy"
    case .diskFull: "disk_full"
    case .notWritable: "not_writable"
    case .newerVersion: "newer_version"
    case .damaged, .damagedAndInUse: "damaged"
    case .moved: "moved"
    case .copyNotVerified: "copy_not_verified"
    case .otherServer: "other_server"
    default: "store_failed"
    }
  }
}

/// Entries that a full download removed from this computer because the server no longer had them, and texts that it
/// replaced by the server's.
public struct Removal: Sendable, Equatable {
  /// The number of removed entries.
  public let count: Int
  /// The number of entries whose text was replaced.
  public var replaced = 0
  /// The path of the backup with all of them, written before the removal. The log also keeps them as superseded.
  public let backup: String
}

/// The result of one sync.
public struct SyncReport: Sendable, Equatable {
  public enum Mode: String, Sendable {
    case incremental, full
  }

  public var mode: Mode
  /// The number of fetched rows, including known ones.
  public var fetched = 0
  /// The number of fetched events that were new.
  public var pulled = 0
  /// The number of events that the server has acknowledged.
  public var pushed = 0
  public var problem: SyncProblem?
  /// Whether the number of rows here and on the server was compared.
  var isCompared = false
  /// The entries that were removed because the server no longer had them, and the texts that its own replaced; `nil` if
  /// there were none.
  public var removal: Removal?

  public init(mode: Mode) { self.mode = mode }

  /// Combines the results of this sync and the next one.
  func followed(by next: SyncReport) -> SyncReport {
    var sum = self
    sum.fetched += next.fetched
    sum.pulled += next.pulled
    sum.pushed += next.pushed
    sum.removal = next.removal ?? removal
    sum.problem = next.problem
    return sum
  }

  /// Whether the service did not answer at all.
  var isUnanswered: Bool { problem?.isUnanswered ?? false }
}
