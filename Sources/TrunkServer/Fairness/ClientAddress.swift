import Glibc

/// The names under which clients are counted.
enum ClientAddress {
  /// The maximum size in bytes of a name that isn't an address, such as one that a proxy passes on.
  private static let nameLimit = 64

  /// An IPv4 address is its own name, even if written as IPv6. Only the first 48 bits of an IPv6 address count: a
  /// provider often gives that whole network to one customer, who could use another address for every request.
  static func name(_ text: some StringProtocol) -> String {
    let text = String(text.prefix { $0 != "%" })
    var (short, long) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &short) == 1 { return text }
    guard inet_pton(AF_INET6, text, &long) == 1 else { return String(text.unicodeScalars.prefix(nameLimit)) }
    let bytes = withUnsafeBytes(of: &long) { Array($0) }
    if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
      return bytes[12...].map(String.init).joined(separator: ".")
    }
    let groups = stride(from: 0, to: 6, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
    return groups.joined(separator: ":") + "::/48"
  }

  /// Whether the address is that of this computer, where a proxy may run.
  static func isLocal(_ text: String) -> Bool { ["127.0.0.1", "::1", "::ffff:127.0.0.1"].contains(text) }
}
