import EventStore
import Localization
import TrunkKit
import TrunkModel

/// The copies of signed-out gardens that belong to the account that is signed in, newest first.
public struct AccountCopies: Sendable {
  /// A copy of a garden with this account's user ID at another server address.
  public struct OtherServerCopy: Sendable, Equatable {
    public let copy: VerifiedCopy
    /// The server's address; `nil` if the copy doesn't have one.
    public let server: String?
  }

  /// Copies that the user hasn't decided about.
  public internal(set) var undecided: [VerifiedCopy] = []
  /// Copies whose content the user has declined, deleted or given up. They are read only on request.
  public internal(set) var decided: [VerifiedCopy] = []
  public internal(set) var unreadable: [CopyComparison.Unreadable] = []
  /// Why the folder of this account's copies can't be read; `nil` if it can, or if there is none.
  public internal(set) var folderProblem: StoreError?
  /// Copies from another server. Never read or sent unless the user confirms that the server has moved.
  public internal(set) var fromOtherServers: [OtherServerCopy] = []

  /// The messages for the user about copies that were left out.
  public var notices: [String] {
    [folderProblem?.message].compactMap(\.self) + AccountCopies.notices(unreadable)
      + fromOtherServers.map(AccountCopies.notice)
  }

  static func notices(_ unreadable: [CopyComparison.Unreadable]) -> [String] {
    unreadable.map { unreadable in
      if case .damagedCopy = unreadable.reason { return unreadable.reason.message }
      return tr(
        "The copy “{path}” can’t be read: {reason}",
        ["path": unreadable.copy.path, "reason": unreadable.reason.message])
    }
  }

  private static func notice(_ other: OtherServerCopy) -> String {
    tr(
      "The copy “{path}” belongs to {server} and was left out. If that server has moved to the current address, “trunkctl restore --moved” reads it.",
      ["path": other.copy.path, "server": other.server ?? tr("another server")])
  }
}

/// The content of this account's copies that its garden lacks.
public struct RestoreOffer: Sendable {
  public let comparison: CopyComparison
  /// The copies that were compared, newest first.
  public let copies: [VerifiedCopy]
  /// The copies that could be read.
  var readCopies: [VerifiedCopy] { copies.filter { copy in !comparison.unreadable.contains { $0.copy == copy } } }
  /// The messages for the user about copies that were left out.
  public let notices: [String]

  /// The number of entries that the garden lacks.
  public var entryCount: Int { comparison.entryCount }
  /// The number of superseded versions that only the copies have. Servers never have those.
  public var supersededCount: Int { comparison.superseded.count }
  /// The number of drafts that only the copies have. Servers never have those.
  public var draftCount: Int { comparison.drafts.count }
  /// The number of earlier pages that only the copies have. Servers never have those.
  public var pageCount: Int { comparison.pageCount }
  public var isEmpty: Bool { comparison.isEmpty }
}

extension RestoreOffer {
  /// Sentences about the drafts, superseded versions and earlier pages in the copies.
  public var otherSentences: [String] {
    var sentences: [String] = []
    if draftCount > 0 {
      sentences.append(
        trn(
          "{n} draft is in a copy of this garden.", "{n} drafts are in copies of this garden.",
          draftCount))
    }
    if supersededCount > 0 {
      sentences.append(
        trn(
          "{n} superseded version is in a copy of this garden.",
          "{n} superseded versions are in copies of this garden.", supersededCount))
    }
    if pageCount > 0 {
      sentences.append(
        trn(
          "{n} page of an earlier journal is in a copy of this garden.",
          "{n} pages of earlier journals are in copies of this garden.", pageCount))
    }
    return sentences
  }
}
