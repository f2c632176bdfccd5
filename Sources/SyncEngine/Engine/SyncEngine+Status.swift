import EventStore

/// Publishes the engine's status.
extension SyncEngine {
  /// Yields the current status and every change.
  public func statuses() -> AsyncStream<SyncStatus> {
    let (stream, continuation) = AsyncStream.makeStream(of: SyncStatus.self, bufferingPolicy: .bufferingNewest(1))
    listenerCount += 1
    let number = listenerCount
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in Task { await self?.removeListener(number) } }
    continuation.yield(status)
    return stream
  }

  /// Updates the numbers of events. Call it after a write to the log.
  @discardableResult
  public func refreshFigures() async -> SyncStatus {
    do throws(StoreError) { try await readFigures() } catch { status.failure = .store(error) }
    isSignedOut = await keeper.ended != nil
    publish()
    return status
  }

  /// Records whether the desktop reports a network. It only affects the status: a server on this computer needs none.
  public func networkChanged(isAvailable: Bool) {
    status.hasNetwork = isAvailable
    publish()
  }

  func readFigures() async throws(StoreError) {
    let figures = try await store.syncFigures(now: clock.now, without: oversized.seqs)
    status.pending = figures.pending
    status.undoable = figures.undoable
    status.sendable = figures.sendable
    status.rejected = figures.rejected
    status.localOnly = figures.localOnly
    status.remoteLoss = figures.remoteLoss
    if figures.remoteLoss == nil { status.isRemoteLossDeferred = false }
    status.latest = figures.latest
    status.nextUndoWindowEnd = figures.nextUndoWindowEnd
    status.hasProfileToSend = try await hasProfileToSend()
  }

  func publish() {
    status.phase = phase
    for listener in listeners.values { listener.yield(status) }
  }

  private var phase: SyncStatus.Phase {
    if isSignedOut { return .signedOut }
    if isRunning, !isQuiet { return isInitialSync ? .initialSync : .syncing }
    // Another program is syncing, or this one will again in a moment.
    if status.failure == .otherDownload || status.failure == .outdatedDownload { return .syncing }
    if status.failure != nil || !status.hasNetwork { return .offline }
    if status.remoteLoss != nil { return .remoteLoss }
    if status.rejected > 0 { return .rejected }
    if status.pending > 0 { return .pendingUpload }
    return status.localOnly > 0 ? .localOnly : .synced
  }

  private func removeListener(_ number: Int) { listeners[number] = nil }
}
