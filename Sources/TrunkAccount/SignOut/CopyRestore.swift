import EventStore
import SyncEngine
import TrunkKit

/// Restores from the copies of signed-out gardens what the garden lacks.
@MainActor
public struct CopyRestore {
  let accountModel: AccountModel

  private var account: Account? { accountModel.account }
  private var model: GardenModel { accountModel.model }

  /// Compares the copies that the user hasn't decided about with the garden.
  /// - Returns: `nil` until the first download has ended: before that, everything would seem to be missing.
  public func offer() async throws -> RestoreOffer? {
    let copies = try await self.copies()
    try await hideAgain(copies.undecided + copies.decided)
    // A copy that was left out is reported until the user decides about that copy or a newer one, or restores from it.
    let (answered, restored) = (try await model.store.value(.restoreAnswered), try await restoredCopies())
    let news = copies.leftOut { $0.isNewer(than: answered) && !restored.contains($0.name) }
    return try await offer(from: copies.undecided, notices: news.notices)
  }

  /// Hides again what was hidden when this account was signed out here: no server knows that. Later, the user may have
  /// shown an entry, so each copy is read once.
  private func hideAgain(_ copies: [VerifiedCopy]) async throws {
    let newest = copies.filter { $0.made != nil }.max { $0.name < $1.name }
    guard let newest, newest.isNewer(than: try await model.store.value(.marksRestored)) else { return }
    // A copy that can't be read is reported once.
    try await model.store.change(.marksRestored) { _ in newest.name }
    let marks = try await Task.detached { try newest.hiddenMarks() }.value
    if marks.isEmpty { return }
    try await model.store.hide(marks)
    try await model.refresh()
  }

  /// Returns what `offer` does, if the window has to ask about it by itself: not after the user has postponed it.
  public func dueOffer() async throws -> RestoreOffer? {
    let postponed = try await model.store.value(.restorePostponed)
    return try await offer().flatMap { offer in
      offer.isEmpty || offer.copies.contains { $0.isNewer(than: postponed) } ? offer : nil
    }
  }

  /// Records that the window shall not ask about this offer by itself again. It stays in the account dialog.
  public func postpone(_ offer: RestoreOffer) async throws { try await raise(.restorePostponed, to: offer.copies) }

  /// Compares some of this account's copies with the garden.
  /// - Parameters:
  ///   - copies: newest first.
  ///   - notices: other messages for the user.
  /// - Returns: `nil` until the first download has ended.
  public func offer(from copies: [VerifiedCopy], notices: [String] = []) async throws -> RestoreOffer? {
    let store = model.store
    guard account != nil, try await store.hasValidServerRows(), try await store.value(.initialSync) == nil else {
      return nil
    }
    // A separate store, so that the garden can be read and written during a long comparison.
    let reader = try await EventStore.open(folder: store.folder)
    let restored = try await restoredCopies()
    let comparison = try await reader.compare(with: copies, draftsOf: copies.filter { !restored.contains($0.name) })
    return RestoreOffer(
      comparison: comparison, copies: copies, notices: notices + AccountCopies.notices(comparison.unreadable))
  }

  /// Restores entries under their current IDs, superseded versions, and drafts. The entries are then sent. Repeating it
  /// changes nothing. The copies stay until the user deletes them.
  @discardableResult
  public func restore(_ offer: RestoreOffer) async throws -> Restored {
    let restored = try await model.restore(offer.comparison)
    // Drafts that were changed or finished since must not be restored a second time.
    try await model.store.change(.draftsRestored) { names in
      RestoredCopies(names).adding(offer.readCopies).text
    }
    return restored
  }

  /// Records that the user declined an offer. Its content is offered again only on request.
  public func decline(_ offer: RestoreOffer) async throws { try await markDecided(offer.readCopies) }

  /// Records that the user has given up everything that isn't in the garden now, so that no existing copy is offered
  /// again.
  func markAllDecided() async throws {
    try await markDecided(try await copies(includesElsewhere: true).undecided)
  }

  /// Records a decision about these copies and all older ones.
  func markDecided(_ copies: [VerifiedCopy]) async throws { try await raise(.restoreAnswered, to: copies) }

  /// Raises a value to the name of the newest copy.
  private func raise(_ key: MetaKey, to copies: [VerifiedCopy]) async throws {
    // Skips folders that the user has renamed: such a name isn't a time and could hide all later copies.
    let newest = copies.filter { $0.made != nil }.map(\.name).max()
    guard let newest else { return }
    try await model.store.change(key) { max($0 ?? newest, newest) }
  }

  /// Finds the copies that were made when this account was signed out, including those under another user ID: after a
  /// server was set up again, the same email address has a new account.
  /// - Parameter includesElsewhere: whether to include copies from another server address, because the server has
  ///   moved.
  public func copies(includesElsewhere: Bool = false) async throws -> AccountCopies {
    guard let account else { return AccountCopies() }
    let store = model.store
    let search = CopySearch(
      account: account, owner: try await store.value(.owner), answered: try await store.value(.restoreAnswered),
      includesElsewhere: includesElsewhere)
    return try await Task.detached { try search.run() }.value
  }

  /// The names of the copies whose drafts were restored.
  private func restoredCopies() async throws -> Set<String> {
    RestoredCopies(try await model.store.value(.draftsRestored)).names
  }
}

extension AccountModel {
  public var copyRestore: CopyRestore { CopyRestore(accountModel: self) }
}

extension AccountCopies {
  /// Returns only the left-out copies that `isWanted` accepts.
  fileprivate func leftOut(_ isWanted: (VerifiedCopy) -> Bool) -> AccountCopies {
    var copies = AccountCopies()
    copies.folderProblem = folderProblem
    copies.unreadable = unreadable.filter { isWanted($0.copy) }
    copies.fromOtherServers = fromOtherServers.filter { isWanted($0.copy) }
    return copies
  }
}
