import SyncEngine

/// The address of a Supabase project and the key for its gateway.
public struct SupabaseProject: Sendable, Equatable {
  /// The project's address without a trailing slash.
  public let server: String
  /// The publishable (anonymous) key.
  public let key: String

  public init(server: String, key: String) {
    self.server = server
    self.key = key
  }

  /// The gateway always requires the key. A signed-in user is identified by their own token.
  func headers(_ token: AccessToken?) -> [(name: String, value: String)] {
    [("apikey", key)] + (token.map { [("Authorization", "Bearer " + $0.text)] } ?? [])
  }

  public func events(_ client: HTTPClient) -> any EventService { SupabaseEvents(client: client, project: self) }
  public func auth(_ client: HTTPClient) -> any AccountService { SupabaseAuth(client: client, project: self) }
  public func live() -> any LiveService { Realtime(self) }
}
