import EventStore
import SyncEngine
import TrunkKit
import TrunkModel

/// What signing out left behind.
public struct SignOutResult: Sendable {
  /// Everything that was removed.
  public let copy: VerifiedCopy
  /// The copies and backups that can be deleted, or why they have to stay; `nil` if that was not asked for.
  public var copies: Result<DeletableCopies, UndeletableCopies>?
}

/// Signing out, and deleting everything. Whatever leaves this computer is in a verified copy first.
extension AccountModel {
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
    let events = try await model.store.events(seqs: comparison.missing.map(\.seq))
    let bySeq = Dictionary(events.map { ($0.seq, $0.event) }) { first, _ in first }
    return comparison.missing.compactMap { missing in
      bySeq[missing.seq].map { MissingEntry(event: $0, reason: missing.reason) }
    }
  }

  /// Keeps a copy of the account's garden, signs out, and removes the garden from this computer.
  /// - Parameters:
  ///   - comparison: what `compareWithServer` found, and the user has agreed to.
  ///   - surveysCopies: also find out whether all copies and backups can be deleted, which reads them all.
  /// - Throws: `StoreError` if the copy can't be written: then nothing has changed.
  public func signOut(after comparison: ServerComparison, surveysCopies: Bool = true) async throws -> SignOutResult {
    guard let current, let parts = try await parts() else { throw SyncingError.noAccount }
    isSigningOut = true
    do {
      let copy = try await signOut(current, parts, comparison).copy
      var result = SignOutResult(copy: copy, copies: nil)
      if surveysCopies { result.copies = await survey(copy, current.account.userID, comparison) }
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
      try AccountModel.remember(SignOutNote(account: current.account.userID, copy: copy.path))
    }
    do throws(SyncProblem) {
      return try await parts.engine.signOut(keepingCopyIn: folder, isOffline: isOffline, remember: remember)
    } catch .vault(.locked) {
      // The user is there and can be asked for the password.
      try await dependencies.vault.unlock()
      return try await parts.engine.signOut(keepingCopyIn: folder, isOffline: isOffline, remember: remember)
    } catch .store(let error) {
      throw error
    } catch {
      throw error
    }
  }

  /// Finds out whether all that is left of a signed-out garden can be deleted, now that the last copy is written.
  private func survey(
    _ copy: VerifiedCopy, _ userID: String, _ comparison: ServerComparison
  ) async -> Result<DeletableCopies, UndeletableCopies> {
    // An empty list of a server that didn't answer proves nothing.
    guard comparison.problem == nil else { return .failure(.unchecked) }
    let result = await Task.detached { () -> Result<DeletableCopies, UndeletableCopies> in
      Result { () throws(UndeletableCopies) in
        try EventStore.deletableCopies(
          below: Folders.signedOut(account: userID), backupsIn: Folders.garden(account: userID),
          isOnServer: comparison.listed.contains)
      }
    }.value
    if case .success(let deletable) = result {
      var note = SignOutNote(account: userID, copy: copy.path)
      let old = note
      note.deletable = deletable
      do { try CurrentAccount().replace(old, with: note) } catch {
        // The garden has left: without the note, the next window doesn't offer to delete anything.
        dependencies.log("sign-out note error=state")
      }
    }
    return result
  }

  /// Deletes copies and backups of a signed-out garden. The user has to have asked for it.
  public nonisolated static func delete(_ deletable: DeletableCopies, of userID: String) throws(StoreError) {
    // Whatever the note about the sign-out says: nothing else is deleted.
    let (copies, backups) = (Folders.signedOut(account: userID) + "/", Folders.garden(account: userID) + "/backups/")
    func isIn(_ path: String, _ folder: String) -> Bool {
      path.hasPrefix(folder) && !path.dropFirst(folder.count).contains("/")
    }
    var deletable = deletable
    deletable.copies.removeAll { !isIn($0, copies) }
    deletable.backups.removeAll { !isIn($0, backups) }
    try EventStore.delete(deletable)
  }

  /// Deletes everything, on the server and here.
  /// - Returns: the copy that was made before.
  public func deleteEverywhere() async throws -> VerifiedCopy? {
    guard let current, let parts = try await parts() else { return nil }
    let folder = Folders.signedOut(account: current.account.userID)
    let (report, copy) = try await parts.scheduler.resetEverywhere(keepingCopyIn: folder)
    // What was deleted on purpose is not offered again.
    try await settle([copy])
    try await model.catchUp()
    if let problem = report.problem { throw problem }
    return copy
  }

  /// Leaves a garden that another program has signed out of. What this one wrote to it since then is copied and removed
  /// too; if it can't be copied, it stays where it is and is sent after the next sign-in.
  func leave(_ engine: SyncEngine) async {
    guard let account, !isSigningOut else { return }
    isSigningOut = true
    defer { onAccountChange?(nil) }
    do {
      let copy = try await engine.leave(keepingCopyIn: Folders.signedOut(account: account.userID))
      guard let copy, try CurrentAccount().load() == nil else { return }
      try AccountModel.remember(SignOutNote(account: account.userID, copy: copy.path))
    } catch {
      dependencies.log("leave error=\((error as? SyncProblem)?.code ?? "state")")
    }
  }

  private nonisolated static func remember(_ note: SignOutNote) throws(SyncProblem) {
    do { try CurrentAccount().signOut(note) } catch {
      throw .store(.notWritable(path: (error as? Settings.Unreadable)?.path ?? Folders.gardens))
    }
  }

  /// Notes in the garden whose it is, so that its copy can be found by that.
  private func rememberOwner(_ current: SignedInAccount) async throws {
    let store = model.store
    guard try await store.value(.owner) == nil else { return }
    var address = email
    // Without it the copy is found by the account's id only.
    if address == nil { address = try? await dependencies.vault.session(of: current.account)?.email }
    if let address { try await store.set(EventStore.owner(address, at: current.account.server), for: .owner) }
  }
}
