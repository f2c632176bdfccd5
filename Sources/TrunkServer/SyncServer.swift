import Glibc
import Storage

/// A service that gardens are synced through: HTTP, live connections and one database.
public final class SyncServer: Sendable {
  /// The released version, that of the whole project.
  public static let version = "0.1.0"

  private let configuration: ServerConfiguration
  private let hub: RealtimeHub
  private let store: ServerStore
  private let service: Service
  private let listener: Listener

  /// Opens the database and listens; nothing is answered yet.
  /// - Throws: what keeps it from that; its description is for people.
  public init(_ configuration: ServerConfiguration) throws {
    self.configuration = configuration
    store = try ServerStore(folder: configuration.folder)
    let secret = try ServerSecret.load(folder: configuration.folder)
    hub = RealtimeHub(limit: configuration.connectionLimit)
    service = Service(store: store, hub: hub, secret: secret, configuration: configuration)
    listener = try Listener(
      host: configuration.host, port: configuration.port,
      limit: SyncServer.raiseFileLimit(configuration.connectionLimit), service: service)
  }

  /// Where it listens.
  public var url: String { listener.url }

  /// Serves until `stop()`.
  public func run() async throws {
    // Whoever reads what it prints, or is talked to about mail, may go away; that is no reason to end.
    signal(SIGPIPE, SIG_IGN)
    let chores = Task { await doChores() }
    defer { chores.cancel() }
    try await listener.run()
  }

  /// Backups, and clearing away what time has made useless.
  private func doChores() async {
    repeat {
      do {
        try await service.accounts.tidy()
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

  /// Takes no more requests, finishes those that it has, and closes the database: then its file alone is complete.
  /// - Throws: `DatabaseError`. Nothing is lost then, but the write-ahead log still belongs to the database.
  public func stop() async throws {
    hub.close()
    await listener.stop(patience: 20)
    try await store.close()
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
    let text = String(String(decoding: try PrivateFiles.read(path), as: UTF8.self).trimmed)
    guard let secret = Base64URL.decode(text), secret.count >= 32 else { throw ServerProblem.badSecret(path) }
    return secret
  }
}
