import Localization
import Sync

extension SignInFailure {
  /// Longer times are told in minutes.
  public static let mostSeconds: Int64 = 99

  /// A time in whole minutes, the last one included.
  public static func minutes(_ seconds: Int64) -> Int { Int((seconds + 59) / 60) }

  /// What to tell the user: what happened and what to do.
  public var message: String {
    switch self {
    case .wrongCode: tr("This code is wrong or has expired. Only the newest code works.")
    case .tooMany(let seconds?) where seconds > SignInFailure.mostSeconds:
      trn(
        "Too many tries. Try again in {n} minute.", "Too many tries. Try again in {n} minutes.",
        SignInFailure.minutes(seconds))
    case .tooMany(let seconds?):
      trn("Too many tries. Try again in {n} second.", "Too many tries. Try again in {n} seconds.", Int(seconds))
    case .tooMany(nil): tr("Too many tries. Wait a while, then try again.")
    case .locked(let seconds?) where seconds > SignInFailure.mostSeconds:
      trn(
        "Too many wrong codes. You can have a new one sent in {n} minute.",
        "Too many wrong codes. You can have a new one sent in {n} minutes.", SignInFailure.minutes(seconds))
    case .locked(let seconds?):
      trn(
        "Too many wrong codes. You can have a new one sent in {n} second.",
        "Too many wrong codes. You can have a new one sent in {n} seconds.", Int(seconds))
    case .locked(nil): tr("Too many wrong codes. Wait a while, then have a new one sent.")
    case .invalidAddress: tr("This does not look like an e-mail address. One is written like ada@example.org.")
    case .signUpsDisabled: tr("This server does not admit new accounts.")
    case .answerLost:
      tr("The answer of the server was lost on its way, and the code may be used up. Have a new one sent.")
    case .service(let failure): failure.message
    }
  }
}

extension ServiceFailure {
  /// What to tell the user.
  public var message: String {
    switch self {
    case .unreachable: tr("The server can’t be reached. Nothing is lost: everything is on this computer.")
    case .unavailable(402, _, _): tr("The server does not work at present: its plan may have run out.")
    case .unavailable(429, _, _): tr("The server asks for a pause. Trunk tries again later.")
    case .unavailable: tr("The server does not work at present. Trunk tries again later.")
    case .unauthorized: tr("The server did not accept the sign-in. Trunk tries again later.")
    case .sessionEnded: tr("You were signed out by the server. Sign in again to go on syncing.")
    case .refused(_, let code, _): tr("The server refused what was sent ({code}).", ["code": code])
    case .tooLarge:
      tr("Something before the server lets no entry pass, however small. Whoever looks after the server can mend that.")
    case .misconfigured(_, _, let words):
      tr("The server’s address or key is not right: {words}", ["words": words])
    case .unintelligible:
      tr("Something else than the server answered. Is there a network that wants a sign-in of its own?")
    case .cancelled: tr("This was broken off.")
    }
  }
}

extension VaultFailure {
  /// What to tell the user.
  public var message: String {
    switch self {
    case .locked: tr("Your keyring is locked.")
    case .noService: tr("This desktop offers no keyring to keep the sign-in in.")
    case .noCollection: tr("There is no keyring yet. Make one with your desktop’s password program.")
    case .noAnswer: tr("The keyring does not answer.")
    case .denied: tr("The keyring refused access.")
    case .other(let detail): tr("The keyring can’t be used: {reason}.", ["reason": detail])
    }
  }
}

extension SyncProblem {
  /// What to tell the user.
  public var message: String {
    switch self {
    case .service(let failure): failure.message
    case .vault(let failure): failure.message
    case .store(let failure): failure.message
    case .otherDownload: tr("Another program is just downloading this garden. Trunk looks again in a moment.")
    case .outdatedDownload: tr("This garden has changed while it was downloaded. Trunk looks again in a moment.")
    }
  }
}
