/// What one sync does in addition to a normal one.
struct SyncDemand: Sendable {
  /// What to do about a remote loss. Of two requests, the later case wins.
  enum Loss: Int, Sendable {
    case record, followServer, uploadAgain
  }

  var isFull = false
  /// Fetches nothing, because fetching could remove events that are about to be compared with the server.
  var isSendOnly = false
  /// Whether the sync is user-initiated.
  var isUserInitiated = false
  var loss = Loss.record

  fileprivate mutating func add(_ other: SyncDemand) {
    isFull = isFull || other.isFull
    isSendOnly = isSendOnly && other.isSendOnly
    isUserInitiated = isUserInitiated || other.isUserInitiated
    if other.loss.rawValue > loss.rawValue { loss = other.loss }
  }
}

/// The running sync, and the one that waits for it. A request joins one of them.
struct SyncRuns {
  typealias Work = Task<SyncReport, Never>

  private struct Run {
    var demand: SyncDemand
    /// Whether a sync was requested since the outbox was last read.
    var isRequested = false
    var hasBegunPull = false
    let work: Work
  }

  private var current: Run?
  private var next: Run?

  /// What the running sync was asked for.
  var demand: SyncDemand { current?.demand ?? SyncDemand() }
  var isRunning: Bool { current != nil }
  /// The last sync that was requested; `nil` if none runs.
  var last: Work? { (next ?? current)?.work }
  /// Whether another sync follows the running one.
  var hasNext: Bool { next != nil }
  /// Whether a request has joined the running sync.
  var isRequested: Bool { current?.isRequested ?? false }

  /// Adds a request to the running sync, or to the next one if it comes too late for the running one.
  /// - Parameter begin: starts a sync, after the given one if there is one.
  /// - Returns: the sync that has the answer.
  mutating func join(_ demand: SyncDemand, begin: (_ after: Work?) -> Work) -> Work {
    guard let running = current else {
      let work = begin(nil)
      current = Run(demand: demand, work: work)
      return work
    }
    if !running.hasBegunPull {
      current?.demand.add(demand)
      current?.isRequested = true
      return running.work
    }
    if let waiting = next {
      next?.demand.add(demand)
      return waiting.work
    }
    let work = begin(running.work)
    next = Run(demand: demand, work: work)
    return work
  }

  /// Ends the requests that the running sync can still satisfy.
  mutating func beginPull() { current?.hasBegunPull = true }

  /// Whether a sync was requested since the last call: its events may be missing from the batch that was read.
  mutating func takeRequest() -> Bool {
    defer { current?.isRequested = false }
    return isRequested
  }

  /// Ends the running sync: later requests start a new one.
  /// - Parameter isAnswered: Without an answer, waiting requests get the same report instead of another sync.
  mutating func end(isAnswered: Bool) {
    current = isAnswered ? next : nil
    next = nil
  }
}
