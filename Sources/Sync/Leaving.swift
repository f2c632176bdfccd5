import GardenStore

/// What signing out left behind.
public struct SignedOut: Sendable, Equatable {
  /// Everything that was removed.
  public let copy: VerifiedCopy
  /// Why the server could not be told; its session ends by itself. `nil` if it was.
  public let problem: SyncProblem?
}

/// Signing out, and deleting everything: what is removed is in a verified copy first.
extension SyncEngine {
  /// How often the garden is copied again because another program wrote to it before it was cleared.
  private static let copyAttempts = 5

  /// Tries to send what waits at the end of the program; also what could still be taken back.
  /// - Returns: how many events only this computer has, rejected ones among them.
  @discardableResult
  public func sendAll() async -> Int {
    // Where nothing can be written, nothing can be sent either: it is counted.
    try? await store.endHolds()
    await refreshFigures()
    if status.sendable > 0 || status.hasProfileToSend { await sync() }
    return status.pending + status.rejected + status.localOnly
  }

  /// Copies the garden, ends the session, and removes the garden and the tokens from this computer. Backup files stay.
  /// The engine is of no use afterwards.
  /// - Parameters:
  ///   - folder: where the copies of this account are kept.
  ///   - isOffline: the server has just been found unreachable, and is not asked again.
  ///   - remember: records that no account is signed in. Called when the session has ended and the garden is still here.
  /// - Throws: `store` if the garden can't be copied, and `vault` if the tokens can't be removed; then all is as it was,
  ///   and it can be tried again. After that the garden may be still here though the session has ended.
  public func signOut(
    keepingCopyIn folder: String, isOffline: Bool = false,
    remember: @Sendable (VerifiedCopy) async throws(SyncProblem) -> Void = { _ in }
  ) async throws(SyncProblem) -> SignedOut {
    isClosed = true
    await finishRunning()
    do throws(SyncProblem) {
      let copy = try await copied(to: folder)
      let problem = try await keeper.signOut(tellsServer: !isOffline)
      try await remember(copy)
      let last = try await clear(keptIn: copy, folder)
      if last != copy { try await remember(last) }
      await refreshFigures()
      return SignedOut(copy: last, problem: problem)
    } catch {
      isClosed = false
      await refreshFigures()
      throw error
    }
  }

  /// Another program has signed out. What was written here since then is copied and removed as well.
  /// - Returns: `nil` if there was nothing.
  public func leave(keepingCopyIn folder: String) async throws(SyncProblem) -> VerifiedCopy? {
    isClosed = true
    await finishRunning()
    let isEmpty = try await inStore { store throws(StoreError) in
      let count = try await store.count()
      return try await store.drafts().isEmpty && count == 0
    }
    return isEmpty ? nil : try await clear(keptIn: copied(to: folder), folder)
  }

  /// Deletes everything: on the server, and then here. A backup and a copy with all of it are written first. A sync should
  /// follow.
  public func resetEverywhere(keepingCopyIn folder: String) async throws(SyncProblem) -> VerifiedCopy {
    // What is only on the server would be in no copy.
    if let problem = await sync().problem { throw problem }
    isClosed = true
    defer { isClosed = false }
    await finishRunning()
    try await backUpBeforeLoss()
    let copy = try await copied(to: folder)
    try await authorized { [service] token throws(ServiceFailure) in try await service.removeAll(token: token) }
    let last = try await clear(keptIn: copy, folder, keepsProfile: true)
    await refreshFigures()
    return last
  }

  private func copied(to folder: String) async throws(SyncProblem) -> VerifiedCopy {
    let now = clock.now
    return try await inStore { store throws(StoreError) in try await store.writeCopy(below: folder, at: now) }
  }

  /// Removes the garden; if another program wrote to it since the copy, it is copied again first.
  /// - Returns: the copy that has everything that was removed.
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
      copy = try await copied(to: folder)
    }
    throw .store(.busy)
  }
}
