import CCrypt
import CGLib
import Glibc

/// Random values and hashes from the system's libraries.
enum Secrets {
  /// Random bytes from the kernel.
  static func bytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    // Each call of `next()` asks the kernel.
    while bytes.count < count { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
    return Array(bytes.prefix(count))
  }

  /// Six random digits, all equally likely.
  static func code() -> String {
    var generator = SystemRandomNumberGenerator()
    let digits = String(Int.random(in: 0..<1_000_000, using: &generator))
    return String(repeating: "0", count: 6 - digits.count) + digits
  }

  /// A random UUID (version 4), lower-case.
  static func uuid() -> String {
    var bytes = bytes(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return uuid(bytes)
  }

  private static func uuid(_ bytes: [UInt8]) -> String {
    let hex = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append(UInt8(ascii: "-")) }
      text.append(hex[Int(byte >> 4)])
      text.append(hex[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// HMAC with SHA-256.
  static func hmac(_ text: String, key: [UInt8]) -> [UInt8] {
    var text = text
    guard let hmac = g_hmac_new(G_CHECKSUM_SHA256, key, gsize(key.count)) else {
      // An empty digest would equal an empty signature.
      preconditionFailure("GLib has no SHA-256")
    }
    defer { g_hmac_unref(hmac) }
    text.withUTF8 { g_hmac_update(hmac, $0.baseAddress, $0.count) }
    return [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
      var size = gsize(32)
      g_hmac_get_digest(hmac, buffer.baseAddress, &size)
      count = Int(size)
    }
  }

  /// Compares all bytes, so that the time doesn't reveal where the first difference is.
  static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
    left.count == right.count && zip(left, right).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

/// Hashes of refresh tokens. A low work factor is enough, because the tokens are 256 random bits.
enum Bcrypt {
  private static let cost: UInt = 6

  /// - Parameter text: at most 72 bytes; bcrypt ignores the rest.
  static func hash(_ text: String) -> String? {
    let salt = Secrets.bytes(16)
    var setting = [CChar](repeating: 0, count: Int(CRYPT_GENSALT_OUTPUT_SIZE))
    let made = salt.withUnsafeBufferPointer { salt in
      salt.withMemoryRebound(to: CChar.self) {
        crypt_gensalt_rn("$2b$", cost, $0.baseAddress, Int32($0.count), &setting, Int32(setting.count)) != nil
      }
    }
    return made ? crypt(text, setting: setting) : nil
  }

  static func matches(_ text: String, hash: String) -> Bool {
    guard let again = crypt(text, setting: Array(hash.utf8CString)) else { return false }
    return Secrets.areEqual(again.utf8, hash.utf8)
  }

  /// A hash that no token has. Comparing with it makes unknown tokens take as long as known ones.
  static let decoy = hash("") ?? ""

  private static func crypt(_ text: String, setting: [CChar]) -> String? {
    let data = UnsafeMutablePointer<crypt_data>.allocate(capacity: 1)
    defer { data.deallocate() }
    memset(data, 0, MemoryLayout<crypt_data>.size)
    guard let result = crypt_rn(text, setting, data, Int32(MemoryLayout<crypt_data>.size)) else { return nil }
    return String(cString: result)
  }
}

/// Base64 with the URL-safe alphabet and without padding.
enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  /// The index of each character in the alphabet; 64 for other characters.
  private static let places: [UInt8] = (0...255).map { character in
    UInt8(alphabet.firstIndex(of: character) ?? 64)
  }

  static func encode(_ bytes: some Sequence<UInt8>) -> String {
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

  static func decode(_ text: some StringProtocol) -> [UInt8]? {
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
