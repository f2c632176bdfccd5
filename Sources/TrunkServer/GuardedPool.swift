import FlyingSocks
import Glibc
import Synchronization

/// Keeps clients that only stay connected from using up the server: closes connections that have been silent for a
/// minute, as live connections and kept ones are to be, and new ones when there are too many.
final class GuardedPool: AsyncSocketPool {
  /// Seconds without data from a client.
  private static let patience: Int64 = 60

  private struct Listener {
    /// The socket, while clients are waited for.
    var waitsFor: Int32?
    var isClosed = false
    var ended: CheckedContinuation<Void, Never>?
  }

  private let base: any AsyncSocketPool
  private let limit: Int
  /// Sockets that are waited for, with the second at which that is enough.
  private let deadlines = Mutex<[UInt64: (file: Int32, second: Int64)]>([:])
  private let listener = Mutex(Listener())
  private let counter = Atomic<UInt64>(0)

  init(_ base: any AsyncSocketPool, limit: Int) {
    self.base = base
    self.limit = limit
  }

  func prepare() async throws {
    deadlines.withLock { $0 = [:] }
    try await base.prepare()
  }

  func run() async throws {
    let watch = Task {
      while true {
        try await Task.sleep(for: .seconds(5))
        closeSilent()
      }
    }
    defer { watch.cancel() }
    try await base.run()
  }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    let file = socket.file.rawValue
    if GuardedPool.isListening(file) {
      // Sockets of clients inherit it: head and body of an answer are written apart, and the second must not wait.
      var one: Int32 = 1
      setsockopt(file, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
      return try await waitForClients(socket, events)
    }
    // A live connection may be read from and written to at once.
    let wait = counter.wrappingAdd(1, ordering: .relaxed).newValue
    let isAllowed = deadlines.withLock { deadlines in
      guard deadlines.count < limit else { return false }
      deadlines[wait] = (file, GuardedPool.seconds + GuardedPool.patience)
      return true
    }
    guard isAllowed else { throw SocketError.disconnected }
    defer { deadlines.withLock { _ = $0.removeValue(forKey: wait) } }
    try await base.suspendSocket(socket, untilReadyFor: events)
  }

  /// Accepts no more connections. Returns when accepting has ended: a socket that is closed before would never wake
  /// those who wait for it.
  func stopListening() async {
    await withCheckedContinuation { continuation in
      listener.withLock { listener in
        listener.isClosed = true
        guard let file = listener.waitsFor else { return continuation.resume() }
        listener.ended = continuation
        shutdown(file, Int32(SHUT_RDWR))
      }
    }
  }

  private func waitForClients(_ socket: Socket, _ events: Socket.Events) async throws {
    let isClosed = listener.withLock { listener in
      if !listener.isClosed { listener.waitsFor = socket.file.rawValue }
      return listener.isClosed
    }
    defer {
      listener.withLock { listener in
        listener.waitsFor = nil
        listener.ended?.resume()
        listener.ended = nil
      }
    }
    if !isClosed { try await base.suspendSocket(socket, untilReadyFor: events) }
    // The only end of accepting that lets requests finish which were accepted before.
    if listener.withLock({ $0.isClosed }) { throw SocketError.disconnected }
  }

  private func closeSilent() {
    let now = GuardedPool.seconds
    let silent = deadlines.withLock { $0.values.filter { $0.second <= now }.map(\.file) }
    // Wakes whoever waits, who then finds the connection closed.
    for file in silent { shutdown(file, Int32(SHUT_RDWR)) }
  }

  private static func isListening(_ file: Int32) -> Bool {
    var answer: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &answer, &size) == 0 && answer != 0
  }

  private static var seconds: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }
}
