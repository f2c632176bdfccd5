import EventStore
import MailKit
import SyncEngine
import TrunkKit
import TrunkModel

/// The result of signing out.
public struct SignOutResult: Sendable {
  /// The copy of everything that was removed.
  public let copy: VerifiedCopy
  /// The copies and backups that can be deleted, or why they have to stay; `nil` if that was not checked.
  public var copies: Result<DeletableCopies, UndeletableCopies>?
  /// Whether the copy has entries that were written after the comparison with the server.
  public let hasChanged: Bool
  /// Why the garden is still on this computer; `nil` if it was removed.
  public let remains: SyncProblem?
  /// Why a server that was reached didn't end the session; `nil` if it did.
  public let sessionProblem: SyncProblem?
}

/// Signing out and deleting everything. Both write a verified copy before they remove anything.
@MainActor
public struct AccountSignOut {
  let accountModel: AccountModel

  private var model: GardenModel { accountModel.model }
  private var dependencies: Dependencies { accountModel.dependencies }

  /// Sends the outbox, then compares this garden with the server's rows. Gives up after 15 seconds if the server
  /// doesn't answer.
  public func compare() async throws -> ServerComparison {
    try await accountModel.parts()?.engine.compare() ?? ServerComparison(missing: [])
  }

  /// Sends the missing entries again, then repeats the comparison.
  public func sendAgain(_ comparison: ServerComparison) async throws -> ServerComparison {
    try await accountModel.parts()?.engine.sendAgain(comparison) ?? ServerComparison(missing: [])
  }

  /// Returns the missing entries with their events, oldest first.
  public func entries(of comparison: ServerComparison) async throws -> [MissingEntry] {
    let bySeq = try await model.store.events(seqs: comparison.missing.map(\.seq)).bySeq
    return comparison.missing.compactMap { missing in
      bySeq[missing.seq].map {
        MissingEntry(event: $0, reason: missing.reason, isHidden: model.hidden.contains(missing.seq))
      }
    }
  }

  /// Keeps a copy of the account's garden, signs out, and removes the garden from this computer.
  /// - Parameters:
  ///   - comparison: the result of `compare` that the user has agreed to.
  ///   - surveysCopies: whether to check if all copies and backups can be deleted, which reads all of them.
  /// - Throws: an error if a draft can't be saved, the copy can't be written or the tokens can't be removed; then
  ///   nothing has changed. If the account file can't be changed to "signed out", the session has ended, but the garden
  ///   stays.
  public func run(after comparison: ServerComparison, surveysCopies: Bool = true) async throws -> SignOutResult {
    guard let current = accountModel.current, let parts = try await accountModel.parts() else {
      throw AccountError.noAccount
    }
    try await saveDrafts()
    accountModel.isLeaving = true
    do {
      let signedOut = try await signOut(current, parts, comparison)
      let copy = signedOut.copy
      let compared = Set(comparison.missing.map(\.seq))
      var result = SignOutResult(
        copy: copy, copies: nil, hasChanged: signedOut.hasChanged || !signedOut.unsent.isSubset(of: compared),
        remains: signedOut.remains, sessionProblem: comparison.problem == nil ? signedOut.problem : nil)
      if surveysCopies { result.copies = await survey(copy, current.account.userID, comparison) }
      await parts.scheduler.stop()
      accountModel.onAccountChange?(nil)
      return result
    } catch {
      accountModel.isLeaving = false
      throw error
    }
  }

  private func saveDrafts(closingForms: Bool = false) async throws {
    try await accountModel.saveDrafts(closingForms)
    try await model.saveSetAsideDrafts()
  }

  private func signOut(
    _ current: SignedInAccount, _ parts: AccountModel.Parts, _ comparison: ServerComparison
  ) async throws -> SignedOut {
    try await rememberOwner(current)
    let folder = Folders.signedOut(account: current.account.userID)
    let isOffline = comparison.problem?.isUnanswered ?? false
    let remember = { @Sendable (copy: VerifiedCopy) throws(SyncProblem) in
      try AccountSignOut.remember(SignOutNote(account: current.account.userID, copy: copy.path))
    }
    do throws(SyncProblem) {
      return try await parts.engine.signOut(keepingCopyIn: folder, isOffline: isOffline, remember: remember)
    } catch .vault(.locked) {
      // The user is present, so a prompt is fine.
      try await dependencies.vault.unlock()
      return try await parts.engine.signOut(keepingCopyIn: folder, isOffline: isOffline, remember: remember)
    } catch .store(let error) {
      throw error
    } catch {
      throw error
    }
  }

