import Localization
import SyncEngine
import TrunkKit

extension SignInFailure: UserFacingError {
  /// The longest time, in seconds, that messages give in seconds. Longer times are given in minutes.
  public static let maxSeconds: Int64 = 99

  /// Converts seconds to minutes, rounded up.
  public static func minutes(_ seconds: Int64) -> Int { Int((seconds + 59) / 60) }

  /// The message for the user: what happened and what to do.
  public var message: String {
    switch self {
    case .wrongCode: tr("This code is wrong or has expired. Only the newest code works.")
    case .tooMany(let seconds?) where seconds > SignInFailure.maxSeconds:
      trn(
        "Too many attempts. Try again in {n} minute.", "Too many attempts. Try again in {n} minutes.",
        SignInFailure.minutes(seconds))
    case .tooMany(let seconds?):
      trn("Too many attempts. Try again in {n} second.", "Too many attempts. Try again in {n} seconds.", Int(seconds))
    case .tooMany(nil): tr("Too many attempts. Wait a while, then try again.")
    case .locked(let seconds?) where seconds > SignInFailure.maxSeconds:
      trn(
        "Too many wrong codes. You can request a new one in {n} minute.",
        "Too many wrong codes. You can request a new one in {n} minutes.", SignInFailure.minutes(seconds))
    case .locked(let seconds?):
      trn(
        "Too many wrong codes. You can request a new one in {n} second.",
        "Too many wrong codes. You can request a new one in {n} seconds.", Int(seconds))
    case .locked(nil): tr("Too many wrong codes. Wait a while, then request a new one.")
    case .invalidAddress: tr("This is not an email address. Enter one like ada@example.org.")
    case .signUpsDisabled: tr("This server does not accept new accounts.")
    case .answerLost:
      tr("The server’s response was lost, and the code may be used up. Request a new one.")
    case .service(let failure): failure.message
    }
  }
}

extension ServiceFailure: UserFacingError {
  /// The message for the user.
  public var message: String {
    switch self {
    case .unreachable: tr("The server can’t be reached. What you write is saved on this computer.")
    case .untrusted(let reason): reason.message
    case .moved(let address):
      tr(
        "The server says that it has moved to {address}. If you trust this address, enter it in Preferences.",
        ["address": address])
    case .unavailable(402, _, _): tr("The server is unavailable. Its hosting plan may have expired.")
    case .unavailable(429, _, _): tr("The server is busy. Trunk will try again later.")
    case .unavailable(_, "53400", _):
      tr(
        "Your account or the server is full. New entries stay on this computer. Ask the server’s administrator for more space."
      )
    case .unavailable(_, "53100", _):
      tr("The server’s disk is full. New entries stay on this computer. Ask the server’s administrator to free space.")
    case .unavailable: tr("The server is unavailable. Trunk will try again later.")
    case .unauthorized: tr("The server did not accept the sign-in. Trunk will try again later.")
    case .sessionEnded: tr("The server signed you out. Sign in again to continue syncing.")
    case .rejected(_, let code, _): tr("The server rejected the request ({code}).", ["code": code])
    case .tooLarge:
      tr("A proxy in front of the server rejects every upload. Ask its administrator to raise the size limit.")
    case .misconfigured(_, _, ""):
      tr("The server’s address or key is wrong. Check both in Preferences.")
    case .misconfigured(_, _, let message):
      tr("The server’s address or key is wrong: {words}", ["words": message])
    case .unintelligible:
      tr("Unexpected response. You may need to sign in to this Wi-Fi network.")
    case .cancelled: tr("Cancelled.")
    }
  }
}

extension Distrust {
  /// The message for the user.
  fileprivate var message: String {
    switch self {
    case .issuer:
      tr(
        "This computer does not trust the server’s certificate. Check the address. If the server has its own certificate authority, this computer must trust that first."
      )
    case .expired:
      tr(
        "The server’s certificate has expired. Ask its administrator to renew it, and check the date of this computer.")
    case .notYetValid: tr("The server’s certificate is not valid yet. Check the date of this computer.")
    case .name: tr("The server’s certificate is for another address. Check the address of the server.")
    case .noEncryption: tr("The connection to the server can’t be encrypted. Check the address of the server.")
    }
  }
}

extension VaultFailure: UserFacingError {
  /// The message for the user.
  public var message: String {
    switch self {
    case .locked: tr("Your keyring is locked.")
    case .noService: tr("This desktop has no keyring that can store your sign-in.")
    case .noCollection: tr("There is no keyring yet.")
    case .noAnswer: tr("The keyring does not answer.")
    case .denied: tr("The keyring refused access.")
    case .other(let detail): tr("The keyring can’t be used: {reason}.", ["reason": detail])
    }
  }
}

extension VaultFailure {
  /// What a button does that solves the problem in this window; `nil` if it can't be solved there.
  public var remedy: String? {
    switch self {
    case .locked: tr("Unlock")
    case .noCollection: tr("Create a Keyring…")
    case .noService: nil
    case .noAnswer, .denied, .other: tr("Try Again")
    }
  }
}

extension Removal {
  /// The message for the user.
  public var message: String { [removedMessage, replacedMessage].compactMap(\.self).joined(separator: " ") }

  private var replacedMessage: String? {
    guard replaced > 0 else { return nil }
    return trn(
      "The server had another text for {n} entry, which replaced the text in this garden. The earlier text is in the backup “{file}”.",
      "The server had other texts for {n} entries, which replaced the texts in this garden. The earlier texts are in the backup “{file}”.",
      replaced, ["file": backup])
  }

  private var removedMessage: String? {
    guard count > 0 else { return nil }
    return trn(
      "The server no longer had {n} entry, so it was removed from this garden. It is in the backup “{file}”.",
      "The server no longer had {n} entries, so they were removed from this garden. They are in the backup “{file}”.",
      count, ["file": backup])
  }
}

extension SyncProblem: UserFacingError {
  /// The message for the user.
  public var message: String {
    switch self {
    case .service(let failure): failure.message
    case .vault(let failure): failure.message
    case .store(let failure): failure.message
    case .otherDownload: tr("Another program is downloading this garden. Trunk will try again in a moment.")
    case .outdatedDownload: tr("This garden changed during the download. Trunk will try again in a moment.")
    }
  }
}
