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
  /// The difference between this computer's clock and the server's; `nil` if they agree.
  public var clockDifference: ClockDifference?
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
    sum.clockDifference = next.clockDifference
    sum.problem = next.problem
    return sum
  }

  /// Whether the service did not answer at all.
  var isUnanswered: Bool { problem?.isUnanswered ?? false }
}
