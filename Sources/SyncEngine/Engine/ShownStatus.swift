import EventStore
import TrunkModel

/// The engine's status, and those who follow it. Every change of it is in this file.
struct ShownStatus {
  private(set) var value = SyncStatus()
  private var stage = SyncStage()
  private var listeners = SyncListeners()

  // MARK: A sync

  /// - Parameter isUserInitiated: whether the user waits for this sync. Another one after a failure is hidden until the
  ///   service answers.
  mutating func begin(isInitial: Bool, isUserInitiated: Bool, at start: Instant) {
    stage.begin(isInitial: isInitial, isQuiet: value.failure != nil && !isUserInitiated)
    value.lastAttempt = start
    value.fetched = 0
    publish()
  }

  /// Shows that a sync runs.
  mutating func show() {
    guard stage.isQuiet else { return }
    stage.show()
    publish()
  }

  mutating func endInitial() { stage.endInitial() }

  mutating func succeed(at end: Instant) {
    value.lastSuccess = end
    value.consecutiveFailures = 0
    value.failure = nil
    value.hasNetwork = true
  }

  mutating func fail(_ problem: SyncProblem, at start: Instant) {
    value.lastAttempt = start
    value.consecutiveFailures += 1
    value.failure = problem
  }

  /// - Parameter isFollowed: whether another sync begins.
  mutating func end(isFollowed: Bool) {
    stage.end(isFollowed: isFollowed)
    publish()
  }

  // MARK: Facts

  /// Sets a failure without an attempt to reach the server.
  mutating func set(failure: SyncProblem) { value.failure = failure }

  mutating func set(isSignedOut: Bool) { stage.isSignedOut = isSignedOut }

  mutating func set(profileFailure: SyncProblem?) { value.profileFailure = profileFailure }

  mutating func set(clockDifference: ClockDifference?) { value.clockDifference = clockDifference }

  mutating func set(removal: Removal) { value.removal = removal }

  mutating func set(_ figures: SyncFigures, hasProfileToSend: Bool) {
    value.pending = figures.pending
    value.undoable = figures.undoable
    value.sendable = figures.sendable
    value.rejected = figures.rejected
    value.localOnly = figures.localOnly
    value.remoteLoss = figures.remoteLoss
    if figures.remoteLoss == nil { value.isRemoteLossDeferred = false }
    value.latest = figures.latest
    value.nextUndoWindowEnd = figures.nextUndoWindowEnd
    value.hasProfileToSend = hasProfileToSend
  }

  mutating func deferRemoteLoss() {
    value.isRemoteLossDeferred = true
    publish()
  }

  mutating func set(hasNetwork: Bool) {
    value.hasNetwork = hasNetwork
    publish()
  }

  mutating func set(fetched: Int) {
    value.fetched = fetched
    publish()
  }

  mutating func set(isLargeDownload: Bool) {
    guard value.isLargeDownload != isLargeDownload else { return }
    value.isLargeDownload = isLargeDownload
    publish()
  }

  // MARK: Followers

  mutating func publish() {
    value.phase = stage.phase(value)
    listeners.send(value)
  }

  /// - Parameter onEnd: called with the listener's number when it follows no longer.
  mutating func follow(onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<SyncStatus> {
    listeners.add(value, onEnd: onEnd)
  }

  mutating func removeListener(_ number: Int) { listeners.remove(number) }
}
