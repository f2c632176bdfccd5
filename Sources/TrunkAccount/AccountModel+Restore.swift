import EventStore
import SyncEngine
import TrunkKit

/// Restores from the copies of signed-out gardens what the garden lacks.
extension AccountModel {
  /// Compares the copies that the user hasn't decided about with the garden.
  /// - Returns: `nil` until the first download has ended: before that, everything would seem to be missing.
  public func restoreOffer() async throws -> RestoreOffer? {
    let copies = try await accountCopies()
    // A copy that was left out is reported until the user decides about that copy or a newer one, or restores from one.
    let store = model.store
    let (answered, restored) = (try await store.value(.restoreAnswered), try await store.value(.draftsRestored))
    let news = copies.leftOut { $0.isNewer(than: answered) && $0.isNewer(than: restored) }
    return try await restoreOffer(from: copies.undecided, notices: news.notices)
  }

  /// Compares some of this account's copies with the garden.
  /// - Parameters:
  ///   - copies: newest first.
  ///   - notices: other messages for the user.
  /// - Returns: `nil` until the first download has ended.
  public func restoreOffer(from copies: [VerifiedCopy], notices: [String] = []) async throws -> RestoreOffer? {
    let store = model.store
    guard account != nil, try await store.hasValidCache(), try await store.value(.firstSync) == nil else { return nil }
    // A separate store, so that the garden can be read and written during a long comparison.
    let reader = try await EventStore.open(folder: store.folder)
    let restored = try await store.value(.draftsRestored)
    let comparison = try await reader.compare(with: copies, draftsOf: copies.filter { $0.isNewer(than: restored) })
    return RestoreOffer(
      comparison: comparison, copies: copies, notices: notices + AccountCopies.words(comparison.unreadable))
  }

  /// Restores entries under their current IDs, superseded versions, and drafts. The entries are then sent. Repeating it
  /// changes nothing. The copies stay until the user deletes them.
  @discardableResult
  public func restore(_ offer: RestoreOffer) async throws -> Restored {
    let restored = try await model.restore(offer.comparison)
    // Drafts that were changed or finished since must not be restored a second time.
    try await raise(.draftsRestored, to: offer.copies)
    return restored
  }

  /// Records that the user doesn't want what is in an offer. It is offered again only on request.
  public func decline(_ offer: RestoreOffer) async throws { try await raise(.restoreAnswered, to: offer.copies) }

  /// Records that the user has given up everything that isn't in the garden now, so that no existing copy is offered
  /// again.
  func settleCopies() async throws {
    try await settle(try await accountCopies(includesElsewhere: true).undecided)
  }

  /// Records a decision about these copies and all older ones.
  func settle(_ copies: [VerifiedCopy]) async throws { try await raise(.restoreAnswered, to: copies) }

  /// Finds the copies that were made when this account was signed out, including those under another user ID: after a
  /// server was set up again, the same e-mail address has a new account.
  /// - Parameter includesElsewhere: whether to include copies from another server address, because the server has
  ///   moved.
  public func accountCopies(includesElsewhere: Bool = false) async throws -> AccountCopies {
    guard let account else { return AccountCopies() }
    let store = model.store
    let search = CopySearch(
      account: account, owner: try await store.value(.owner), answered: try await store.value(.restoreAnswered),
      includesElsewhere: includesElsewhere)
    return try await Task.detached { try search.run() }.value
  }

  private func raise(_ key: MetaKey, to copies: [VerifiedCopy]) async throws {
    // Skips folders that the user has renamed: such a name isn't a time and could hide all later copies.
    let newest = copies.filter { $0.made != nil }.map(\.name).max()
    guard let newest else { return }
    try await model.store.change(key) { max($0 ?? newest, newest) }
  }
}

/// Searches the folder of all signed-out gardens for the copies of one account.
private struct CopySearch: Sendable {
  let account: Account
  let owner: String?
  let answered: String?
  let includesElsewhere: Bool

  func run() throws -> AccountCopies {
    var found = AccountCopies()
    for name in try EventStore.accountsWithCopies(in: Folders.signedOut) {
      let isOwn = name == account.userID
      let folder = Folders.signedOut(account: name)
      do throws(StoreError) {
        for copy in try EventStore.copies(below: folder) { sort(copy, isOwn: isOwn, into: &found) }
      } catch {
        // Errors in another account's folder are reported to that account.
        if isOwn { found.unreadable.append(.init(copy: VerifiedCopy(folder: folder), reason: error)) }
      }
    }
    found.undecided.sort { $1.name.utf8.lexicographicallyPrecedes($0.name.utf8) }
    found.decided.sort { $1.name.utf8.lexicographicallyPrecedes($0.name.utf8) }
    return found
  }

  private func sort(_ copy: VerifiedCopy, isOwn: Bool, into found: inout AccountCopies) {
    do throws(StoreError) {
      let origin = try copy.origin()
      // `owner` identifies an account by server and e-mail address.
      guard isOwn || owner != nil && origin.owner == owner else { return }
      if isOwn, origin.server != account.server, !includesElsewhere {
        found.elsewhere.append(.init(copy: copy, server: origin.server))
      } else if copy.isNewer(than: answered) {
        found.undecided.append(copy)
      } else {
        found.decided.append(copy)
      }
    } catch {
      if isOwn { found.unreadable.append(.init(copy: copy, reason: error)) }
    }
  }
}

extension VerifiedCopy {
  /// Whether the copy is newer than the one with this name. A folder that the user has renamed counts as old.
  func isNewer(than name: String?) -> Bool { made != nil && name.map { self.name > $0 } ?? true }
}

extension AccountCopies {
  /// Returns only the left-out copies that `isWanted` accepts.
  fileprivate func leftOut(_ isWanted: (VerifiedCopy) -> Bool) -> AccountCopies {
    var copies = AccountCopies()
    copies.unreadable = unreadable.filter { isWanted($0.copy) }
    copies.elsewhere = elsewhere.filter { isWanted($0.copy) }
    return copies
  }
}
