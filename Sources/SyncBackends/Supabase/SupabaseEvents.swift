import EventStore
import Glibc
import SyncEngine
import Synchronization
import TrunkModel

/// The events table through Supabase's REST interface (PostgREST).
final class SupabaseEvents: EventService {
  private let client: HTTPClient
  private let project: SupabaseProject
  /// The columns of the unique constraint that detects duplicates. Tables differ: it covers one column or both.
  private let conflictColumns = Mutex("client_id")

  private static let columns = "id,created_at,type,payload,client_id,client_timestamp"
  private static let receiptColumns = "id,client_id,created_at"
  private static let pageBytes = 16 << 20

  init(client: HTTPClient, project: SupabaseProject) {
    self.client = client
    self.project = project
  }

  func check() async throws(ServiceFailure) {
    let request = HTTPRequest(
      .get, project.server + "/rest/v1/events?select=id&limit=0",
      headers: project.headers(nil) + [("Accept", "application/json")])
    do throws(ServiceFailure) {
      guard String(decoding: try await answer(request).body, as: UTF8.self) == "[]" else {
        throw .unintelligible(detail: "not an empty list")
      }
    } catch .unauthorized {
      // The table exists and rejects anonymous users, as it should.
    }
  }

  func rows(after position: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [ServerRow] {
    let query = Self.page(Self.columns, after: position)
    // If a page is too large, request smaller ones.
    var limit = limit
    while true {
      var request = try request(.get, query + [("limit", String(limit))], token)
      request.limits = .large
      if limit > 1 { request.limits.bodyBytes = Self.pageBytes }
      do throws(ServiceFailure) {
        return try ServerRow.page(try await answer(request).body)
      } catch .unintelligible(HTTPFailure.tooLarge.rawValue) where limit > 1 {
        limit = max(1, limit / 8)
      }
    }
  }

  func identities(after position: Cursor?, limit: Int, token: AccessToken) async throws(ServiceFailure) -> [RowIdentity]
  {
    let query = Self.page(Self.receiptColumns, after: position) + [("limit", String(limit))]
    var request = try request(.get, query, token)
    request.limits = .large
    return try RowIdentity.page(try await answer(request))
  }

  /// The query for a page in the server's order.
  private static func page(_ columns: String, after position: Cursor?) -> [(String, String)] {
    let query = [("select", columns), ("order", "created_at.asc,id.asc")]
    guard let position else { return query }
    let (time, id) = (position.createdAt, position.id)
    if id.isEmpty { return query + [("created_at", "gte." + time)] }
    return query + [("or", "(created_at.gt.\(time),and(created_at.eq.\(time),id.gt.\(id)))")]
  }

  func head(token: AccessToken) async throws(ServiceFailure) -> TableHead {
    let newest = [("select", "created_at"), ("order", "created_at.desc,id.desc"), ("limit", "1")]
    var request = try request(.get, newest, token)
    request.headers.append(("Prefer", "count=exact"))
    let response = try await answer(request)
    // A proxy that responds for the table may return an empty list, but no header with a number.
    let range = response["content-range"]?.split(separator: "/")
    let rows = response.json?.elements
    let latest = rows?.first?["created_at"]?.text
    guard let count = range?.last.flatMap({ Int($0) }), (0...TableHead.maxRows).contains(count), let rows,
      rows.count == min(count, 1), rows.isEmpty || latest != nil
    else { throw .unintelligible(detail: "not the state of a table") }
    return TableHead(count: count, latest: latest, serverTime: response.date)
  }

  func insert(_ rows: [OutgoingRow], token: AccessToken) async throws(ServiceFailure) -> [Receipt] {
    guard !rows.isEmpty else { return [] }
    let list = rows.map { $0.json(userID: token.userID).compactText }.joined(separator: ",")
    let body = Array("[\(list)]".utf8)
    do throws(ServiceFailure) {
      let columns = conflictColumns.withLock { $0 }
      do throws(ServiceFailure) {
        return try await insert(body, conflictColumns: columns, token)
      } catch .misconfigured(_, "42P10", _) {
        let others = columns == "client_id" ? "user_id,client_id" : "client_id"
        let receipts = try await insert(body, conflictColumns: others, token)
        conflictColumns.withLock { $0 = others }
        return receipts
      }
    } catch .rejected(_, "23505", _) where rows.count == 1 {
      return []
    }
  }

  func insertNew(_ row: OutgoingRow, token: AccessToken) async throws(ServiceFailure) -> Receipt? {
    var request = try request(.post, [("select", Self.receiptColumns)], token)
    request.headers += [("Content-Type", "application/json"), ("Prefer", "return=representation")]
    request.body = Array(row.json(userID: token.userID).compactText.utf8)
    do throws(ServiceFailure) {
      let receipts = try Self.receipts(try await answer(request))
      // A proxy may answer with an empty list, but the table stores the row or reports an error.
      guard let receipt = receipts.first(where: { $0.clientID.hasSameBytes(as: row.clientID) }) else {
        throw .unintelligible(detail: "neither the new row nor an error")
      }
      return receipt
    } catch .rejected(_, "23505", _) {
      return nil
    }
  }

  private func insert(
    _ body: [UInt8], conflictColumns: String, _ token: AccessToken
  ) async throws(ServiceFailure) -> [Receipt] {
    let query = [("on_conflict", conflictColumns), ("select", Self.receiptColumns)]
    var request = try request(.post, query, token)
    request.headers += [
      ("Content-Type", "application/json"), ("Prefer", "resolution=ignore-duplicates,return=representation"),
    ]
    request.body = body
    request.limits = .sending(body.count)
    return try Self.receipts(try await answer(request))
  }

  func find(clientIDs: [String], token: AccessToken) async throws(ServiceFailure) -> [Receipt] {
    var receipts: [Receipt] = []
    for part in QueryList.parts(clientIDs.map(Self.quoted), extra: ",".percentEncoded.utf8.count) {
      let query = [("select", Self.receiptColumns), ("client_id", "in.(\(part.joined(separator: ",")))")]
      receipts += try Self.receipts(try await answer(try request(.get, query, token)))
    }
    return receipts
  }

  /// Quotes a value for a PostgREST list. Works on Unicode scalars, because PostgREST recognises a quotation mark even
  /// with an accent on it.
  private static func quoted(_ text: String) -> String {
    var quoted = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }

  func removeAll(token: AccessToken) async throws(ServiceFailure) {
    let response = try await answer(try request(.delete, [], token))
    // Any other success may be a proxy's web page.
    guard response.status == 204 else { throw .unintelligible(detail: "a removal with status \(response.status)") }
  }

  /// Creates a request for the user's own rows.
  private func request(
    _ method: HTTPRequest.Method, _ query: [(String, String)], _ token: AccessToken
  ) throws(ServiceFailure) -> HTTPRequest {
    // Without a user, the table would look empty instead of inaccessible.
    guard TokenClaims(token.text)?.subject == token.userID else { throw .unauthorized(code: "foreign_token") }
    let query = [("user_id", "eq." + token.userID)] + query
    let text = query.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
    return HTTPRequest(
      method, project.server + "/rest/v1/events?" + text,
      headers: project.headers(token) + [("Accept", "application/json")])
  }

  private func answer(_ request: HTTPRequest) async throws(ServiceFailure) -> HTTPResponse {
    let response = try await client.answer(request)
    guard response.isSuccess else { throw Self.failure(response) }
    return response
  }

  private static func receipts(_ response: HTTPResponse) throws(ServiceFailure) -> [Receipt] {
    guard let rows = response.json?.elements else { throw .unintelligible(detail: "not a list of rows") }
    var receipts: [Receipt] = []
    for row in rows {
      guard let id = row["id"]?.text, let clientID = row["client_id"]?.text, let createdAt = row["created_at"]?.text
      else { throw .unintelligible(detail: "a row without its columns") }
      receipts.append(Receipt(clientID: clientID, id: id, createdAt: createdAt))
    }
    return receipts
  }
}

extension SupabaseEvents {
  /// Maps PostgREST's and PostgreSQL's codes to failures.
  static func failure(_ response: HTTPResponse) -> ServiceFailure {
    let error = ErrorBody(response)
    if let failure = response.generalFailure(error) { return failure }
    switch error.code {
    case "40001", "40P01", "57014",
      _ where ["53", "57P", "08"].contains(where: { error.code.hasPrefix($0) }):
      return response.unavailable(error.code)
    case "42P10", "42P01", "42703", "PGRST106", "PGRST107", "PGRST117", "PGRST204", "PGRST205":
      return .misconfigured(response.status, error)
    // The user no longer exists. The next session refresh will report that.
    case "23503": return .unauthorized(code: error.code)
    case "42501" where response.status != 401 && error.message.hasPrefix("permission denied"):
      return .misconfigured(response.status, error)
    default: break
    }
    switch response.status {
    // The servers' clocks differ, usually for some seconds.
    case 401 where strstr(error.message, "issued at future") != nil || strstr(error.message, "not yet valid") != nil:
      return response.unavailable(error.code)
    case 401: return .unauthorized(code: error.code)
    case 404, 405, 406: return .misconfigured(response.status, error)
    case _ where isOfTheTable(error.code): return .rejected(response.status, error)
    // Rejected by a proxy, not by the table.
    case 413, 414: return .tooLarge(status: response.status)
    default: return response.unavailable(error.code)
    }
  }

  /// Whether a code comes from PostgreSQL (five digits and capital letters), PostgREST or Trunk's server.
  private static func isOfTheTable(_ code: String) -> Bool {
    if code.hasPrefix("PGRST") || ["bad_json", "validation_failed", "request_entity_too_large"].contains(code) {
      return true
    }
    return code.utf8.count == 5
      && code.utf8.allSatisfy {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
      }
  }
}
