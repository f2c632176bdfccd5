import CCurlShim

/// Where a request may go: encrypted to any host, in plain text to this computer only.
struct HTTPAddress {
  let isLoopback: Bool
  let isEncrypted: Bool

  /// - Throws: `insecureAddress` for every other address.
  init(_ url: String) throws(HTTPFailure) {
    guard let handle = curl_url() else { throw .insecureAddress }
    defer { curl_url_cleanup(handle) }
    func part(_ what: CURLUPart) -> String? {
      var text: UnsafeMutablePointer<CChar>?
      guard curl_url_get(handle, what, &text, 0) == CURLUE_OK, let text else { return nil }
      defer { curl_free(text) }
      return String(cString: text)
    }
    // Names and passwords in addresses end up in logs.
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      curl_url_set(handle, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
      let scheme = part(CURLUPART_SCHEME), let host = part(CURLUPART_HOST)
    else { throw .insecureAddress }
    isEncrypted = scheme == "https"
    isLoopback = Self.isLoopback(host)
    guard isEncrypted || (scheme == "http" && isLoopback) else { throw .insecureAddress }
  }

  /// `localhost`, `[::1]`, and 127.0.0.0/8 in its usual spelling, to which libcurl brings the others.
  private static func isLoopback(_ host: String) -> Bool {
    if host.lowercased() == "localhost" || host == "[::1]" { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return numbers.count == 4 && numbers.first == "127" && numbers.allSatisfy { UInt8($0) != nil }
  }
}
