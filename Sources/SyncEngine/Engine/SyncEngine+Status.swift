import EventStore

/// Publishes the engine's status.
extension SyncEngine {
  /// Yields the current status and every change.
  public func statuses() -> AsyncStream<SyncStatus> {
    listeners.add(status) { [weak self] number in Task { await self?.removeListener(number) } }
  }

  /// Updates the numbers of events. Call it after a write to the log.
  @discardableResult
  public func refreshFigures() async -> SyncStatus {
    do throws(StoreError) { try await readFigures() } catch { status.failure = .store(error) }
    stage.isSignedOut = await keeper.ended != nil
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
    status.phase = stage.phase(status)
    listeners.send(status)
  }

  /// Shows that a sync runs.
  func show() {
    guard stage.isQuiet else { return }
    stage.show()
    publish()
  }

  private func removeListener(_ number: Int) { listeners.remove(number) }
}
