import Glibc
import SQLiteKit
import TrunkModel

/// A sync service for gardens: HTTP, live connections and one database.
public final class SyncServer: Sendable {
  private let configuration: ServerConfiguration
  private let lock: ServerLock
  private let hub: RealtimeHub
  private let store: ServerStore
  private let service: Service
  private let listener: Listener
  private let metricsListener: MetricsListener?

  /// Opens the database and listens, but doesn't respond yet.
  /// - Throws: an error whose description can be shown to users.
  public init(_ configuration: ServerConfiguration) throws {
    self.configuration = configuration
    try PrivateFiles.makeFolder(configuration.folder)
    lock = try ServerLock(folder: configuration.folder)
    let registry = configuration.metricsPort.map { _ in PrometheusRegistry(help: MetricName.allHelp) }
    let metrics = registry.map { ServerMetrics($0) } ?? .off
    store = try ServerStore(folder: configuration.folder, metrics: metrics)
    let secret = try ServerSecret.load(folder: configuration.folder)
    hub = RealtimeHub(limit: configuration.connectionLimit)
    service = Service(store: store, hub: hub, secret: secret, configuration: configuration, metrics: metrics)
    listener = try Listener(
      host: configuration.host, port: configuration.port,
      limit: SyncServer.raiseFileLimit(configuration.connectionLimit), service: service)
    metricsListener = try registry.map { [store, listener, hub] registry in
      let report = MetricsReport(
        registry: registry, store: store, folder: configuration.folder,
        connections: { (listener.connectionCount, hub.count) }, now: configuration.now,
        diskSpace: configuration.diskSpace)
      report.begin()
      return try MetricsListener(port: configuration.metricsPort ?? 0, loop: listener.loop, text: report.text)
    }
  }

  /// The URL that it listens on.
  public var url: String { listener.url }

  /// The URL of the metrics; `nil` if none are served.
  public var metricsURL: String? { metricsListener?.url }

  /// Serves until `stop()`.
  public func run() async throws {
    // The server must not end when the reader of its output or a mail server disconnects.
    signal(SIGPIPE, SIG_IGN)
    try await service.accounts.respellAddresses()
    let maintenance = Task { await maintain() }
    defer { maintenance.cancel() }
    try await listener.run()
  }

  /// Makes backups and deletes expired data.
  private func maintain() async {
    repeat {
      do {
        try await Task.detached { [configuration] in
          try ServerBackup.writeIfDue(
            folder: configuration.folder, hours: configuration.backupInterval, diskSpace: configuration.diskSpace)
        }.value
      } catch {
        ServerLog.log.error("the backup failed", error: error)
      }
      do { try await service.accounts.removeExpired() } catch is StoreClosed { return } catch {
        ServerLog.log.error("the deletion of expired data failed", error: error)
      }
      // The sleep throws only if the task is cancelled.
    } while (try? await Task.sleep(for: .seconds(3600))) != nil
  }

  /// Raises the limit of open files to what the system allows.
  /// - Returns: the number of connections that fit, at most `wanted`.
  private static func raiseFileLimit(_ wanted: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // The database, logs and requests need some file descriptors too.
    return min(wanted, Int(clamping: limit.rlim_cur) - 128)
  }

  /// Accepts no more requests, finishes the open ones, and closes the database. Its file is then complete without a
  /// log.
  /// - Throws: `DatabaseError`. No data is lost then, but the write-ahead log must stay with the database.
  public func stop() async throws {
    metricsListener?.stop()
    hub.close()
    await listener.stop(timeout: 20)
    try await store.close()
  }
}

/// The key that signs access tokens, created at the first start.
enum ServerSecret {
  static func load(folder: String) throws -> [UInt8] {
    let path = path(in: folder)
    if !PrivateFiles.exists(path) {
      try PrivateFiles.write(Base64URL.encode(Secrets.bytes(48)) + "\n", to: path + ".new")
      try PrivateFiles.rename(path + ".new", to: path)
      try PrivateFiles.sync(folder: folder)
    }
    return try read(path)
  }

  static func path(in folder: String) -> String { folder + "/secret" }

  /// - Throws: `ServerProblem.badSecret`, `PrivateFiles.Failure`.
  static func read(_ path: String) throws -> [UInt8] {
    let text = String(String(decoding: try PrivateFiles.read(path), as: UTF8.self).trimmed)
    guard let secret = Base64URL.decode(text), secret.count >= 32 else { throw ServerProblem.badSecret(path) }
    return secret
  }
}
