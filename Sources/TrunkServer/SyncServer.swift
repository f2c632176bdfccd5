import FlyingFox
import FlyingSocks
import Foundation
import Storage
import Synchronization

/// A service that gardens are synced through: HTTP, live connections and one database.
public final class SyncServer: Sendable {
  private let configuration: ServerConfiguration
  private let store: ServerStore
  private let hub = RealtimeHub()
  private let server: HTTPServer
  private let isStopping = Mutex(false)

  /// Opens the database and makes everything ready; nothing is answered yet.
  /// - Throws: what keeps it from that; its description is for people.
  public init(_ configuration: ServerConfiguration) throws {
    self.configuration = configuration
    store = try ServerStore(folder: configuration.folder)
    let secret = try ServerSecret.load(folder: configuration.folder)
    let service = Service(store: store, hub: hub, secret: secret, configuration: configuration)
    let front = HTTPFront(service: service)
    let pool = HTTPServer.defaultPool()
    if configuration.host.contains(":") {
      guard let address = try? sockaddr_in6.inet6(ip6: configuration.host, port: configuration.port) else {
        throw ServerProblem.badAddress(configuration.host)
      }
      server = HTTPServer(address: address, timeout: 30, pool: pool, logger: .disabled, handler: front)
    } else {
      guard let address = try? sockaddr_in.inet(ip4: configuration.host, port: configuration.port) else {
        throw ServerProblem.badAddress(configuration.host)
      }
      server = HTTPServer(address: address, timeout: 30, pool: pool, logger: .disabled, handler: front)
    }
  }

  /// Serves until `stop()` or until the socket fails.
  /// - Parameter ready: told the address at which it listens.
  public func run(ready: @escaping @Sendable (_ url: String) -> Void) async throws {
    // A client that hangs up while it is written to is no reason to end.
    signal(SIGPIPE, SIG_IGN)
    let announcement = Task {
      try await server.waitUntilListening()
      if let port = await port { ready("http://\(hostText):\(port)") }
    }
    defer { announcement.cancel() }
    do {
      try await server.run()
    } catch  where isStopping.withLock({ $0 }) {
      // Stopping ends the accepting of connections with an error.
    }
  }

  /// Takes no more requests and finishes those that it has.
  public func stop() async {
    isStopping.withLock { $0 = true }
    await server.stop(timeout: 20)
  }

  private var port: UInt16? {
    get async {
      switch await server.listeningAddress {
      case .ip4(_, let port), .ip6(_, let port): port
      case .unix, nil: nil
      }
    }
  }

  private var hostText: String {
    configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
  }
}

/// The key that signs access tokens: made at the first start.
enum ServerSecret {
  static func load(folder: String) throws -> [UInt8] {
    let path = folder + "/secret"
    if !PrivateFiles.exists(path) {
      try PrivateFiles.write(Base64URL.encode(Secrets.bytes(48)) + "\n", to: path + ".new")
      try PrivateFiles.rename(path + ".new", to: path)
      try PrivateFiles.sync(folder: folder)
    }
    let text = String(decoding: try PrivateFiles.read(path), as: UTF8.self).trimmed
    guard let secret = Base64URL.decode(text), secret.count >= 32 else { throw ServerProblem.badSecret(path) }
    return secret
  }
}
