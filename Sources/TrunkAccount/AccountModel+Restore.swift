import EventStore
import SyncEngine
import TrunkKit

/// Bringing back what the copies of a signed-out garden have and the server lacks.
extension AccountModel {
  /// Compares the copies that the user hasn't decided about with the garden.
  /// - Returns: `nil` if the first download has not ended: until then everything seems to be lacking.
  public func restoreOffer() async throws -> RestoreOffer? {
    let copies = try await accountCopies()
    // Copies that were left out are no news once the user has decided about them, or has restored.
    let store = model.store
    let (answered, restored) = (try await store.value(.restoreAnswered), try await store.value(.draftsRestored))
    let news = copies.leftOut { $0.isNewer(than: answered) && $0.isNewer(than: restored) }
    return try await restoreOffer(from: copies.undecided, notices: news.notices)
  }

  /// Compares some of this account's copies with the garden.
  /// - Parameters:
  ///   - copies: newest first.
  ///   - notices: what else to tell the user.
  /// - Returns: `nil` if the first download has not ended.
  public func restoreOffer(from copies: [VerifiedCopy], notices: [String] = []) async throws -> RestoreOffer? {
    let store = model.store
    guard account != nil, try await store.hasValidCache(), try await store.value(.firstSync) == nil else { return nil }
    // A store of its own: neither reading nor writing of the garden waits for a long comparison.
    let reader = try await EventStore.open(folder: store.folder)
    let restored = try await store.value(.draftsRestored)
    let comparison = try await reader.compare(with: copies, draftsOf: copies.filter { $0.isNewer(than: restored) })
    return RestoreOffer(
      comparison: comparison, copies: copies, notices: notices + AccountCopies.words(comparison.unreadable))
  }

  /// Brings back entries under their own ids, to be sent, superseded versions, and drafts. Doing it twice
  /// changes nothing. The copies stay until the user deletes them.
  @discardableResult
  public func restore(_ offer: RestoreOffer) async throws -> Restored {
    let restored = try await model.restore(offer.comparison)
    // A text that was changed or finished since is not brought back a second time.
    try await raise(.draftsRestored, to: offer.copies)
    return restored
  }

  /// Decides for good about the copies in an offer: without being asked for, nothing in them is offered again.
  public func decline(_ offer: RestoreOffer) async throws { try await raise(.restoreAnswered, to: offer.copies) }

  /// The user has given up everything that isn't in the garden now: no copy made until now is offered again.
  func settleCopies() async throws {
    try await settle(try await accountCopies(includesElsewhere: true).undecided)
  }

  /// Records a decision about these copies and all older ones.
  func settle(_ copies: [VerifiedCopy]) async throws { try await raise(.restoreAnswered, to: copies) }

  /// Finds the copies that were made when this account was signed out; also under another id, where the server was set up
  /// again and the same address has a new account.
  /// - Parameter includesElsewhere: the server has moved, so its copies are this account's too.
  public func accountCopies(includesElsewhere: Bool = false) async throws -> AccountCopies {
    guard let account else { return AccountCopies() }
    let store = model.store
    let search = CopySearch(
      account: account, owner: try await store.value(.owner), answered: try await store.value(.restoreAnswered),
      includesElsewhere: includesElsewhere)
    return try await Task.detached { try search.run() }.value
  }

  private func raise(_ key: MetaKey, to copies: [VerifiedCopy]) async throws {
    // The name of a folder that the user has renamed is no time, and would hide all later copies.
    let newest = copies.filter { $0.made != nil }.map(\.name).max()
    guard let newest else { return }
    try await model.store.change(key) { max($0 ?? newest, newest) }
  }
}

/// Looks through the folder of all signed-out gardens for those of one account.
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
        // What is wrong with the folder of another account is for that one to hear.
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
      // The owner is told by server and address.
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
  /// Whether the copy was made after the one of this name. A folder that the user has renamed counts as old.
  func isNewer(than name: String?) -> Bool { made != nil && name.map { self.name > $0 } ?? true }
}

extension AccountCopies {
  /// Only the copies that were left out, and of those only the wanted ones.
  fileprivate func leftOut(_ isWanted: (VerifiedCopy) -> Bool) -> AccountCopies {
    var copies = AccountCopies()
    copies.unreadable = unreadable.filter { isWanted($0.copy) }
    copies.elsewhere = elsewhere.filter { isWanted($0.copy) }
    return copies
  }
}
