import EventStore
import SyncEngine
import TrunkModel

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
    let json = response.object
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
    return try await answer(request).object
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
    }
  }

  func removeAll(token: AccessToken) async throws(ServiceFailure) {
    let request = TrunkAPI.request(.delete, base + "/events?confirm=all", token: token)
    guard try await answer(request).object?["deleted"]?.double != nil else {
      throw .unintelligible(detail: "a removal without a number")
    }
  }

  private func answer(_ request: HTTPRequest) async throws(ServiceFailure) -> HTTPResponse {
    let response = try await client.answer(request)
    guard response.isSuccess else { throw TrunkAPI.failure(response, SupabaseEvents.failure) }
    return response
  }
}
