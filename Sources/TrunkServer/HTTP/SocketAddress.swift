import Glibc

/// An IP address with a port, as the system has it.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var size = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// - Parameter host: in digits.
  /// - Throws: `ServerProblem.badAddress`
  init(host: String, port: UInt16) throws(ServerProblem) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &found) == 0, let found else { throw .badAddress(host) }
    defer { freeaddrinfo(found) }
    size = found.pointee.ai_addrlen
    memcpy(&storage, found.pointee.ai_addr, Int(size))
  }

  /// What a call of the system fills in.
  init<Result>(
    filledBy call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result, result: inout Result
  ) {
    result = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &size) }
    }
  }

  var family: Int32 { Int32(storage.ss_family) }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, size) }
    }
  }

  /// In digits.
  var host: String { names.host }

  var port: String { names.port }

  private var names: (host: String, port: String) {
    var (host, port) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 8))
    let code = withPointer {
      getnameinfo($0, $1, &host, 64, &port, 8, NI_NUMERICHOST | NI_NUMERICSERV)
    }
    func text(_ characters: [CChar]) -> String {
      String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    return code == 0 ? (text(host), text(port)) : ("unknown", "0")
  }
}
