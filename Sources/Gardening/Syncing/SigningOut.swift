import Garden
import GardenStore
import Sync

/// Signing out, and deleting everything. Whatever leaves this computer is in a verified copy first.
extension Synchroniser {
  /// Sends what waits, and compares this computer with the server. It takes 15 seconds at most where no answer comes.
  public func compareWithServer() async throws -> ServerComparison {
    try await parts()?.engine.compare() ?? ServerComparison(missing: [])
  }

  /// Sends again what the server lacks, and compares once more.
  public func sendAgain(_ comparison: ServerComparison) async throws -> ServerComparison {
    try await parts()?.engine.sendAgain(comparison) ?? ServerComparison(missing: [])
  }

  /// The missing entries themselves, oldest first.
  public func entries(_ comparison: ServerComparison) async throws -> [MissingEntry] {
    let events = try await gardener.store.events(seqs: comparison.missing.map(\.seq))
    let bySeq = Dictionary(events.map { ($0.seq, $0.event) }) { first, _ in first }
    return comparison.missing.compactMap { missing in
      bySeq[missing.seq].map { MissingEntry(event: $0, reason: missing.reason) }
    }
  }

  /// Keeps a copy of the account's garden, signs out, and removes the garden from this computer.
  /// - Parameter comparison: what `compareWithServer` found, and the user has agreed to.
  /// - Throws: `StoreError` if the copy can't be written: then nothing has changed.
  public func signOut(after comparison: ServerComparison) async throws -> SignedOut {
    guard let current, let parts = try await parts() else { throw SyncingError.noAccount }
    isSigningOut = true
    do {
      let result = try await signOut(current, parts, comparison)
      await parts.scheduler.stop()
      onAccountChange?(nil)
      return result
    } catch {
      isSigningOut = false
      throw error
    }
  }

  private func signOut(
    _ current: SignedInAccount, _ parts: Parts, _ comparison: ServerComparison
  ) async throws -> SignedOut {
    try await rememberOwner(current)
    let folder = Folders.signedOut(account: current.account.userID)
    let isOffline = if case .service(.unreachable) = comparison.problem { true } else { false }
    let remember = { @Sendable (copy: VerifiedCopy) throws(SyncProblem) in
      let note = SignOutNote(
        account: current.account.userID, copy: copy.path, isComplete: comparison.isComplete)
      try Synchroniser.remember(note)
    }
    do throws(SyncProblem) {
      return try await parts.engine.signOut(keepingCopyIn: folder, isOffline: isOffline, remember: remember)
    } catch .vault(.locked) {
      // The user is there and can be asked for the password.
      try await connections.vault.unlock()
      return try await parts.engine.signOut(keepingCopyIn: folder, isOffline: isOffline, remember: remember)
    } catch .store(let error) {
      throw error
    } catch {
      throw error
    }
  }

  /// Deletes everything, on the server and here.
  /// - Returns: the copy that was made before.
  public func deleteEverywhere() async throws -> VerifiedCopy? {
    guard let current, let parts = try await parts() else { return nil }
    let folder = Folders.signedOut(account: current.account.userID)
    let (report, copy) = try await parts.scheduler.resetEverywhere(keepingCopyIn: folder)
    // What was deleted on purpose is not offered again.
    try await gardener.store.set(copy.name, for: .restoreAnswered)
    try await gardener.catchUp()
    if let problem = report.problem { throw problem }
    return copy
  }

  /// Another program has signed out. What this one wrote to the garden since then is copied and removed too; if it can't
  /// be copied, it stays where it is and is sent after the next sign-in.
  func leave(_ engine: SyncEngine) async {
    guard let account else { return }
    do {
      let copy = try await engine.leave(keepingCopyIn: Folders.signedOut(account: account.userID))
      guard let copy, try CurrentAccount().load() == nil else { return }
      try Synchroniser.remember(SignOutNote(account: account.userID, copy: copy.path, isComplete: false))
    } catch {
      connections.log("leave error=\((error as? SyncProblem)?.code ?? "state")")
    }
  }

  private nonisolated static func remember(_ note: SignOutNote) throws(SyncProblem) {
    do { try CurrentAccount().save(nil, note: note) } catch {
      throw .store(.notWritable(path: (error as? Settings.Unreadable)?.path ?? Folders.gardens))
    }
  }

  /// Notes in the garden whose it is, so that its copy can be found by that.
  private func rememberOwner(_ current: SignedInAccount) async throws {
    let store = gardener.store
    guard try await store.value(.owner) == nil else { return }
    var address = email
    // Without it the copy is found by the account's id only.
    if address == nil { address = try? await connections.vault.session(of: current.account)?.email }
    if let address { try await store.set(GardenStore.owner(address, at: current.account.server), for: .owner) }
  }
}
