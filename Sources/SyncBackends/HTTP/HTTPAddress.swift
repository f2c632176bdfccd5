import CCurlShim

/// A parsed URL with `http` or `https`, and without user name or password, which would appear in logs.
public struct HTTPAddress: Sendable {
  public let isLoopback: Bool
  public let isEncrypted: Bool
  /// Scheme, host and port, such as `https://garden.example.org`.
  let origin: String
  let path: String

  /// Whether requests to it are allowed: encrypted to any host, unencrypted only to this computer.
  public var isSafe: Bool { isEncrypted || isLoopback }

  /// - Returns: `nil` for other texts.
  public init?(_ url: String) {
    guard let handle = curl_url() else { return nil }
    defer { curl_url_cleanup(handle) }
    func part(_ what: CURLUPart) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(handle, what, &text, 0) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      curl_url_set(handle, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
      let scheme = part(CURLUPART_SCHEME), ["http", "https"].contains(scheme), let host = part(CURLUPART_HOST)
    else { return nil }
    isEncrypted = scheme == "https"
    origin = scheme + "://" + host + (part(CURLUPART_PORT).map { ":" + $0 } ?? "")
    path = part(CURLUPART_PATH) ?? ""
    isLoopback = Self.isLoopback(host)
  }

  /// Whether the host is `localhost`, `[::1]`, or in 127.0.0.0/8 in its usual spelling, to which libcurl normalises
  /// others.
  private static func isLoopback(_ host: String) -> Bool {
    if host.lowercased() == "localhost" || host == "[::1]" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.first == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }
}
