import SyncEngine
import TrunkModel

/// The plain interface of Trunk's own server.
///
/// | request | answer |
/// |---|---|
/// | `POST /api/auth/request-code {email}` | `{success}` |
/// | `POST /api/auth/verify-code {email, code}` | `{accessToken, refreshToken, expiresIn, user}` |
/// | `POST /api/auth/refresh {refreshToken}` | the same |
/// | `POST /api/auth/logout` | 204, and this session has ended |
/// | `GET /api/auth/profile` | the user's profile, an object |
/// | `PUT /api/auth/profile {…}` | the same after changing these members; `null` removes one |
/// | `GET /api/sync/events?since=TIME&after_id=ID&limit=N` | `{events, latestTimestamp}` |
/// | `GET /api/sync/events?client_id=A&client_id=B` | `{events, latestTimestamp}` |
/// | `GET /api/sync/ids?since=TIME&after_id=ID&limit=N` | `{ids}`: `id`, `client_id`, `created_at` of the same rows |
/// | `POST /api/sync/events {events}` | `{accepted, duplicates}`, lists of `client_id` |
/// | `GET /api/sync/status` | `{latestTimestamp, eventCount}` |
/// | `DELETE /api/sync/events?confirm=all` | `{deleted}`, the number of rows |
///
/// `events` are rows with `id`, `created_at`, `type`, `payload`, `client_id` and `client_timestamp`, in the order of
/// `created_at` and `id`. A request returns the rows after `since`, including those at exactly `since` with an id after
/// `after_id`. `user` is `{id, email, profile}`. Access tokens are bearer tokens. Failures have a status and `{code,
/// message}` with Supabase's codes.
public struct TrunkAPI: Sendable, Equatable {
  /// The server's address without a trailing slash.
  public let server: String

  public init(server: String) {
    self.server = server
  }

  public func events(_ client: HTTPClient) -> any EventService { TrunkEvents(client: client, server: server) }
  public func auth(_ client: HTTPClient) -> any AccountService { TrunkAuth(client: client, server: server) }

  static func request(
    _ method: HTTPRequest.Method, _ url: String, _ body: JSON? = nil, token: AccessToken? = nil
  ) -> HTTPRequest {
    HTTPRequest(
      method, url,
      headers: (token.map { [("Authorization", "Bearer " + $0.text)] } ?? [])
        + (body == nil ? [] : [("Content-Type", "application/json")]) + [("Accept", "application/json")],
      body: body.map { Array($0.compactText.utf8) })
  }

  /// There is no gateway with a key, so 401 means that a valid token is missing.
  static func failure(_ response: HTTPResponse, _ otherwise: (HTTPResponse) -> ServiceFailure) -> ServiceFailure {
    let failure = otherwise(response)
    if case .misconfigured(401, let code, _) = failure { return .unauthorized(code: code) }
    return failure
  }
}
