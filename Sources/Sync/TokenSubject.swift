import Garden

extension AccessToken {
  /// False if the token itself says that it speaks for somebody else. Then the service would show an empty table, which
  /// must never be taken for this user's.
  var isOfItsUser: Bool { subject.map { $0 == userID } ?? true }

  /// The claim `sub`; `nil` if the token is not a readable JWT.
  private var subject: String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = AccessToken.base64URL(parts[1]) else { return nil }
    return (try? JSON(String(decoding: bytes, as: UTF8.self)))?["sub"]?.text
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
      case UInt8(ascii: "-"), UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "_"), UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="): continue
      default: return nil
      }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return bytes
  }
}
