import Glibc
import Localization
import SyncBackends
import TrunkKit

/// The sync service and how to reach it.
public struct ServerSettings: Sendable, Equatable {
  /// The protocol that the service speaks.
  public enum Backend: String, Sendable, CaseIterable {
    case supabase
    /// `trunk-server`.
    case trunk
  }

  public let backend: Backend
  /// The base address, without a trailing slash: `https`, or `http` to this computer.
  public let url: String
  /// The publishable key of a Supabase project, or the key of a `trunk-server`, which is `trunk` by default.
  public let key: String

  /// Why an address or a key can't be used.
  public enum Invalid: UserFacingError, Equatable {
    case notAnAddress
    /// Anyone on the network path could read the journal.
    case notEncrypted
    case keyMissing
    case unreachable
    case unknownBackend(String)

    /// The message for the user.
    public var message: String {
      switch self {
      case .notAnAddress: tr("This is not a server address. Enter one that begins with https://.")
      case .notEncrypted: tr("The address must begin with https://, so that others can’t read your journal in transit.")
      case .keyMissing: tr("The key is missing. In a Supabase project it is called the publishable or anon key.")
      case .unreachable: tr("No server answers at this address. Check the address and your connection.")
      case .unknownBackend(let name):
        tr("“{name}” is not a known kind of server. Use supabase or trunk.", ["name": name])
      }
    }
  }

  public init(backend: Backend, url: String, key: String) throws(Invalid) {
    var url = String(url.trimmed)
    while url.hasSuffix("/") { url.removeLast() }
    // The field begins with `https://`, after which a copied address is pasted.
    let scheme = "https://"
    for pasted in [scheme, "http://"] where url.hasPrefix(scheme + pasted) { url.removeFirst(scheme.count) }
    guard let address = HTTPAddress(url) else { throw .notAnAddress }
    guard address.isSafe else { throw .notEncrypted }
    let key = String(key.trimmed)
    if backend == .supabase, key.isEmpty { throw .keyMissing }
    self.backend = backend
    self.url = url
    self.key = key.isEmpty ? "trunk" : key
  }
}

extension ServerSettings {
  /// Reads the preferences. `SUPABASE_URL`, `SUPABASE_ANON_KEY` and `TRUNK_BACKEND` (the protocol) in the environment
  /// override them.
  /// - Returns: `nil` if no server is named.
  @MainActor public static func current(
    _ settings: Settings, environment: (String) -> String? = ServerSettings.environment
  ) throws(Invalid) -> ServerSettings? {
    guard let url = environment("SUPABASE_URL") ?? settings.serverURL else { return nil }
    let name = environment("TRUNK_BACKEND") ?? settings.backend ?? Backend.supabase.rawValue
    guard let backend = Backend(rawValue: name) else { throw .unknownBackend(name) }
    let key = environment("SUPABASE_ANON_KEY") ?? settings.serverKey ?? ""
    return try ServerSettings(backend: backend, url: url, key: key)
  }

  /// Whether the environment names the server and so overrides the preferences.
  public static var isSetByEnvironment: Bool { environment("SUPABASE_URL") != nil }

  /// Returns an environment variable; an empty one counts as missing.
  @Sendable public static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Settings {
  /// The address of the sync server, as the user typed it.
  public var serverURL: String? { text("sync", "url").flatMap { $0.isEmpty ? nil : $0 } }

  /// The publishable key of the sync server.
  public var serverKey: String? { text("sync", "key").flatMap { $0.isEmpty ? nil : $0 } }

  /// The server's protocol: see `ServerSettings.Backend`.
  public var backend: String? { text("sync", "backend").flatMap { $0.isEmpty ? nil : $0 } }

  /// - Parameter server: `nil` removes the server.
  public func set(server: ServerSettings?) throws {
    try set("sync", ["backend": server?.backend.rawValue ?? "", "url": server?.url ?? "", "key": server?.key ?? ""])
  }
}