  /// Checks whether all copies and backups of a signed-out garden can be deleted. Call it after the last copy was
  /// written.
  private func survey(
    _ copy: VerifiedCopy, _ userID: String, _ comparison: ServerComparison
  ) async -> Result<DeletableCopies, UndeletableCopies> {
    // If the server couldn't be checked, its empty list proves nothing.
    guard comparison.problem == nil else { return .failure(.unchecked) }
    if comparison.hasUnreadRows { return .failure(.holdsMore(path: copy.path)) }
    let result = await Task.detached { () -> Result<DeletableCopies, UndeletableCopies> in
      Result { () throws(UndeletableCopies) in
        try EventStore.deletableCopies(
          below: Folders.signedOut(account: userID), backupsIn: Folders.garden(account: userID),
          isOnServer: { comparison.listed.contains(ExactID($0)) })
      }
    }.value
    if case .success(let deletable) = result {
      var note = SignOutNote(account: userID, copy: copy.path)
      let old = note
      note.deletable = deletable
      do { try AccountFile().replace(old, with: note) } catch {
        // The garden is already removed. Without the note, the next window only doesn't offer to delete copies.
        dependencies.log("sign-out note error=state")
      }
    }
    return result
  }

  /// Deletes copies and backups of a signed-out garden. Call it only if the user has asked for it.
  public nonisolated static func delete(_ deletable: DeletableCopies, of userID: String) throws(StoreError) {
    // Nothing outside these folders is deleted, whatever the sign-out note contains.
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
  /// - Returns: a copy of everything, made before the deletion, and what failed after it; `nil` without an account.
  public func deleteEverywhere() async throws -> (copy: VerifiedCopy, problem: (any Error)?)? {
    guard let current = accountModel.current, let parts = try await accountModel.parts() else { return nil }
    try await saveDrafts()
    let folder = Folders.signedOut(account: current.account.userID)
    let (report, copy) = try await parts.scheduler.deleteEverywhere(keepingCopyIn: folder)
    do {
      // Entries that were deleted on purpose are not offered again.
      try await accountModel.copyRestore.markDecided([copy])
      try await model.refresh()
      return (copy, report.problem)
    } catch { return (copy, error) }
  }

  /// Removes the garden of a computer without an account. Its backups stay.
  /// - Returns: the copy of everything that was removed.
  public func startOver() async throws -> VerifiedCopy {
    guard accountModel.account == nil else { throw AccountError.otherAccount }
    try await saveDrafts()
    return try await model.startOver(keepingCopyBelow: Folders.signedOut(account: "local"))
  }

  /// Leaves a garden that another program has signed out of. Events that this program wrote to it since then are copied
  /// and removed too. If they can't be copied, they stay and are sent after the next sign-in.
  func leave(_ engine: SyncEngine) async {
    guard let account = accountModel.account, !accountModel.isLeaving else { return }
    accountModel.isLeaving = true
    defer { accountModel.onAccountChange?(nil) }
    do { try await saveDrafts(closingForms: true) } catch {
      // Its form tries again, and a sign-in to the account brings it back.
      dependencies.log("leave error=draft")
    }
    do {
      let copy = try await engine.leave(keepingCopyIn: Folders.signedOut(account: account.userID))
      guard let copy, try AccountFile().load() == nil else { return }
      try AccountSignOut.remember(SignOutNote(account: account.userID, copy: copy.path))
    } catch {
      dependencies.log("leave error=\((error as? SyncProblem)?.code ?? "state")")
    }
  }

  private nonisolated static func remember(_ note: SignOutNote) throws(SyncProblem) {
    do { try AccountFile().signOut(note) } catch {
      throw .store(.notWritable(path: (error as? Settings.Unreadable)?.path ?? Folders.gardens))
    }
  }

  /// Records the owner in the garden, so that its copies can be found even if the user ID changes.
  private func rememberOwner(_ current: SignedInAccount) async throws {
    let store = model.store
    guard try await store.value(.owner) == nil else { return }
    var address = accountModel.email
    // Without the address, copies can be found only by the user ID.
    if address == nil { address = try? await dependencies.vault.session(of: current.account)?.email }
    if let address {
      let owner = EventStore.owner(EmailAddress.comparable(address), at: current.account.server)
      try await store.set(owner, for: .owner)
    }
  }
}

extension AccountModel {
  public var signOut: AccountSignOut { AccountSignOut(accountModel: self) }
}
