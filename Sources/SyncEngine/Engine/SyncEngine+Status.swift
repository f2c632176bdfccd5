import EventStore

/// Publishes the engine's status.
extension SyncEngine {
  /// Yields the current status and every change.
  public func statuses() -> AsyncStream<SyncStatus> {
    shown.follow { [weak self] number in Task { await self?.removeListener(number) } }
  }

  /// Updates the numbers of events. Call it after a write to the log.
  @discardableResult
  public func refreshFigures() async -> SyncStatus {
    do throws(StoreError) { try await readFigures() } catch { shown.set(failure: .store(error)) }
    shown.set(isSignedOut: await keeper.ended != nil)
    shown.publish()
    return status
  }

  /// Records whether the desktop reports a network. It only affects the status: a server on this computer needs none.
  public func networkChanged(isAvailable: Bool) { shown.set(hasNetwork: isAvailable) }

  func readFigures() async throws(StoreError) {
    let figures = try await store.syncFigures(now: clock.now, without: oversized.seqs)
    shown.set(figures, hasProfileToSend: try await hasProfileToSend())
  }

  private func removeListener(_ number: Int) { shown.removeListener(number) }
}
