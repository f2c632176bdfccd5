import TrunkModel

/// The claims of a token (a JWT), unverified: only the service can check the signature.
package struct TokenClaims: Sendable {
  /// The token's user; an anonymous key has none.
  package let subject: String?
  package let email: String?
  /// Seconds from issue to expiry.
  package let lifetime: Int64?

  /// - Returns: `nil` if the text is not a readable JWT.
  package init?(_ token: String) {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
      let text = String(validating: bytes, as: UTF8.self), let json = try? JSON(text)
    else { return nil }
    subject = json["sub"]?.text
    email = json["email"]?.text
    func seconds(_ name: String) -> Int64? { json[name]?.double.flatMap { Int64(exactly: $0.rounded()) } }
    lifetime = seconds("exp").flatMap { end in
      seconds("iat").flatMap { start in
        let (length, overflows) = end.subtractingReportingOverflow(start)
        return overflows || length < 0 ? nil : length
      }
    }
  }
}
