import CoreMetrics
import SQLiteKit
import TrunkModel

/// Measures what isn't counted, and writes all metrics.
struct MetricsReport: Sendable {
  let registry: PrometheusRegistry
  let store: ServerStore
  let folder: String
  /// The number of open connections, and of live ones among them.
  let connections: @Sendable () -> (all: Int, live: Int)
  let now: @Sendable () -> Microseconds
  let diskSpace: @Sendable (_ folder: String) throws -> DiskSpace

  /// Sets what stays the same.
  func begin() {
    set(.start, Double(now().value) / 1_000_000)
    Meter(label: MetricName.build.rawValue, dimensions: [("version", Release.version)], factory: registry).set(1)
  }

  /// - Throws: any error of a measurement. A wrong value would be worse than none.
  func text() async throws -> String {
    let (all, live) = connections()
    set(.connections, Double(all))
    set(.liveConnections, Double(live))
    // The reader has a separate thread: measuring a slow disk must not delay clients.
    try await store.reader.read { database in
      set(.accounts, Double(try database.integer("SELECT count(*) FROM users")))
      set(.databaseSize, Double(PrivateFiles.size(of: database.path)))
      set(.logSize, Double(PrivateFiles.size(of: database.path + "-wal")))
      let disk = try diskSpace(folder)
      set(.freeSpace, Double(disk.free))
      set(.reserve, Double(disk.reserve))
      if let name = try ServerBackup.newest(in: folder + "/backups", now: now()),
        let instant = ServerBackup.instant(of: name)
      {
        set(.newestBackup, Double(instant.value) / 1_000_000)
      }
    }
    return registry.text
  }

  private func set(_ name: MetricName, _ value: Double) {
    Meter(label: name.rawValue, factory: registry).set(value)
  }
}
