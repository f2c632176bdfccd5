import Foundation
import Synchronization

/// An HTTP/1.1 server on this computer whose responses, valid or not, are scripted by a test.
public final class FaultServer: Sendable {
  private struct State {
    var requests: [FaultRequest] = []
    var connections: [FaultConnection] = []
    var count = 0
    var isStopped = false
  }

  public let port: UInt16
  private let socket: Socket
  private let state = Mutex(State())

  /// Starts a server on a free port.
  /// - Parameter answer: sends the response to a request. Runs on the connection's thread, which reads the next request
  ///   afterwards.
  public init(_ answer: @escaping @Sendable (FaultRequest, FaultConnection) -> Void) {
    (socket, port) = Socket.listening()
    Thread.detachNewThread { [socket, weak self] in
      while let client = socket.accepted() {
        guard let connection = self?.admit(client) else { return }
        Thread.detachNewThread { [weak self] in
          while let request = connection.nextRequest() {
            guard let self else { break }
            self.state.withLock { $0.requests.append(request) }
            answer(request, connection)
            if connection.isClosed { break }
          }
          connection.close()
          self?.state.withLock { state in state.connections.removeAll { $0 === connection } }
        }
      }
    }
  }

  deinit { stop() }

  /// `http://127.0.0.1:PORT`.
  public var address: String { "http://127.0.0.1:\(port)" }

  /// All requests so far.
  public var requests: [FaultRequest] { state.withLock { $0.requests } }

  /// The number of connections so far.
  public var connectionCount: Int { state.withLock { $0.count } }

  /// Closes all connections and accepts no more.
  public func stop() {
    socket.shutDown()
    let connections = state.withLock { state in
      state.isStopped = true
      return state.connections
    }
    for connection in connections { connection.close() }
  }

  private func admit(_ client: Socket) -> FaultConnection? {
    state.withLock { state in
      guard !state.isStopped else { return nil }
      state.count += 1
      let connection = FaultConnection(client, number: state.count)
      state.connections.append(connection)
      return connection
    }
  }
}

/// A request as received.
public struct FaultRequest: Sendable {
  public let method: String
  /// Path and query, as sent.
  public let target: String
  /// Keyed by lower-case name.
  public internal(set) var headers: [String: String]
  public let body: [UInt8]
  /// The number of the request's connection, from 1.
  public let connection: Int

  /// The target without its query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// Returns a value of the query, decoded as servers do: `+` is a space; `nil` if the query lacks it.
  public func query(_ name: String) -> String? {
    let query = target.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    for part in query.split(separator: "&") where part.hasPrefix(name + "=") {
      return part.dropFirst(name.utf8.count + 1).replacingOccurrences(of: "+", with: " ").removingPercentEncoding
    }
    return nil
  }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
