import Glibc

/// A blocking TCP socket on this computer. `deinit` closes it; `shutDown` wakes threads that wait for it.
final class Socket: Sendable {
  let descriptor: Int32

  init(descriptor: Int32) {
    self.descriptor = descriptor
    var on: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(descriptor) }

  /// Returns a listening socket on a free port, and the port.
  static func listening() -> (socket: Socket, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    precondition(descriptor >= 0, "no socket")
    var address = loopback(port: 0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        precondition(bind(descriptor, pointer, size) == 0, "no free port")
        precondition(getsockname(descriptor, pointer, &size) == 0)
      }
    }
    precondition(listen(descriptor, 128) == 0)
    return (Socket(descriptor: descriptor), UInt16(bigEndian: address.sin_port))
  }

  /// Returns a socket that is connected to a port; `nil` if the connection is refused.
  static func connected(port: UInt16) -> Socket? {
    let result = Socket(
      descriptor: socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    var address = loopback(port: port)
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(result.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    return isConnected ? result : nil
  }

  private static func loopback(port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    return address
  }

  /// Waits for a client and returns the connection to it; `nil` after `shutDown`.
  func accepted() -> Socket? {
    let client = accept(descriptor, nil, nil)
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    return client >= 0 ? Socket(descriptor: client) : nil
  }

  /// Waits for bytes; `nil` at the end.
  func receive() -> [UInt8]? {
    let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
      count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, 0))
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// Sends all bytes.
  /// - Returns: `false` if the peer has disconnected.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(
          descriptor, buffer.baseAddress.map { $0 + sent }, buffer.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Waits until bytes arrive or the peer disconnects.
  /// - Returns: `false` if neither happens within the given milliseconds.
  func hasInput(within milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) != 0
  }

  /// Closes both directions, which wakes waiting threads.
  func shutDown() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Makes closing reset the connection, so that the peer sees an error.
  func resetOnClose() {
    var value = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
  }
}
