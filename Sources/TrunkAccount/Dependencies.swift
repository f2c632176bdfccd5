import CGLib
import SyncBackends
import SyncEngine
import TrunkModel

/// External dependencies: services, keyring, clock. Tests replace them.
public struct Dependencies: Sendable {
  public let service: @Sendable (ServerSettings) -> SyncService
  public let vault: any SessionVault
  public let clock: any SyncClock
  /// Reports network changes and wake-ups from sleep.
  public let wakes: @Sendable () async -> AsyncStream<Wake>
  /// Logs one line for each sync: figures and codes only.
  public let log: @Sendable (String) -> Void

  public init(
    service: @escaping @Sendable (ServerSettings) -> SyncService, vault: any SessionVault,
    clock: any SyncClock, wakes: @escaping @Sendable () async -> AsyncStream<Wake>,
    log: @escaping @Sendable (String) -> Void
  ) {
    self.service = service
    self.vault = vault
    self.clock = clock
    self.wakes = wakes
    self.log = log
  }
}

extension Dependencies {
  /// The real dependencies.
  public static let system: Dependencies = {
    let client = HTTPClient(userAgent: "Trunk/" + Release.version)
    return Dependencies(
      service: { serverSettings in
        let project = SupabaseProject(server: serverSettings.url, key: serverSettings.key)
        switch serverSettings.backend {
        case .supabase:
          return SyncService(
            events: project.events(client), account: project.auth(client), live: project.live(),
            clockDifference: { client.clockDifference })
        case .trunk:
          let server = TrunkAPI(server: serverSettings.url)
          return SyncService(
            events: server.events(client), account: server.auth(client), live: project.live(),
            clockDifference: { client.clockDifference })
        }
      },
      vault: Keyring(), clock: SystemSyncClock(), wakes: { await Wake.events() },
      log: logInfo)
  }()
}

/// Writes to GLib's log, which shows the domain `Trunk` if `G_MESSAGES_DEBUG` includes it.
@Sendable private func logInfo(_ line: String) {
  line.withCString { message in
    "Trunk".withCString { domain in
      "MESSAGE".withCString { messageKey in
        "GLIB_DOMAIN".withCString { domainKey in
          let fields = [
            GLogField(key: messageKey, value: message, length: -1),
            GLogField(key: domainKey, value: domain, length: -1),
          ]
          g_log_structured_array(G_LOG_LEVEL_INFO, fields, gsize(fields.count))
        }
      }
    }
  }
}
