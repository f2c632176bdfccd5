/// Why a request to a service did not do what it was to do. No case means "there is nothing".
public enum ServiceFailure: Error, Sendable, Equatable {
  /// No answer came: no network, no such host, refused, timed out, broken off, or a certificate that is not trusted.
  case unreachable(detail: String)
  /// The service answers that it can't now, or something before it does: server errors, limits of rate or quota, pages of
  /// a proxy. `retryAfter` is in seconds, where the service says so.
  case unavailable(status: Int, code: String, retryAfter: Int64?)
  /// The access token is not accepted, because it has expired or for another reason: refresh once, repeat once.
  case unauthorized(code: String)
  /// The session has ended for good, in the service's definite words: sign in again.
  case sessionEnded(code: String)
  /// The service will never take this request: something in it is at fault.
  case refused(status: Int, code: String, message: String)
  /// Something before the service takes no request of this size: in smaller parts it may pass.
  case tooLarge(status: Int)
  /// Address, key or table are not what they should be; for the settings, not for a retry.
  case misconfigured(status: Int, code: String, message: String)
  /// The answer says that all is well and is not what was promised.
  case unintelligible(detail: String)
  case cancelled

  /// True where a later try may well succeed with nothing changed.
  public var isTransient: Bool {
    switch self {
    case .unreachable, .unavailable, .unintelligible, .tooLarge, .cancelled: true
    case .unauthorized, .sessionEnded, .refused, .misconfigured: false
    }
  }
}

extension ServiceFailure {
  /// A short name for logs, reports and the outbox: never anything that somebody wrote.
  public var code: String {
    switch self {
    case .unreachable: "unreachable"
    case .unavailable(let status, let code, _): ServiceFailure.code(status, code)
    case .unauthorized(let code): ServiceFailure.code(401, code)
    case .sessionEnded(let code): ServiceFailure.code(400, code)
    case .refused(let status, let code, _): ServiceFailure.code(status, code)
    case .misconfigured(let status, let code, _): ServiceFailure.code(status, code)
    case .tooLarge(let status): "\(status)"
    case .unintelligible: "unintelligible"
    case .cancelled: "cancelled"
    }
  }

  private static func code(_ status: Int, _ code: String) -> String {
    let isPlain =
      code.utf8.count <= 40
      && code.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x5F
      }
    return isPlain && !code.isEmpty ? "\(status) \(code)" : "\(status)"
  }
}

/// Why signing in did not work.
public enum SignInFailure: Error, Sendable, Equatable {
  /// The code is wrong, has expired or was used: services do not tell which.
  case wrongCode
  /// Too many requests; `seconds` until the next, where the service says so. A code that was sent stays good.
  case tooMany(seconds: Int64?)
  /// Too many wrong codes: the newest is void too, and another is sent after `seconds`, where the service says so.
  case locked(seconds: Int64?)
  case invalidAddress
  /// New users are not admitted, or signing in by e-mail is turned off.
  case signUpsDisabled
  /// The code was sent and no answer came back: it may be used up, another one is needed.
  case answerLost
  case service(ServiceFailure)

  /// Whether a code that was sent may still be typed, this one or the right one.
  public var leavesTheCode: Bool {
    switch self {
    case .wrongCode, .tooMany: true
    default: false
    }
  }
}
