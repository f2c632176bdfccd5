import Glibc
import Localization
import Transport

/// Which service keeps the garden for several devices, and how to reach it.
public struct ServerConfiguration: Sendable, Equatable {
  /// Which protocol the service speaks.
  public enum Backend: String, Sendable, CaseIterable {
    case supabase
    /// `trunk-server`.
    case trunk
  }

  public let backend: Backend
  /// The base address, without a slash at its end. It is `https`, or `http` to this computer itself.
  public let url: String
  /// The publishable key of a Supabase project. A `trunk-server` has one too: `trunk`, unless it was started with another.
  public let key: String

  /// Why an address or a key can't be used.
  public enum Invalid: Error, Equatable {
    case notAnAddress
    /// Anyone on the way could read the journal.
    case notEncrypted
    case keyMissing
    case unknownBackend(String)

    /// What to tell the user.
    public var message: String {
      switch self {
      case .notAnAddress: tr("This is not the address of a server. It begins with https://.")
      case .notEncrypted: tr("The address has to begin with https://, so that nobody on the way can read along.")
      case .keyMissing: tr("The key is missing. A Supabase project calls it the publishable or anon key.")
      case .unknownBackend(let name):
        tr("“{name}” is not a kind of server that Trunk knows. There are supabase and trunk.", ["name": name])
      }
    }
  }

  public init(backend: Backend, url: String, key: String) throws(Invalid) {
    var url = String(url.trimmed)
    while url.hasSuffix("/") { url.removeLast() }
    guard let address = HTTPAddress(url) else { throw .notAnAddress }
    guard address.isSafe else { throw .notEncrypted }
    let key = String(key.trimmed)
    if backend == .supabase, key.isEmpty { throw .keyMissing }
    self.backend = backend
    self.url = url
    self.key = key.isEmpty ? "trunk" : key
  }
}

extension ServerConfiguration {
  /// What the preferences say, and the environment over them: `SUPABASE_URL` and `SUPABASE_ANON_KEY`, and `TRUNK_BACKEND`
  /// for the protocol.
  /// - Returns: `nil` if no server is named.
  @MainActor public static func current(
    _ settings: Settings, environment: (String) -> String? = ServerConfiguration.environment
  ) throws(Invalid) -> ServerConfiguration? {
    guard let url = environment("SUPABASE_URL") ?? settings.serverURL else { return nil }
    let name = environment("TRUNK_BACKEND") ?? settings.backend ?? Backend.supabase.rawValue
    guard let backend = Backend(rawValue: name) else { throw .unknownBackend(name) }
    let key = environment("SUPABASE_ANON_KEY") ?? settings.serverKey ?? ""
    return try ServerConfiguration(backend: backend, url: url, key: key)
  }

  /// Whether the environment names the server, whatever the preferences say.
  public static var isSetByEnvironment: Bool { environment("SUPABASE_URL") != nil }

  /// A variable of the process's environment; an empty one counts as missing.
  @Sendable public static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }
}
