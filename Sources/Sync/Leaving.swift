import GardenStore

/// Signing out, and beginning anew.
extension SyncEngine {
  /// Tries to send what waits, before signing out or at the end of the program; also what could still be taken back.
  /// - Returns: how many events only this computer has, rejected ones among them.
  @discardableResult
  public func sendAll() async -> Int {
    // Where nothing can be written, nothing can be sent either: it is counted.
    try? await store.endHolds()
    await refreshFigures()
    if status.sendable > 0 || status.hasProfileToSend { await sync() }
    return status.pending + status.rejected + status.localOnly
  }

  /// Ends the session, and clears away what is here of the account: its garden, unsent events among it, and its tokens.
  /// Backup files stay. The engine is of no use afterwards.
  /// - Parameter unsent: how many events may be lost that no server has: as many as the user has agreed to.
  /// - Returns: why the server could not be told; its session ends by itself. `nil` if it was.
  /// - Throws: `store(.unsent)` if there are more, and `vault` if the tokens can't be removed, because the keyring is
  ///   locked or silent; then all is as it was, and it can be tried again. Also any other failure of the store; then the
  ///   garden is still here, though the session may have ended.
  @discardableResult
  public func signOut(accepting unsent: Int = 0) async throws(SyncProblem) -> SyncProblem? {
    isClosed = true
    await finishRunning()
    do throws(SyncProblem) {
      try await inStore { store throws(StoreError) in try await store.checkClearing(unsentAtMost: unsent) }
      let problem = try await keeper.signOut()
      // What was written meanwhile was not counted.
      try await inStore { store throws(StoreError) in try await store.clear(unsentAtMost: unsent) }
      await refreshFigures()
      return problem
    } catch {
      isClosed = false
      await refreshFigures()
      throw error
    }
  }

  /// Removes everything: on the server, and then here. A backup with all of it is written first. A sync should follow.
  public func resetEverywhere() async throws(SyncProblem) {
    // What is only on the server would be in no backup.
    if let problem = await sync().problem { throw problem }
    isClosed = true
    defer { isClosed = false }
    await finishRunning()
    var state = try await backedUp()
    try await authorized { [service] token throws(ServiceFailure) in try await service.removeAll(token: token) }
    // What was written since is in no backup yet.
    while try await !inStore({ [state] store throws(StoreError) in try await store.clear(ifStill: state) }) {
      state = try await backedUp()
    }
    overlap = Overlap()
    await refreshFigures()
  }

  /// - Returns: what the log held before the backup, which has all of that.
  private func backedUp() async throws(SyncProblem) -> LogState {
    let state = try await inStore { store throws(StoreError) in try await store.state() }
    try await backUpBeforeLoss()
    return state
  }
}
