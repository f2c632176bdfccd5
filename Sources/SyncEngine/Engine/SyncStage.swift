/// What the engine is doing, as far as it is shown.
struct SyncStage {
  private var isRunning = false
  /// Whether the running sync is hidden until the service answers: the last sync failed, and this one is automatic.
  /// Without an answer, the status would otherwise be "syncing" most of the time.
  private(set) var isQuiet = false
  private(set) var isInitial = false
  var isSignedOut = false

  mutating func begin(isInitial: Bool, isQuiet: Bool) {
    (isRunning, self.isInitial, self.isQuiet) = (true, isInitial, isQuiet)
  }

  /// The service has answered, or the user waits for it.
  mutating func show() { isQuiet = false }

  mutating func endInitial() { isInitial = false }

  /// - Parameter isFollowed: whether another sync begins.
  mutating func end(isFollowed: Bool) { isRunning = isFollowed }

  func phase(_ status: SyncStatus) -> SyncStatus.Phase {
    if isSignedOut { return .signedOut }
    if isRunning, !isQuiet { return isInitial ? .initialSync : .syncing }
    // Another program is syncing, or this one will again in a moment.
    if status.failure == .otherDownload || status.failure == .outdatedDownload { return .syncing }
    if status.failure != nil || !status.hasNetwork { return .offline }
    if status.remoteLoss != nil { return .remoteLoss }
    if status.rejected > 0 { return .rejected }
    if status.pending > 0 { return .pendingUpload }
    return status.localOnly > 0 ? .localOnly : .synced
  }
}

/// Those who follow the status.
struct SyncListeners {
  private var listeners: [Int: AsyncStream<SyncStatus>.Continuation] = [:]
  private var count = 0

  /// - Parameter onEnd: called with the listener's number when it follows no longer.
  mutating func add(_ status: SyncStatus, onEnd: @escaping @Sendable (Int) -> Void) -> AsyncStream<SyncStatus> {
    let (stream, continuation) = AsyncStream.makeStream(of: SyncStatus.self, bufferingPolicy: .bufferingNewest(1))
    count += 1
    continuation.onTermination = { [count] _ in onEnd(count) }
    listeners[count] = continuation
    continuation.yield(status)
    return stream
  }

  mutating func remove(_ number: Int) { listeners[number] = nil }

  func send(_ status: SyncStatus) {
    for listener in listeners.values { listener.yield(status) }
  }
}
