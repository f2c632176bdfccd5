import SyncBackends
import SyncEngine

/// The two interfaces of `trunk-server`.
public enum Backend: String, CaseIterable, Sendable {
  case supabase, trunk

  /// Returns the real connections to a server.
  /// - Parameter address: the address of the server, or of a proxy in front of it.
  public func service(_ address: String) -> SyncService {
    let client = HTTPClient(userAgent: "Trunk/test")
    let project = SupabaseProject(server: address, key: "trunk")
    switch self {
    case .supabase:
      return SyncService(
        events: project.events(client), account: project.auth(client), live: project.live(),
        clockDifference: { client.clockDifference })
    case .trunk:
      let api = TrunkAPI(server: address)
      return SyncService(
        events: api.events(client), account: api.auth(client), live: project.live(),
        clockDifference: { client.clockDifference })
    }
  }

  /// The body of a page without rows.
  public var emptyPage: String {
    switch self {
    case .supabase: "[]"
    case .trunk: #"{"events":[],"latestTimestamp":null}"#
    }
  }
}
