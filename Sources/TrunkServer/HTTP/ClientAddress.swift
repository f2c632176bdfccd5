import Glibc

/// Names the client behind an IP address, for everything that is limited per client.
enum ClientAddress {
  /// Bytes of a name that is no address, as a proxy may pass on.
  private static let nameLimit = 64

  /// An IPv4 address stays as it is, also written as IPv6. Of an IPv6 address only the first 64 bits count: a client gets
  /// the whole network behind them, and could use another address for every request.
  static func name(_ text: some StringProtocol) -> String {
    let text = String(text.prefix { $0 != "%" })
    var (short, long) = (in_addr(), in6_addr())
    if inet_pton(AF_INET, text, &short) == 1 { return text }
    guard inet_pton(AF_INET6, text, &long) == 1 else { return String(text.unicodeScalars.prefix(nameLimit)) }
    let bytes = withUnsafeBytes(of: &long) { Array($0) }
    if bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]) {
      return bytes[12...].map(String.init).joined(separator: ".")
    }
    let groups = stride(from: 0, to: 8, by: 2).map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
    return groups.joined(separator: ":") + "::/64"
  }

  /// Whether the address is that of this computer, where a proxy runs.
  static func isLocal(_ text: String) -> Bool { ["127.0.0.1", "::1", "::ffff:127.0.0.1"].contains(text) }
}
