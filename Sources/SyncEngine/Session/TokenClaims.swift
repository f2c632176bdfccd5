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
    guard parts.count == 3, let bytes = TokenClaims.base64URL(parts[1]),
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

  private static func base64URL(_ text: Substring) -> [UInt8]? {
    var bytes: [UInt8] = []
    var (bits, count): (UInt32, Int) = (0, 0)
    for character in text.utf8 {
      let value: UInt8
      switch character {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0") + 52
      case UInt8(ascii: "-"): value = 62
      case UInt8(ascii: "_"): value = 63
      default: return nil
      }
      bits = (bits << 6 | UInt32(value)) & 0xFFFF
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
