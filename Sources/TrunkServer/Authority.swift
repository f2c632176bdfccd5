/// Who may ask: keys of the service and tokens of its users.
struct Authority: Sendable {
  let keys: [String]
  let secret: [UInt8]
  let now: @Sendable () -> Microseconds

  func isKey(_ text: String) -> Bool { keys.contains { Secrets.areEqual($0.utf8, text.utf8) } }

  func token(_ text: String) throws(AccessToken.Problem) -> AccessToken {
    try AccessToken(text, secret: secret, now: now())
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
