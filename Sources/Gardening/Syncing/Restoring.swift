import Garden
import GardenStore

/// What copies of this account's garden have and its garden lacks.
public struct RestoreOffer: Sendable {
  /// Entries that are not on the server, the unsent and rejected ones included.
  public let events: [Event]
  public let drafts: [Draft]
  /// The folders of the copies that were read.
  public let copies: [VerifiedCopy]

  public var isEmpty: Bool { events.isEmpty && drafts.isEmpty }
}

/// What bringing entries back did.
public struct Restored: Sendable, Equatable {
  public let events: Int
  public let drafts: Int

  public init(events: Int, drafts: Int) {
    self.events = events
    self.drafts = drafts
  }
}

/// Bringing back what the copies of a signed-out garden have and the server lacks.
extension Synchroniser {
  /// Compares the copies of this account's garden with the garden, after the first download.
  /// - Parameter includesAnswered: also if the user has already said what to do about the newest copy.
  /// - Returns: `nil` if there is nothing to ask: no copies, or the first download has not ended.
  public func restoreOffer(includesAnswered: Bool) async throws -> RestoreOffer? {
    let store = gardener.store
    guard account != nil, try await store.hasValidCache(), try await store.value(.firstSync) == nil else { return nil }
    let copies = try await copiesOfAccount()
    guard let newest = copies.map(\.name).max() else { return nil }
    if !includesAnswered, let answered = try await store.value(.restoreAnswered), answered >= newest { return nil }
    var (events, drafts): ([Event], [Draft]) = ([], [])
    for copy in copies {
      let contents = try await Task.detached { () throws(StoreError) in try copy.contents() }.value
      events += contents.events
      drafts += contents.drafts
    }
    return RestoreOffer(
      events: try await store.lacking(events), drafts: try await store.lacking(drafts), copies: copies)
  }

  /// Brings the entries back under their own ids, to be sent, and the drafts. Doing it twice changes nothing. The copies
  /// stay until the user deletes them.
  @discardableResult
  public func restore(_ offer: RestoreOffer) async throws -> Restored {
    let result = try await gardener.importEvents(offer.events)
    let drafts = try await gardener.store.restore(offer.drafts)
    try await answered(offer)
    return Restored(events: result.inserted.count, drafts: drafts)
  }

  /// Does not ask again about these copies.
  public func decline(_ offer: RestoreOffer) async throws { try await answered(offer) }

  /// The copies that were made when this account was signed out, oldest first; also under another id, where the server was
  /// set up again and the same address has a new account.
  private func copiesOfAccount() async throws -> [VerifiedCopy] {
    guard let account else { return [] }
    let owner = try await gardener.store.value(.owner)
    var copies: [VerifiedCopy] = []
    for name in try GardenStore.folders(in: Folders.signedOut) {
      let found = try GardenStore.copies(below: Folders.signedOut(account: name))
      copies += try name == account.userID ? found : found.filter { try owner != nil && $0.owner() == owner }
    }
    return copies.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private func answered(_ offer: RestoreOffer) async throws {
    guard let newest = offer.copies.map(\.name).max() else { return }
    try await gardener.store.set(newest, for: .restoreAnswered)
  }

  /// Deletes the backups and copies of an account's garden that are on this computer. The user has to have asked for it.
  public nonisolated static func deleteCopies(of account: String) throws {
    try GardenStore.removeCopies(in: Folders.garden(account: account))
    for copy in try GardenStore.copies(below: Folders.signedOut(account: account)) { try GardenStore.delete(copy) }
  }
}
