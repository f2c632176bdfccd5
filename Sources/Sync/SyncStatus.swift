import Garden
import GardenStore

/// Where syncing stands, for windows and terminals.
public struct SyncStatus: Sendable, Equatable {
  /// What is shown, in the order of precedence.
  public enum Phase: Sendable, Equatable {
    /// The session was ended by the server: the garden stays usable.
    case signedOut
    /// The first download runs: what is here is a part at most.
    case loading
    case syncing
    case offline
    /// The server has far fewer rows than this computer, and the user hasn't decided about it; see `remoteLoss`.
    case remoteLoss
    /// The server rejected entries, and the user hasn't decided about them; see `rejected`.
    case rejected
    /// Some events wait to be sent.
    case pendingUpload
    /// The server has everything but some rejected entries that the user keeps here only; see `localOnly`.
    case localOnly
    /// The server has everything that is on this computer.
    case synced
  }

  public var phase = Phase.synced
  /// How many rows this sync, or the last one, has fetched so far.
  public var fetched = 0
  /// Of many rows that come, a part is here: a garden made of it is none that anybody ever had.
  public var isPartway = false
  /// How many events the server has not acknowledged.
  public var pending = 0
  /// Of these, how many can still be taken back, and are sent in some seconds.
  public var held = 0
  /// How many may be sent now.
  public var sendable = 0
  /// When an event that can still be taken back may be sent.
  public var nextHoldEnd: Instant?
  /// How many it rejected, and the user hasn't decided about. `GardenStore.outboxItems` lists them.
  public var rejected = 0
  /// How many it rejected, and the user keeps on this computer only.
  public var localOnly = 0
  /// The server's `created_at` of the newest event that it has confirmed, as the server wrote it.
  public var latest: String?
  /// Why the last attempt failed; `nil` if it did not.
  public var failure: SyncProblem?
  public var consecutiveFailures = 0
  /// The profile of the account was changed here, and the server can be told.
  public var hasProfileToSend = false
  /// Why that profile could not be sent or fetched the last time; `nil` if it could.
  public var profileFailure: SyncProblem?
  public var lastAttempt: Instant?
  public var lastSuccess: Instant?
  /// The server has far fewer rows than this computer. It stays until the user decides or the rows are back, also across
  /// programs: the indicator, `status` and `doctor` show it. `SyncEngine.answer` decides.
  public var remoteLoss: RemoteLoss?
  /// The user said "not now" in this program: it doesn't ask again by itself, and still shows the loss.
  public var isRemoteLossDeferred = false

  public init() {}
}

/// What keeps a sync from succeeding.
public enum SyncProblem: Error, Sendable, Equatable {
  case service(ServiceFailure)
  case vault(VaultFailure)
  /// The local file could not be read or written.
  case store(StoreError)
  /// Another program has begun to download everything, so that what this one has begun is void.
  case otherDownload
  /// Time and again something has left the log while everything was downloaded.
  case outdatedDownload
}

extension SyncProblem {
  /// A short name for logs and reports: never anything that somebody wrote.
  public var code: String {
    switch self {
    case .service(let failure): failure.code
    case .vault(let failure): failure.code
    case .store(let failure): failure.code
    case .otherDownload: "other_download"
    case .outdatedDownload: "outdated_download"
    }
  }

  /// Seconds that the service asks to wait for.
  var retryAfter: Int64? {
    if case .service(.unavailable(_, _, let seconds)) = self { seconds } else { nil }
  }

  /// No answer came: whatever else is asked now would wait for as long, and in vain.
  var isUnanswered: Bool { if case .service(.unreachable) = self { true } else { false } }

  /// True where a later try may well succeed with nothing changed.
  public var isTransient: Bool {
    switch self {
    case .service(let failure): failure.isTransient
    // At login the keyring may come later than this program.
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
    case .copyNotVerified: "copy_not_verified"
    case .otherServer: "other_server"
    default: "store_failed"
    }
  }
}

/// What one sync did.
public struct SyncReport: Sendable, Equatable {
  public enum Mode: String, Sendable {
    case incremental, full
  }

  public var mode: Mode
  /// Rows that came, known ones among them.
  public var fetched = 0
  /// Events that came and were not here.
  public var pulled = 0
  /// Events that the server has acknowledged.
  public var pushed = 0
  public var problem: SyncProblem?

  public init(mode: Mode) { self.mode = mode }

  /// The service did not answer at all.
  var isUnanswered: Bool { problem?.isUnanswered ?? false }
}
