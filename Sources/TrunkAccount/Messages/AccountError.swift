import Localization
import TrunkKit

/// Why an account action is not possible.
public enum AccountError: UserFacingError, Equatable {
  case noAccount
  /// The server's user ID can't be the name of a garden's folder.
  case unusableAccount
  /// Another account is signed in.
  case otherAccount
  /// The preferences were changed between the request for the code and its use.
  case otherServer
  /// The server didn't answer within this many seconds.
  case noAnswer(seconds: Int)
  /// The server rejected an entry.
  case rejected

  /// The message for the user.
  public var message: String {
    switch self {
    case .noAccount: tr("This garden is only on this computer. Sign in to sync it.")
    case .unusableAccount: tr("The server sent a user ID that Trunk can’t use.")
    case .otherAccount: tr("Another account is signed in here. Sign out of it first.")
    case .otherServer: tr("The server in the preferences has changed. Request a new code.")
    case .noAnswer(let seconds):
      trn("The server didn’t answer within {n} second.", "The server didn’t answer within {n} seconds.", seconds)
    case .rejected: tr("The server rejected an entry. “trunkctl outbox” shows why.")
    }
  }
}
