/// Why the connection to a server can't be encrypted. Nothing was sent.
public enum Distrust: String, Sendable {
  /// The certificate was issued by an authority that this computer doesn't know, or by itself.
  case issuer = "untrusted_issuer"
  case expired = "certificate_expired"
  case notYetValid = "certificate_not_yet_valid"
  /// The certificate is for other names than the one in the address.
  case name = "certificate_name"
  /// The server doesn't encrypt, or not in a way that this computer accepts.
  case noEncryption = "no_encryption"
}

/// Why a request to a service failed. No case means that the service has no rows.
public enum ServiceFailure: Error, Sendable, Equatable {
  /// No response arrived: no network, unknown host, connection refused, timeout or connection closed.
  case unreachable(detail: String)
  /// No response arrived, because the server couldn't prove that it is the right one.
  case untrusted(Distrust)
  /// The server says that it is at another address now, which is never followed: it would receive the user's key.
  case moved(to: String)
  /// The service, or a proxy in front of it, can't answer now: a server error, a rate limit, a quota or a proxy's error
  /// page. `retryAfter` is in seconds, if the service names a time.
  case unavailable(status: Int, code: String, retryAfter: Int64?)
  /// The service did not accept the access token, because it expired or for another reason: refresh and retry once.
  case unauthorized(code: String)
  /// The service says explicitly that the session has ended: the user must sign in again.
  case sessionEnded(code: String)
  /// The service will never accept this request, because of its content.
  case rejected(status: Int, code: String, message: String)
  /// A proxy in front of the service rejects requests of this size. Smaller ones may pass.
  case tooLarge(status: Int)
  /// The address, the key or the table is wrong. The user must correct the settings; retrying won't help.
  case misconfigured(status: Int, code: String, message: String)
  /// The response reports success, but its content is not what the service should send.
  case unintelligible(detail: String)
  case cancelled

  /// Whether no response arrived. Another request now would fail in the same way.
  public var isUnanswered: Bool {
    switch self {
    case .unreachable, .untrusted: true
    default: false
    }
  }

  /// Whether a later attempt may succeed without any change.
  public var isTransient: Bool {
    switch self {
    case .unreachable, .untrusted, .moved, .unavailable, .unintelligible, .tooLarge, .cancelled: true
    case .unauthorized, .sessionEnded, .rejected, .misconfigured: false
    }
  }
}

extension ServiceFailure {
  /// A short name for logs, reports and the outbox. It never contains journal text.
  public var code: String {
    switch self {
    case .unreachable: "unreachable"
    case .untrusted(let reason): reason.rawValue
    case .moved: "moved"
    case .unavailable(let status, let code, _): ServiceFailure.code(status, code)
    case .unauthorized(let code): ServiceFailure.code(401, code)
    case .sessionEnded(let code): ServiceFailure.code(400, code)
    case .rejected(let status, let code, _): ServiceFailure.code(status, code)
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
