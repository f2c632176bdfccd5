import EventStore
import Localization
import SyncEngine
import TrunkKit
import TrunkModel

/// The copies of signed-out gardens that belong to the account that is signed in, newest first.
public struct AccountCopies: Sendable {
  /// A copy that was made while this account's id belonged to another server.
  public struct Elsewhere: Sendable, Equatable {
    public let copy: VerifiedCopy
    /// The address of that server; `nil` if the copy does not say.
    public let server: String?
  }

  /// The user hasn't decided about them.
  public internal(set) var undecided: [VerifiedCopy] = []
  /// The user did not want them back, or has deleted or given up what is in them. They are read only when asked for.
  public internal(set) var decided: [VerifiedCopy] = []
  public internal(set) var unreadable: [CopyComparison.Unreadable] = []
  /// Never read or sent, unless the user says that the server has moved.
  public internal(set) var elsewhere: [Elsewhere] = []

  /// What to tell the user about the copies that were left out.
  public var notices: [String] { AccountCopies.words(unreadable) + elsewhere.map(AccountCopies.words) }

  static func words(_ unreadable: [CopyComparison.Unreadable]) -> [String] {
    unreadable.map { unreadable in
      if case .damagedCopy = unreadable.reason { return unreadable.reason.message }
      return tr(
        "The copy “{path}” can’t be read: {reason}",
        ["path": unreadable.copy.path, "reason": unreadable.reason.message])
    }
  }

  private static func words(_ elsewhere: Elsewhere) -> String {
    tr(
      "The copy “{path}” belongs to {server} and was left out. If that server has moved to the present address, “trunkctl restore --moved” reads it.",
      ["path": elsewhere.copy.path, "server": elsewhere.server ?? tr("another server")])
  }
}

/// What copies of this account's garden have and its garden lacks.
public struct RestoreOffer: Sendable {
  public let comparison: CopyComparison
  /// The copies that were compared, newest first.
  public let copies: [VerifiedCopy]
  /// What to tell the user about the copies that were left out.
  public let notices: [String]

  /// How many entries are not on the server.
  public var entryCount: Int { comparison.entryCount }
  /// How many superseded versions and drafts are in the copies only. No server ever has those.
  public var supersededCount: Int { comparison.superseded.count }
  public var draftCount: Int { comparison.drafts.count }
  public var isEmpty: Bool { comparison.isEmpty }
}

extension RestoreOffer {
  /// What the copies hold besides entries, in a sentence each.
  public var otherWords: [String] {
    var words: [String] = []
    if draftCount > 0 {
      words.append(
        trn(
          "{n} draft is in a copy of this garden.", "{n} drafts are in copies of this garden.",
          draftCount))
    }
    if supersededCount > 0 {
      words.append(
        trn(
          "{n} superseded version is in a copy of this garden.",
          "{n} superseded versions are in copies of this garden.", supersededCount))
    }
    return words
  }
}
