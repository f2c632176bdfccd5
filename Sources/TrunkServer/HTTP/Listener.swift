import Glibc
import Synchronization

/// Accepts clients at one address and serves them until it is stopped.
final class Listener: Sendable {
  private struct State {
    var clients: [ObjectIdentifier: PolledSocket] = [:]
    var isStopping = false
    var whenEmpty: CheckedContinuation<Void, Never>?
  }

  /// Where it listens.
  let url: String
  private let socket: PolledSocket
  private let loop: EventLoop
  /// Clients at once.
  private let limit: Int
  private let state = Mutex(State())

  /// Listens from now on; clients wait until it runs.
  /// - Throws: `ServerProblem`
  init(host: String, port: UInt16, limit: Int, loop: EventLoop) throws(ServerProblem) {
    let wanted = try SocketAddress(host: host, port: port)
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let file = Glibc.socket(wanted.family, kind, 0)
    guard file >= 0 else { throw .system(errno) }
    let socket = PolledSocket(file)
    Listener.turnOn(SO_REUSEADDR, SOL_SOCKET, file)
    guard wanted.withPointer({ bind(file, $0, $1) }) == 0, listen(file, SOMAXCONN) == 0 else { throw .system(errno) }
    var answer: Int32 = 0
    let address = SocketAddress(filledBy: { getsockname(file, $0, $1) }, result: &answer)
    guard answer == 0 else { throw .system(errno) }
    url = "http://" + (host.contains(":") ? "[\(host)]" : host) + ":" + address.port
    self.socket = socket
    self.limit = limit
    self.loop = loop
    try loop.add(socket)
  }

  /// Accepts clients until `stop`.
  func run(_ service: Service) async {
    await Task(executorPreference: loop) { await self.acceptAll(service) }.value
    loop.remove(socket)
  }

  private func acceptAll(_ service: Service) async {
    while !state.withLock({ $0.isStopping }) {
      switch accept() {
      case .success(let client?): serve(client.socket, client.address, service)
      case .success(nil): await socket.waitForClient()
      case .failure(let problem):
        // Files or memory are short. That passes, and those who are connected notice nothing.
        Log.note("accepting a client failed: \(problem)")
        // Not cancelled by anybody.
        try? await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Accepts no more clients, lets those that are there finish what they have asked for, and waits for them.
  /// - Parameter patience: seconds.
  func stop(patience: Int64) async {
    let clients = state.withLock { state in
      state.isStopping = true
      return Array(state.clients.values)
    }
    socket.abort()
    for client in clients { client.stopReading() }
    let timer = Task {
      try await Task.sleep(for: .seconds(patience))
      leave()
    }
    defer { timer.cancel() }
    await withCheckedContinuation { continuation in
      let isEmpty = state.withLock { state in
        if !state.clients.isEmpty { state.whenEmpty = continuation }
        return state.clients.isEmpty
      }
      if isEmpty { continuation.resume() }
    }
  }

  /// Ends the waiting of `stop`.
  private func leave() {
    let waiting = state.withLock { state in
      defer { state.whenEmpty = nil }
      return state.whenEmpty
    }
    waiting?.resume()
  }

  private func serve(_ client: PolledSocket, _ address: String, _ service: Service) {
    let isWelcome = state.withLock { state in
      guard !state.isStopping, state.clients.count < limit else { return false }
      state.clients[ObjectIdentifier(client)] = client
      return true
    }
    guard isWelcome else { return }
    do {
      try loop.add(client)
    } catch {
      Log.note("a client can't be served: \(error)")
      return remove(client)
    }
    Task(executorPreference: loop) {
      await Connection(socket: client, address: address, service: service).serve()
      self.loop.remove(client)
      self.remove(client)
    }
  }

  private func remove(_ client: PolledSocket) {
    let isLast = state.withLock { state in
      state.clients[ObjectIdentifier(client)] = nil
      return state.clients.isEmpty
    }
    if isLast { leave() }
  }

  /// - Returns: `nil` if nobody waits.
  private func accept() -> Result<(socket: PolledSocket, address: String)?, ServerProblem> {
    var file: Int32 = -1
    let address = SocketAddress(filledBy: { Glibc.accept(socket.file, $0, $1) }, result: &file)
    guard file >= 0 else {
      // Nobody is there any more, or the end has come.
      return errno == EAGAIN || errno == EINVAL ? .success(nil) : .failure(.system(errno))
    }
    // Fails for no file that has just been opened.
    _ = fcntl(file, F_SETFL, O_NONBLOCK)
    // A message must not wait until the one before has arrived.
    Listener.turnOn(TCP_NODELAY, Int32(IPPROTO_TCP), file)
    return .success((PolledSocket(file), address.host))
  }

  private static func turnOn(_ option: Int32, _ level: Int32, _ file: Int32) {
    var one: Int32 = 1
    setsockopt(file, level, option, &one, socklen_t(MemoryLayout<Int32>.size))
  }
}
