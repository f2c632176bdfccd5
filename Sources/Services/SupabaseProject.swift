import Sync
import Transport

/// Where a Supabase project is, and the key that opens its gateway.
public struct SupabaseProject: Sendable, Equatable {
  /// The project's address without a slash at its end.
  public let server: String
  /// The publishable (anonymous) key.
  public let key: String

  public init(server: String, key: String) {
    self.server = server
    self.key = key
  }

  /// The gateway wants the key always; the user speaks by a token of their own, or there is none.
  func headers(_ token: AccessToken?) -> [(name: String, value: String)] {
    [("apikey", key)] + (token.map { [("Authorization", "Bearer " + $0.text)] } ?? [])
  }

  public func events(_ client: HTTPClient) -> any EventService { SupabaseEvents(client: client, project: self) }
  public func auth(_ client: HTTPClient) -> any AccountService { SupabaseAuth(client: client, project: self) }
  public func live() -> any LiveService { Realtime(self) }
}
