import EventStore

/// The result of signing out.
public struct SignedOut: Sendable, Equatable {
  /// The copy of everything that was removed.
  public let copy: VerifiedCopy
  /// Why the session could not be ended on the server, where it will expire; `nil` if it was ended.
  public let problem: SyncProblem?
  /// The numbers of the events that were not sent when the garden was removed; they are in the copy.
  public let unsent: Set<Int64>
  /// Whether another program wrote to the garden after its first copy.
  public let hasChanged: Bool
  /// Why the garden is still on this computer; `nil` if it was removed. The next sign-in continues with it.
  public let remains: SyncProblem?
}

/// Signing out and deleting everything. Both write a verified copy before they remove anything.
extension SyncEngine {
  /// How often clearing is attempted, with a new copy each time another program has written to the garden.
  private static let copyAttempts = 5

  /// Tries to send the outbox before the program ends, including events in their undo window.
  /// - Returns: the number of events that only this computer has, including rejected ones.
  @discardableResult
  public func sendAll() async -> Int {
    // If this fails, the events stay in their undo window, and the result counts them.
    try? await store.endUndoWindows()
    await refreshFigures()
    if status.sendable > 0 || status.hasProfileToSend { await sync() }
    return status.pending + status.rejected + status.localOnly
  }

  /// Copies the garden, ends the session, and removes the garden and the tokens from this computer. Backup files stay.
  /// The engine can't be used afterwards.
  /// - Parameters:
  ///   - folder: the folder of this account's copies.
  ///   - isOffline: whether the server was just found unreachable; then it gets no request.
  ///   - remember: records that no account is signed in. Called after the session has ended, before the garden is
  ///     removed.
  /// - Throws: `store` if the garden can't be copied, or if another program has removed it since `compare`, and `vault`
  ///   if the tokens can't be removed; then nothing has changed. Also what `remember` throws; then the session has
  ///   ended, and the garden and its copy are here. In each case, signing out can be repeated.
  public func signOut(
    keepingCopyIn folder: String, isOffline: Bool = false,
    remember: @Sendable (VerifiedCopy) async throws(SyncProblem) -> Void = { _ in }
  ) async throws(SyncProblem) -> SignedOut {
    clearGuard.close()
    await finishRunning()
    do throws(SyncProblem) {
      try await checkNotCleared()
      let copy = try await copied(to: folder)
      let problem = try await endSession(tellsServer: !isOffline, keeping: copy)
      try await remember(copy)
      var (last, unsent, remains): (VerifiedCopy, Set<Int64>, SyncProblem?) = (copy, [], nil)
      do throws(SyncProblem) {
        unsent = Set(try await local().filter { $0.upload == .pending }.map(\.seq))
        last = try await clear(keptIn: copy, folder)
        if last != copy { try await remember(last) }
      } catch {
        // The user is already signed out, and the copy is complete. On a full disk the garden can't be removed.
        remains = error
      }
      await refreshFigures()
      return SignedOut(copy: last, problem: problem, unsent: unsent, hasChanged: last != copy, remains: remains)
    } catch {
      clearGuard.reopen()
      await refreshFigures()
      throw error
    }
  }

  /// Fails if another program has signed out since the garden was compared with the server: the user would be told that
  /// an empty copy has the garden.
  private func checkNotCleared() async throws(SyncProblem) {
    try await inStore { [clears = clearGuard.clears] store throws(StoreError) in
      if let clears, try await store.clearCount() != clears { throw .cleared }
    }
  }

  /// - Parameter copy: the copy of the garden. If the session can't be ended, the garden stays and needs no copy.
  private func endSession(tellsServer: Bool, keeping copy: VerifiedCopy) async throws(SyncProblem) -> SyncProblem? {
    do throws(SyncProblem) {
      return try await keeper.signOut(tellsServer: tellsServer)
    } catch {
      copy.remove()
      throw error
    }
  }

  /// Copies and removes what was written here after another program signed out.
  /// - Returns: the copy; `nil` if the garden was empty.
  public func leave(keepingCopyIn folder: String) async throws(SyncProblem) -> VerifiedCopy? {
    clearGuard.close()
    await finishRunning()
    return try await isEmpty() ? nil : try await clear(keptIn: copied(to: folder), folder)
  }

  private func isEmpty() async throws(SyncProblem) -> Bool {
    try await inStore { store throws(StoreError) in try await store.isEmpty() }
  }

  /// Deletes everything, first on the server, then here, after writing a backup and a copy. A sync should follow.
  public func deleteEverywhere(keepingCopyIn folder: String) async throws(SyncProblem) -> VerifiedCopy {
    // Fetch everything first: rows that are only on the server would be in no copy.
    if let problem = await sync().problem { throw problem }
    clearGuard.close()
    defer { clearGuard.reopen() }
    await finishRunning()
    try await backUpBeforeLoss()
    let copy = try await copied(to: folder)
    try await authorized { [service] token throws(ServiceFailure) in try await service.removeAll(token: token) }
    let last = try await clear(keptIn: copy, folder, keepsProfile: true)
    // Everything is deleted by now, so an error here must not look like a failed deletion. The next sync reads the
    // count again.
    clearGuard.requestRows(clears: try? await store.clearCount())
    await refreshFigures()
    return last
  }

  private func copied(to folder: String) async throws(SyncProblem) -> VerifiedCopy {
    let now = clock.now
    return try await inStore { store throws(StoreError) in try await store.writeCopy(below: folder, at: now) }
  }

  /// Removes the garden. If another program has written to it since the copy, it is copied again first.
  /// - Returns: the copy of everything that was removed.
  private func clear(
    keptIn first: VerifiedCopy, _ folder: String, keepsProfile: Bool = false
  ) async throws(SyncProblem) -> VerifiedCopy {
    var copy = first
    for _ in 0..<SyncEngine.copyAttempts {
      let kept = copy
      let isCleared = try await inStore { store throws(StoreError) in
        try await store.clear(keptIn: kept, keepsProfile: keepsProfile)
      }
      if isCleared { return copy }
      // Another program has removed the garden since it was copied.
      if try await isEmpty() { return copy }
      copy = try await copied(to: folder)
    }
    throw .store(.busy)
  }
}
