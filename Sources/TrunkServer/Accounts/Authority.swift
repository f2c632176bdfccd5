import Synchronization

/// Checks API keys and access tokens.
final class Authority: Sendable {
  /// The maximum number of remembered tokens.
  private static let capacity = 4096
  /// Seconds for which PostgREST still accepts an expired token, because clocks differ.
  static let dataLeeway: Int64 = 30

  let secret: [UInt8]
  let now: @Sendable () -> Microseconds
  private let keys: [String]
  /// Verified tokens. Nothing about a token changes except whether its time has come and is not over.
  private let genuine = Mutex<[String: VerifiedToken]>([:])

  init(keys: [String], secret: [UInt8], now: @escaping @Sendable () -> Microseconds) {
    self.keys = keys
    self.secret = secret
    self.now = now
  }

  func isKey(_ text: String) -> Bool { keys.contains { Secrets.areEqual($0.utf8, text.utf8) } }

  /// - Parameter leeway: seconds for which an expired token is still accepted.
  func token(_ text: String, leeway: Int64 = 0) throws(VerifiedToken.Problem) -> VerifiedToken {
    let now = now() + -leeway
    if let known = genuine.withLock({ $0[text] }), known.isValid(at: now) { return known }
    let token = try VerifiedToken(text, secret: secret, now: now)
    genuine.withLock { genuine in
      if genuine.count >= Authority.capacity { genuine = genuine.filter { $0.value.isValid(at: now) } }
      if genuine.count >= Authority.capacity { genuine = [:] }
      genuine[text] = token
    }
    return token
  }

  /// The response of Supabase's gateway to a request without a valid key; `nil` if the key is valid.
  func rejection(_ request: Request) -> Response? {
    guard let key = request.headers["apikey"] ?? request.item("apikey") else {
      return .json(
        text: #"{"message":"No API key found in request","hint":"No apikey request header or url param was found."}"#,
        status: 401)
    }
    guard !isKey(key) else { return nil }
    return .json(
      text: #"{"message":"Invalid API key","hint":"Double check your Supabase `anon` or `service_role` API key."}"#,
      status: 401)
  }
}
