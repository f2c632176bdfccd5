import TrunkModel

/// An error response of Supabase's auth service.
struct AuthError: Error, Equatable {
  var status: Int
  var code: String
  var message: String
  /// Seconds until the client may retry; `nil` if that is unknown.
  var retryAfter: Int64?

  /// The response in the format that the client's API version header asks for.
  func answer(to request: Request) -> Response {
    // Applies to this version and later ones; dates in this format sort as strings.
    let version = "2024-01-01"
    let asked = request.headers["x-supabase-api-version"] ?? ""
    let isDate = asked.utf8.count == 10 && Microseconds(asked) != nil
    var response: Response
    if isDate && asked >= version {
      response = .json(.object([.init("code", .string(code)), .init("message", .string(message))]), status: status)
      response.headers["X-Supabase-Api-Version"] = version
    } else {
      response = .json(
        .object([
          .init("code", .number(status)), .init("error_code", .string(code)), .init("msg", .string(message)),
        ]), status: status)
    }
    response.headers["X-Sb-Error-Code"] = code
    response.rejection = RejectionReason(code: code)
    response.headers["Retry-After"] = retryAfter.map { "\($0)" }
    return response
  }

  /// The response in the format of the plain interface.
  var plainResponse: Response {
    var response = Response.json(
      .object([.init("code", .string(code)), .init("message", .string(message))]), status: status)
    response.headers["Retry-After"] = retryAfter.map { "\($0)" }
    response.rejection = RejectionReason(code: code)
    return response
  }

  static let badJSON = AuthError(status: 400, code: "bad_json", message: "Could not parse request body as JSON")
  static let tooManyRequests = AuthError(
    status: 429, code: "over_request_rate_limit", message: "Request rate limit reached")
  static let timeout = AuthError(
    status: 504, code: "request_timeout", message: "Processing this request timed out, please retry after a moment.")
  static let tooLarge = AuthError(status: 413, code: "request_entity_too_large", message: "Request body is too large")

  static func validation(_ message: String, status: Int = 400) -> AuthError {
    AuthError(status: status, code: "validation_failed", message: message)
  }

  init(status: Int, code: String, message: String, retryAfter: Int64? = nil) {
    self.status = status
    self.code = code
    self.message = message
    self.retryAfter = retryAfter
  }

  init(_ rejection: Accounts.Rejection) {
    switch rejection {
    case .wrongCode: self.init(status: 403, code: "otp_expired", message: "Token has expired or is invalid")
    case .locked(let seconds):
      // Differs from the rate limiter's code, because a rate-limited request leaves the sign-in code valid.
      self.init(
        status: 429, code: "address_locked", message: "Too many wrong codes for this address", retryAfter: seconds)
    case .tooSoon(let seconds):
      self.init(
        status: 429, code: "over_email_send_rate_limit",
        message: "For security purposes, you can only request this after \(seconds) seconds.",
        retryAfter: seconds)
    case .tokenNotFound:
      self.init(
        status: 400, code: "refresh_token_not_found", message: "Invalid Refresh Token: Refresh Token Not Found")
    case .tokenAlreadyUsed:
      self.init(status: 400, code: "refresh_token_already_used", message: "Invalid Refresh Token: Already Used")
    case .sessionExpired:
      self.init(status: 400, code: "session_expired", message: "Invalid Refresh Token: Session Expired (Inactivity)")
    case .sessionNotFound:
      self.init(
        status: 403, code: "session_not_found", message: "Session from session_id claim in JWT does not exist")
    case .metadataTooLarge:
      self = .validation("User metadata must not exceed \(ServerConfiguration.metadataLimit) bytes", status: 422)
    case .userNotFound:
      self.init(status: 403, code: "user_not_found", message: "User from sub claim in JWT does not exist")
    }
  }

  /// The response to a request whose token is missing or invalid.
  init(_ problem: VerifiedToken.Problem?, status: Int = 403) {
    switch problem {
    case nil:
      self.init(status: 401, code: "no_authorization", message: "This endpoint requires a Bearer token")
    case .expired:
      self.init(
        status: status, code: "bad_jwt",
        message: "invalid JWT: unable to parse or verify signature, token has invalid claims: token is expired")
    case .invalid:
      self.init(status: status, code: "bad_jwt", message: "invalid JWT: unable to parse or verify signature")
    }
  }
}

extension Budget {
  /// Counts a request for its client.
  /// - Throws: `AuthError.tooManyRequests`
  func count(_ resource: Resource, _ request: Request) throws(AuthError) {
    guard take(of: resource, by: [.client(request.peer)]) else { throw .tooManyRequests }
  }
}
