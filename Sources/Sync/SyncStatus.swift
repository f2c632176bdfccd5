import Garden
import GardenStore

/// Where syncing stands, for whoever shows it.
public struct SyncStatus: Sendable, Equatable {
  /// What is shown, in the order of precedence.
  public enum Phase: Sendable, Equatable {
    /// The session was ended by the server: the garden stays usable.
    case signedOut
    /// The first download runs and nothing is here yet.
    case loading
    case syncing
    case offline
    /// Some events wait to be sent.
    case pendingUpload
    case synced
  }

  public var phase = Phase.synced
  /// How many events the server has not acknowledged.
  public var pending = 0
  /// How many it has refused for good.
  public var quarantined = 0
  /// The server's `created_at` of the newest event that it has confirmed, as the server wrote it.
  public var latest: String?
  public var failure: SyncProblem?
  public var consecutiveFailures = 0
  public var lastAttempt: Instant?
  public var lastSuccess: Instant?
  /// A full download that would take much away, waiting for the user's word.
  public var question: ShrinkQuestion?

  public init() {}
}

/// What keeps a sync from succeeding.
public enum SyncProblem: Error, Sendable, Equatable {
  case service(ServiceFailure)
  case vault(VaultFailure)
  /// The local file could not be read or written.
  case store(StoreError)
}

/// The server has much less than this computer: an accident on either side. Nothing is replaced before the answer.
public struct ShrinkQuestion: Sendable, Equatable {
  /// Confirmed events here, and rows on the server.
  public let here: Int
  public let there: Int

  public init(here: Int, there: Int) {
    self.here = here
    self.there = there
  }

  public enum Answer: Sendable {
    case followServer, keepMine, notNow
  }
}

/// What one sync did.
public struct SyncReport: Sendable, Equatable {
  public enum Mode: String, Sendable {
    case incremental, full
  }

  public var mode: Mode
  public var pulled = 0
  public var pushed = 0
  public var problem: SyncProblem?

  public init(mode: Mode) { self.mode = mode }
}
