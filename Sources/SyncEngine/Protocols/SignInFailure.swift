/// Why signing in failed.
public enum SignInFailure: Error, Sendable, Equatable {
  /// The code is wrong, has expired or was used. Services don't say which.
  case wrongCode
  /// Too many requests; `seconds` until the next, if the service names a time. A code that was sent stays valid.
  case tooMany(seconds: Int64?)
  /// Too many wrong codes: the newest code is invalid too. Another can be requested after `seconds`, if the service
  /// names a time.
  case locked(seconds: Int64?)
  case invalidAddress
  /// The service accepts no new users, or sign-in by email is turned off.
  case signUpsDisabled
  /// No response to the code arrived. The code may be used up, so another one is needed.
  case answerLost
  case service(ServiceFailure)

  /// Whether the user can still enter the code that was sent.
  public var leavesTheCode: Bool {
    switch self {
    case .wrongCode, .tooMany: true
    default: false
    }
  }
}
