import CGLib
import Keyring
import Services
import Sync
import Transport

/// What leads out of this computer's disk: services, the keyring, the clock. Tests bring their own.
public struct Connections: Sendable {
  public let service: @Sendable (ServerConfiguration) -> any SyncService
  public let vault: any SessionVault
  public let clock: any SyncClock
  /// Signs that the network or the computer is back.
  public let wakes: @Sendable () async -> AsyncStream<Wake>
  /// Takes one line for each sync: figures and codes only.
  public let log: @Sendable (String) -> Void

  public init(
    service: @escaping @Sendable (ServerConfiguration) -> any SyncService, vault: any SessionVault,
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

extension Connections {
  /// The real ones.
  public static let system: Connections = {
    let client = HTTPClient(userAgent: "Trunk/" + Program.version)
    return Connections(
      service: { configuration in
        let project = SupabaseProject(server: configuration.url, key: configuration.key)
        switch configuration.backend {
        case .supabase:
          return CombinedService(events: project.events(client), auth: project.auth(client), live: project.live())
        case .trunk:
          let server = TrunkAPI(server: configuration.url)
          return CombinedService(events: server.events(client), auth: server.auth(client), live: project.live())
        }
      },
      vault: Keyring(), clock: SystemSyncClock(), wakes: { await Wake.signs() },
      log: logInfo)
  }()
}

/// Tells GLib's log, which shows it where `G_MESSAGES_DEBUG` asks for the domain `Trunk`, and keeps it in the journal.
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
