import FlyingFox
import FlyingSocks
import Foundation
import Storage
import Synchronization

/// A service that gardens are synced through: HTTP, live connections and one database.
public final class SyncServer: Sendable {
  /// The released version, that of the whole project.
  public static let version = "0.1.0"

  private let configuration: ServerConfiguration
  private let store: ServerStore
  private let hub: RealtimeHub
  private let accounts: Accounts
  private let pool: GuardedPool
  private let server: HTTPServer
  private let isStopping = Mutex(false)
  private let hasListened = Mutex(false)

  /// Opens the database and makes everything ready; nothing is answered yet.
  /// - Throws: what keeps it from that; its description is for people.
  public init(_ configuration: ServerConfiguration) throws {
    self.configuration = configuration
    store = try ServerStore(folder: configuration.folder)
    let secret = try ServerSecret.load(folder: configuration.folder)
    hub = RealtimeHub(limit: configuration.connectionLimit)
    let service = Service(store: store, hub: hub, secret: secret, configuration: configuration)
    accounts = service.accounts
    let front = HTTPFront(service: service)
    pool = GuardedPool(HTTPServer.defaultPool(), limit: SyncServer.raiseFileLimit(configuration.connectionLimit))
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
      hasListened.withLock { $0 = true }
      if let port = await port { ready("http://\(hostText):\(port)") }
    }
    let chores = Task { await doChores() }
    defer {
      announcement.cancel()
      chores.cancel()
    }
    while true {
      do {
        try await server.run()
      } catch {
        // Stopping ends the accepting of connections with an error.
        if isStopping.withLock({ $0 }) { return }
        // Failing to accept one client must not end the service for all.
        guard hasListened.withLock({ $0 }) else { throw error }
        Log.note("the socket failed, listening again: \(error)")
        try await Task.sleep(for: .seconds(1))
      }
    }
  }

  /// Backups, and clearing away what time has made useless.
  private func doChores() async {
    repeat {
      do {
        try await accounts.tidy()
        try await Task.detached { [configuration] in
          try ServerBackup.writeIfDue(folder: configuration.folder, hours: configuration.backupInterval)
        }.value
      } catch {
        Log.note("backup or tidying failed: \(error)")
      }
    } while (try? await Task.sleep(for: .seconds(3600))) != nil
  }

  /// Lets as many files be open as the system grants.
  /// - Returns: how many connections fit, `wanted` at most.
  private static func raiseFileLimit(_ wanted: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // Database, logs and connections that are being answered need some too.
    return min(wanted, Int(clamping: limit.rlim_cur) - 128)
  }

  /// Takes no more requests and finishes those that it has.
  public func stop() async {
    isStopping.withLock { $0 = true }
    await pool.stopListening()
    hub.close()
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
