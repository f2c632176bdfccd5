/// Base64 with the URL-safe alphabet and without padding, as in tokens.
package enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// The index of each character in the alphabet; 64 for other characters.
  private static let places: [UInt8] = (0...255).map { character in
    UInt8(alphabet.firstIndex(of: character) ?? 64)
  }

  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var out: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for byte in bytes {
      (bits, count) = (bits << 8 | UInt32(byte), count + 8)
      while count >= 6 {
        count -= 6
        out.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { out.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
    return String(decoding: out, as: UTF8.self)
  }

  /// - Returns: `nil` if the text has a character outside the alphabet.
  package static func decode(_ text: some StringProtocol) -> [UInt8]? {
    var out: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for character in text.utf8 {
      let value = places[Int(character)]
      guard value < 64 else { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return out
  }
}
