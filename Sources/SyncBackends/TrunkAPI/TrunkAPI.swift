import EventStore
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

/// The user's events through the plain interface.
final class TrunkEvents: EventService {
  private let client: HTTPClient
  private let base: String
  private static let answerBytes = 16 << 20

  init(client: HTTPClient, server: String) {
    self.client = client
    base = server + "/api/sync"
  }

  func check() async throws(ServiceFailure) {
    do throws(ServiceFailure) {
      _ = try await answer(TrunkAPI.request(.get, base + "/status"))
    } catch .unauthorized {
      // Anonymous users should get this response.
      return
    } catch {
      throw error
    }
    throw .unintelligible(detail: "a status without a user")
  }

  func rows(after position: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [ServerRow] {
    let query = Self.page(after: position, limit: limit)
    var request = TrunkAPI.request(.get, base + "/events" + query, token: token)
    request.limits = .large
    return try ServerRow.page(try await answer(request).body, in: "events")
  }

  func identities(after position: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [RowIdentity]
  {
    var request = TrunkAPI.request(.get, base + "/ids" + Self.page(after: position, limit: limit), token: token)
    request.limits = .large
    do throws(ServiceFailure) {
      return try RowIdentity.page(try await answer(request), in: "ids")
    } catch .misconfigured(404, _, _) {
      // Older servers can list only whole events.
      return try await rows(after: position, limit: limit, token: token).map {
        RowIdentity(position: $0.position, clientID: $0.event.identity)
      }
    } catch {
      throw error
    }
  }

  private static func page(after position: Cursor?, limit: Int) -> String {
    guard let position else { return "?limit=\(limit)" }
    // Every id is greater than this one, so all rows at exactly this time are included.
    let id = position.id.isEmpty ? "00000000-0000-0000-0000-000000000000" : position.id
    return "?limit=\(limit)&since=\(position.createdAt.percentEncoded)&after_id=\(id.percentEncoded)"
  }

  func head(token: AccessToken) async throws(ServiceFailure) -> TableHead {
    let response = try await answer(TrunkAPI.request(.get, base + "/status", token: token))
    let json = response.json
    let latest = json?["latestTimestamp"]?.text
    guard let count = json?["eventCount"]?.double.flatMap({ Int(exactly: $0) }),
      (0...TableHead.maxRows).contains(count), (count > 0) == (latest != nil)
    else { throw .unintelligible(detail: "not the state of a table") }
    return TableHead(count: count, latest: latest, serverTime: response.date)
  }

  func insert(_ rows: [OutgoingRow], token: AccessToken) async throws(ServiceFailure) -> [Receipt] {
    guard !rows.isEmpty else { return [] }
    // Duplicates may belong to other users; `find` tells.
    guard let accepted = try await send(rows, token)?["accepted"]?.elements else {
      throw .unintelligible(detail: "not lists of events")
    }
    return accepted.compactMap(\.text).map { Receipt(clientID: $0, id: nil, createdAt: nil) }
  }

  func insertNew(_ row: OutgoingRow, token: AccessToken) async throws(ServiceFailure) -> Receipt? {
    let lists = try await send([row], token)
    func has(_ list: String) -> Bool {
      lists?[list]?.elements?.contains { $0.text?.hasSameBytes(as: row.clientID) == true } ?? false
    }
    if has("accepted") { return Receipt(clientID: row.clientID, id: nil, createdAt: nil) }
    guard has("duplicates") else { throw .unintelligible(detail: "an event in neither list") }
    return nil
  }

  private func send(_ rows: [OutgoingRow], _ token: AccessToken) async throws(ServiceFailure) -> JSON? {
    let events = JSON.object([.init("events", .array(rows.map(TrunkEvents.event)))])
    var request = TrunkAPI.request(.post, base + "/events", events, token: token)
    request.limits = .sending(request.body?.count ?? 0)
    return try await answer(request).json
  }

  /// Fields that an old event doesn't have are left out.
  private static func event(_ row: OutgoingRow) -> JSON {
    guard case .object(let members) = row.json(userID: nil) else { return .null }
    return .object(members.filter { $0.value != .null })
  }

  func find(clientIDs: [String], token: AccessToken) async throws(ServiceFailure) -> [Receipt] {
    var receipts: [Receipt] = []
    for part in QueryList.parts(clientIDs, extra: "&client_id=".utf8.count) {
      receipts += try await find(part, token)
    }
    return receipts
  }

  /// The response contains whole events. If it is too large, the list is requested in halves.
  private func find(_ clientIDs: [String], _ token: AccessToken) async throws(ServiceFailure) -> [Receipt] {
    let query = "?" + clientIDs.map { "client_id=" + $0.percentEncoded }.joined(separator: "&")
    var request = TrunkAPI.request(.get, base + "/events" + query, token: token)
    request.limits = .large
    if clientIDs.count > 1 { request.limits.bodyBytes = Self.answerBytes }
    do throws(ServiceFailure) {
      return try ServerRow.page(try await answer(request).body, in: "events").map {
        Receipt(clientID: $0.event.identity, id: $0.id, createdAt: $0.createdAt)
      }
    } catch .unintelligible(HTTPFailure.tooLarge.rawValue) where clientIDs.count > 1 {
      let middle = clientIDs.count / 2
      return try await find(Array(clientIDs[..<middle]), token) + find(Array(clientIDs[middle...]), token)
    } catch {
      throw error
    }
  }

  func removeAll(token: AccessToken) async throws(ServiceFailure) {
    let request = TrunkAPI.request(.delete, base + "/events?confirm=all", token: token)
    guard try await answer(request).json?["deleted"]?.double != nil else {
      throw .unintelligible(detail: "a removal without a number")
    }
  }

  private func answer(_ request: HTTPRequest) async throws(ServiceFailure) -> HTTPResponse {
    let response = try await client.answer(request)
    guard response.isSuccess else { throw TrunkAPI.failure(response, SupabaseEvents.failure) }
    return response
  }
}

/// Signs in through the plain interface.
final class TrunkAuth: AuthService {
  let client: HTTPClient
  let base: String

  init(client: HTTPClient, server: String) {
    self.client = client
    base = server + "/api/auth/"
  }

  func requestCode(email: String) async throws(SignInFailure) {
    var request = TrunkAPI.request(.post, base + "request-code", .object([.init("email", .string(email))]))
    request.isRepeatable = false
    let response: HTTPResponse
    do throws(ServiceFailure) { response = try await client.answer(request) } catch { throw .service(error) }
    guard response.isSuccess else { throw SupabaseAuth.signInFailure(response) }
    guard response.json?["success"] == .bool(true) else { throw .service(.unintelligible(detail: "no success")) }
  }

  func verify(email: String, code: String) async throws(SignInFailure) -> Grant {
    var request = TrunkAPI.request(
      .post, base + "verify-code", .object([.init("email", .string(email)), .init("code", .string(code))]))
    request.isRepeatable = false
    let response = try await client.signInAnswer(request)
    guard response.isSuccess else { throw SupabaseAuth.signInFailure(response) }
    guard let json = response.json else { throw .service(.unintelligible(detail: "not JSON")) }
    guard let grant = Grant(trunk: json) else { throw .answerLost }
    return grant
  }

  func refresh(_ refreshToken: String) async throws(ServiceFailure) -> Grant {
    let body = JSON.object([.init("refreshToken", .string(refreshToken))])
    let response = try await client.renewalAnswer(TrunkAPI.request(.post, base + "refresh", body))
    guard response.isSuccess else { throw TrunkAPI.failure(response, SupabaseAuth.failure) }
    guard let grant = response.json.flatMap({ Grant(trunk: $0) }) else {
      throw .unintelligible(detail: "not a session")
    }
    return grant
  }

  func signOut(token: AccessToken) async throws(ServiceFailure) {
    let response = try await client.answer(TrunkAPI.request(.post, base + "logout", token: token))
    guard response.status != 204 else { return }
    guard !response.isSuccess else { throw .unintelligible(detail: "a sign-out with status \(response.status)") }
    let failure = TrunkAPI.failure(response, SupabaseAuth.failure)
    if case .sessionEnded = failure { return }
    throw failure
  }
}

extension Grant {
  /// Reads a session from Trunk's server. Missing fields are taken from the token.
  fileprivate init?(trunk json: JSON) {
    guard let accessToken = json["accessToken"]?.text, let refreshToken = json["refreshToken"]?.text else { return nil }
    self.init(
      accessToken: accessToken, refreshToken: refreshToken, userID: json["user"]?["id"]?.text,
      email: json["user"]?["email"]?.text, seconds: json["expiresIn"]?.double, usualSeconds: 900,
      profile: json["user"]?["profile"])
  }
}
