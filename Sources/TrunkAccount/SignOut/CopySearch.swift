import EventStore
import SyncEngine
import TrunkKit

/// Searches the folder of all signed-out gardens for the copies of one account.
struct CopySearch: Sendable {
  let account: Account
  let owner: String?
  let answered: String?
  let includesElsewhere: Bool

  func run() throws -> AccountCopies {
    var found = AccountCopies()
    let own = Folders.signedOut(account: account.userID)
    do throws(StoreError) { try EventStore.checkCopies(below: own) } catch { found.folderProblem = error }
    for name in try EventStore.accountsWithCopies(in: Folders.signedOut) {
      let isOwn = name == account.userID
      let folder = Folders.signedOut(account: name)
      do throws(StoreError) {
        for copy in try EventStore.copies(below: folder) { sort(copy, isOwn: isOwn, into: &found) }
      } catch {
        // Errors in another account's folder are reported to that account.
        if isOwn { found.folderProblem = error }
      }
    }
    found.undecided.sort { $1.name.utf8.lexicographicallyPrecedes($0.name.utf8) }
    found.decided.sort { $1.name.utf8.lexicographicallyPrecedes($0.name.utf8) }
    return found
  }

  private func sort(_ copy: VerifiedCopy, isOwn: Bool, into found: inout AccountCopies) {
    do throws(StoreError) {
      let origin = try copy.origin()
      // `owner` identifies an account by server and email address.
      guard isOwn || owner != nil && origin.owner == owner else { return }
      if isOwn, origin.server != account.server, !includesElsewhere {
        found.fromOtherServers.append(.init(copy: copy, server: origin.server))
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
