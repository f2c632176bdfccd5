import Synchronization

/// Who may ask: keys of the service and tokens of its users.
final class Authority: Sendable {
  /// Tokens that are remembered, at most.
  private static let capacity = 4096
  /// Seconds for which PostgREST still takes a token that has expired: clocks differ.
  static let dataLeeway: Int64 = 30

  let secret: [UInt8]
  let now: @Sendable () -> Microseconds
  private let keys: [String]
  /// Tokens that were found to be genuine. What is true of a token never changes but for the time.
  private let genuine = Mutex<[String: AccessToken]>([:])

  init(keys: [String], secret: [UInt8], now: @escaping @Sendable () -> Microseconds) {
    self.keys = keys
    self.secret = secret
    self.now = now
  }

  func isKey(_ text: String) -> Bool { keys.contains { Secrets.areEqual($0.utf8, text.utf8) } }

  /// - Parameter leeway: seconds for which a token that has expired is still good.
  func token(_ text: String, leeway: Int64 = 0) throws(AccessToken.Problem) -> AccessToken {
    let now = now() + -leeway
    if let known = genuine.withLock({ $0[text] }), now.seconds < known.expiresAt { return known }
    let token = try AccessToken(text, secret: secret, now: now)
    genuine.withLock { genuine in
      if genuine.count >= Authority.capacity { genuine = genuine.filter { now.seconds < $0.value.expiresAt } }
      if genuine.count >= Authority.capacity { genuine = [:] }
      genuine[text] = token
    }
    return token
  }

  /// What the gateway before Supabase answers to a request without the right key; `nil` if it has one.
  func refusal(_ request: Request) -> Answer? {
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
