import SyncBackends

/// The two interfaces that `trunk-server` has.
public enum Backend: String, CaseIterable, Sendable {
  case supabase, trunk

  /// - Parameter address: of the server, or of a proxy before it.
  public func service(_ address: String) -> CombinedService {
    let client = HTTPClient(userAgent: "Trunk/test")
    let project = SupabaseProject(server: address, key: "trunk")
    switch self {
    case .supabase:
      return CombinedService(events: project.events(client), auth: project.auth(client), live: project.live())
    case .trunk:
      let api = TrunkAPI(server: address)
      return CombinedService(events: api.events(client), auth: api.auth(client), live: project.live())
    }
  }

  /// What a server says that has no rows for this user.
  public var emptyPage: String {
    switch self {
    case .supabase: "[]"
    case .trunk: #"{"events":[],"latestTimestamp":null}"#
    }
  }
}
