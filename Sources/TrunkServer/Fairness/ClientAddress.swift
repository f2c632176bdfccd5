import Glibc

/// The names under which limits count the client behind an IP address:
///
/// * `name` finds what belongs to one client.
/// * `customer` is for what one customer could multiply with more addresses: tries, memory and database connections.
/// * `counted` is for what a customer's clients share with an allowance, such as connections and requests per minute.
enum ClientAddress {
  /// The maximum size in bytes of a name that isn't an address, such as one that a proxy passes on.
  private static let nameLimit = 64

  /// An IPv4 address is its own name, even if written as IPv6. Only the first 64 bits of an IPv6 address count: a
  /// client gets that whole network and could use another address for every request.
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

  /// The number of IPv6 clients whose allowance their provider's network has.
  static let clientsPerNetwork = 4

  /// The first 48 bits of an IPv6 client's address, which providers often give to one customer; `nil` for other
  /// clients.
  ///
  /// A customer with such a network has 65,536 clients' addresses, so that limits per client alone would limit nothing.
  static func network(of client: String) -> String? {
    guard client.hasSuffix("::/64") else { return nil }
    return client.split(separator: ":").prefix(3).joined(separator: ":") + "::/48"
  }

  /// The name of the customer behind a client, where more clients of one customer must not have more tries.
  static func customer(of client: String) -> String { network(of: client) ?? client }

  /// The names for which something of a client is counted: its own, and its network's with a larger allowance.
  static func counted(_ client: String) -> [(name: String, allowance: Int)] {
    [(client, 1)] + (network(of: client).map { [($0, clientsPerNetwork)] } ?? [])
  }

  /// Whether the address is that of this computer, where a proxy may run.
  static func isLocal(_ text: String) -> Bool { ["127.0.0.1", "::1", "::ffff:127.0.0.1"].contains(text) }
}
