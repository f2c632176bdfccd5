import GardenStore

/// Signing out, and beginning anew.
extension SyncEngine {
  /// Tries to send what waits, before signing out.
  /// - Returns: how many events only this computer has, refused ones among them.
  public func sendBeforeSignOut() async -> Int {
    if await refreshFigures().sendable > 0 { await sync() }
    return status.pending + status.quarantined
  }

  /// Ends the session, and clears away what is here of the account: its garden, unsent events among it, and its tokens.
  /// Backup files stay. The engine is of no use afterwards.
  /// - Returns: what did not work. Whatever can be cleared is.
  public func signOut() async -> [SyncProblem] {
    isClosed = true
    await finishRunning()
    var problems = await keeper.signOut()
    do throws(StoreError) { try await store.clear() } catch { problems.append(.store(error)) }
    await refreshFigures()
    return problems
  }

  /// Puts everything on the server in the place of everything confirmed here, even if that is much less.
  @discardableResult
  public func resetHere() async -> SyncReport {
    status.question = nil
    return await sync(Demand(isFull: true, shrinking: .follow))
  }

  /// Removes everything: on the server, and then here. A backup is written first. A sync should follow.
  public func resetEverywhere() async throws(SyncProblem) {
    isClosed = true
    defer { isClosed = false }
    await finishRunning()
    try await backUpBeforeLoss()
    try await authorized { [service] token throws(ServiceFailure) in try await service.removeAll(token: token) }
    try await inStore { store throws(StoreError) in try await store.clear() }
    status.question = nil
    overlap = Overlap()
    await refreshFigures()
  }
}
