import CCrypt
import CGLib
import Glibc
import SQLiteKit

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

  /// Six digits from a hash, all equally likely.
  static func code(_ hash: [UInt8]) -> String {
    // With the remainder of 64 bits, no code is noticeably more likely.
    let digits = String(hash.prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) } % 1_000_000)
    return String(repeating: "0", count: 6 - digits.count) + digits
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

/// Hashes refresh tokens on a dedicated thread. A hash takes milliseconds, and the thread that serves the connections
/// must not wait that long.
actor TokenHasher {
  private let executor = QueueExecutor(label: "hashes")

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func hash(_ secret: String) -> String? { Bcrypt.hash(secret) }

  /// - Parameter hash: `nil` for an unknown token, which takes as long as a known one.
  func matches(_ secret: String, hash: String?) -> Bool { Bcrypt.matches(secret, hash: hash ?? Bcrypt.decoy) }
}
