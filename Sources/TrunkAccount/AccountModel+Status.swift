import EventStore
import SyncEngine
import TrunkKit

/// Follows the engine: its status, and the rows that it merges into the garden's file.
extension AccountModel {
  func handle(_ new: SyncStatus, _ engine: SyncEngine) async {
    var new = new
    if new.lastAttempt == nil, new.phase != .signedOut { new.phase = status.phase }
    if isLeaving { return }
    let isAtOtherServer = if case .store(.otherServer) = new.failure { true } else { false }
    if new.phase == .signedOut || isAtOtherServer {
      switch changeElsewhere() {
      case .signedOut where new.phase == .signedOut: return await signOut.leave(engine)
      case .moved: return await reopen()
      case .signedOut, nil: break
      }
    }
    if isGardenIncomplete { needsRefresh = true }
    if needsRefresh, new.phase != .initialSync, !new.isLargeDownload {
      // Update the garden before the status says that it is complete.
      do {
        try await refreshGarden()
        needsRefresh = false
        backoff.reset()
      } catch {
        if let error = error as? StoreError {
          (new.phase, new.failure) = (.offline, .store(error))
        } else {
          new.phase = status.phase
        }
        retryRefresh(engine)
      }
    }
    var problem = await engine.keeper.vaultProblem
    if case .vault(let failure) = new.failure { problem = failure }
    if isForThisRunOnly, problem == nil { problem = fresh?.vaultProblem }
    if email == nil, new.lastSuccess != nil { askForEmail() }
    guard new != status || problem != vaultProblem else { return }
    status = new
    vaultProblem = problem
    revision += 1
  }

  /// Whether the garden may load events that were just written to its file. Many rows are shown only when all have
  /// arrived, because a part of a garden is misleading. A garden that another program has removed is left instead of
  /// being shown as empty.
  func mayRefresh() async -> Bool {
    if isLeaving { return false }
    guard changeElsewhere() == .signedOut else { return !isGardenIncomplete }
    // If events remain or can't be counted, the other program is still signing out or was killed. The next sync finds
    // out.
    if let parts = try? await parts(), (try? await model.store.count()) == 0 { await signOut.leave(parts.engine) }
    return false
  }

  /// Loads the rows that the engine has merged into the garden's file.
  func refreshAfterMerge() async {
    // A command shows no garden, so deriving it for each page would only take time.
    guard following != nil else { return }
    // If this fails, the next status loads them.
    do { try await model.refreshIfAllowed() } catch { needsRefresh = true }
  }

  /// Makes the engine publish its status again soon: it may otherwise publish nothing for an hour.
  private func retryRefresh(_ engine: SyncEngine) {
    let clock = dependencies.clock
    let due = clock.uptime + backoff.next(random: 0)
    retry?.cancel()
    retry = Task {
      do { try await clock.sleep(until: due) } catch { return }
      await engine.refreshFigures()
    }
  }

  /// Reads the email address from the keyring once. It may take long, so nothing waits for it.
  private func askForEmail() {
    guard let account, !hasAskedForEmail else { return }
    hasAskedForEmail = true
    Task {
      // Without it, the account page shows no address. Problems of the keyring are reported by the sync.
      email = try? await dependencies.vault.session(of: account)?.email
      revision += 1
    }
  }

  private enum ChangeElsewhere {
    /// The account was signed out and its garden removed.
    case signedOut
    /// The account was signed in to its server's new address, and the garden stays.
    case moved
  }

  /// What another program, such as `trunkctl`, has done with this account since it was opened; `nil` for nothing.
  private func changeElsewhere() -> ChangeElsewhere? {
    do {
      let present = try AccountFile().load()?.account
      guard let present, present.userID == account?.userID else { return .signedOut }
      return present == account ? nil : .moved
    } catch {
      // An unreadable file does not mean that the account is signed out.
      return nil
    }
  }

  /// Opens the garden again, to sync it with its server's new address.
  private func reopen() async {
    isLeaving = true
    do { try await saveDrafts(true) } catch {
      // Its form tries again, and opening the garden brings it back.
      dependencies.log("reopen error=draft")
    }
    // If the engine couldn't be opened, nothing syncs.
    if let parts = try? await parts() { await parts.scheduler.stop() }
    onAccountChange?(nil)
  }
}
