import EventStore
import FaultServer
import Foundation
import Synchronization
import Testing
import TrunkModel

@testable import SyncBackends
@testable import SyncEngine

@Suite struct SupabaseEventsTests {
  @Test func requestsAPageAfterAPosition() async throws {
    let project = Project(200, "[\(row(1)),\n \(row(2))]")
    let first = try await project.events.rows(after: nil, limit: 1000, token: access)
    #expect(first.map(\.id).map { $0.suffix(1) } == ["1", "2"])
    #expect(first[0].createdAt == "2026-02-09T14:32:07.123456+00:00")
    #expect(first[0].event.clientID == "2026-02-09T14:32:07.000Z-10000001")
    _ = try await project.events.rows(after: first[1].position, limit: 7, token: access)
    _ = try await project.events.rows(
      after: Cursor(createdAt: "2026-02-09T14:27:07Z", id: ""), limit: 7, token: access)

    let requests = project.server.requests
    for request in requests {
      #expect(request.method == "GET" && request.path == "/rest/v1/events")
      #expect(request.headers["apikey"] == "publishable")
      #expect(request.headers["authorization"] == "Bearer " + access.text)
      #expect(request.query("user_id") == "eq." + user)
      #expect(request.query("order") == "created_at.asc,id.asc")
      #expect(request.query("select") == "id,created_at,type,payload,client_id,client_timestamp")
      #expect(!request.target.contains("+"))
    }
    #expect(requests[0].query("limit") == "1000" && requests[0].query("or") == nil)
    let (time, id) = (first[1].createdAt, first[1].id)
    #expect(requests[1].query("or") == "(created_at.gt.\(time),and(created_at.eq.\(time),id.gt.\(id)))")
    #expect(requests[2].query("created_at") == "gte.2026-02-09T14:27:07Z" && requests[2].query("or") == nil)
  }

  @Test func aForeignTokenIsNeverSent() async throws {
    let project = Project(200, "[]")
    for text in [token(subject: nil), token(subject: "another user"), "sb_publishable_abc", ""] {
      let token = AccessToken(text, userID: user)
      #expect(
        await failure { () throws(ServiceFailure) in
          try await project.events.rows(after: nil, limit: 10, token: token)
        } == .unauthorized(code: "foreign_token"))
      #expect(
        await failure { () throws(ServiceFailure) in try await project.events.removeAll(token: token) }
          == .unauthorized(code: "foreign_token"))
    }
    #expect(project.server.connectionCount == 0)
  }

  @Test(arguments: [
    "", " ", "{}", "null", "[1]", "[{}]", "[\(row(1))", "[\(row(1))]x", "<!doctype html><title>Sign in</title>",
    #"[{"id":"a","created_at":null,"payload":{}}]"#, #"[{"id":"a","created_at":"b"}]"#, "[\(row(1)),]",
  ])
  func anInvalidPageIsNotAnEmptyPage(body: String) async {
    let project = Project(200, body)
    let result = await failure { () throws(ServiceFailure) in
      try await project.events.rows(after: nil, limit: 10, token: access)
    }
    guard case .unintelligible = result else {
      Issue.record("\(body): \(String(describing: result))")
      return
    }
  }

  @Test func aPageThatIsTooLargeIsRequestedInParts() async throws {
    let project = Project { request, connection in
      let limit = request.query("limit").flatMap { Int($0) } ?? 0
      let padding = String(repeating: " ", count: limit > 100 ? 17 << 20 : 0)
      connection.json("[\(row(limit))\(padding)]")
    }
    let rows = try await project.events.rows(after: nil, limit: 1000, token: access)
    #expect(rows.count == 1)
    #expect(project.server.requests.map { $0.query("limit") } == ["1000", "125", "15"])
  }

  @Test func readsTheStateOfTheTable() async throws {
    let time = "2026-02-09T14:32:07.123456+00:00"
    let newest = "[{\"created_at\":\"\(time)\"}]"
    for (status, range, body, count, latest) in [(206, "0-0/573", newest, 573, time), (200, "*/0", "[]", 0, nil)] {
      let headers = ["Content-Range": range, "Date": "Mon, 09 Feb 2026 14:33:00 GMT"]
      let project = Project(status, body, headers)
      let head = try await project.events.head(token: access)
      #expect(head == TableHead(count: count, latest: latest, serverTime: Instant("2026-02-09T14:33:00Z")))
      let request = project.server.requests[0]
      #expect(request.headers["prefer"] == "count=exact" && request.query("user_id") == "eq." + user)
      #expect(request.query("order") == "created_at.desc,id.desc" && request.query("limit") == "1")
    }
  }

  /// A proxy that answers everything with an empty list must not look like an empty table.
  @Test(arguments: [
    ("[]", ""), ("{}", ""), ("[]", "*/*"), ("[]", "0-24"), ("[]", "0-24/-3"), ("[]", "0-24/99999999999999999999"),
    (#"[{"created_at":"t"}]"#, "0-0/9223372036854775807"), (#"[{"created_at":"t"}]"#, "0-0/9007199254740993"),
    ("[]", "*/5"), ("{}", "*/0"), (#"[{"created_at":null}]"#, "0-0/1"), (#"[{"created_at":"t"}]"#, "*/0"), ("", "*/0"),
  ])
  func aResponseWithoutATableIsUnintelligible(body: String, range: String) async {
    let project = Project(200, body, range.isEmpty ? [:] : ["Content-Range": range])
    let result = await failure { () throws(ServiceFailure) in try await project.events.head(token: access).count }
    #expect(result == .unintelligible(detail: "not the state of a table"))
  }

  private static let planted = OutgoingRow(
    Event(
      .leafCreated(.init(leafID: "leaf", twigID: "twig", name: "Ärger \"+\"")),
      at: Instant(milliseconds: 1_770_647_527_000), clientID: "2026-02-09T14:32:07.000Z-deadbeef"))
  private static let receipt = #"[{"id":"1","client_id":"2026-02-09T14:32:07.000Z-deadbeef","created_at":"t"}]"#

  @Test func insertsRows() async throws {
    let project = Project(201, Self.receipt)
    let receipts = try await project.events.insert([Self.planted, Self.planted], token: access)
    #expect(receipts == [Receipt(clientID: Self.planted.clientID, id: "1", createdAt: "t")])
    let request = try #require(project.server.requests.first)
    #expect(request.method == "POST" && request.query("on_conflict") == "client_id")
    #expect(request.query("select") == "id,client_id,created_at")
    #expect(request.headers["prefer"] == "resolution=ignore-duplicates,return=representation")
    #expect(request.headers["content-type"] == "application/json")
    let rows = try #require(try JSON(request.text).elements)
    #expect(rows.count == 2)
    #expect(rows[0]["user_id"]?.text == user && rows[0]["payload"]?["name"]?.text == "Ärger \"+\"")
    #expect(try await project.events.insert([], token: access).isEmpty)
    #expect(project.server.requests.count == 1)
  }

  @Test func detectsAndRemembersTheOtherConstraint() async throws {
    let project = Project { request, connection in
      if request.query("on_conflict") == "client_id" {
        connection.json(#"{"code":"42P10","message":"no such constraint","details":null,"hint":null}"#, status: 400)
      } else {
        connection.json(Self.receipt, status: 201)
      }
    }
    for _ in 0..<2 { #expect(try await project.events.insert([Self.planted], token: access).count == 1) }
    #expect(
      project.server.requests.map { $0.query("on_conflict") } == [
        "client_id", "user_id,client_id", "user_id,client_id",
      ])

    let none = Project(400, #"{"code":"42P10","message":"no such constraint"}"#)
    let result = await failure { () throws(ServiceFailure) in
      try await none.events.insert([Self.planted], token: access)
    }
    #expect(result == .misconfigured(status: 400, code: "42P10", message: "no such constraint"))
    #expect(none.server.requests.count == 2)
  }

  @Test func aSingleDuplicateIsNotAFailure() async throws {
    let project = Project(409, #"{"code":"23505","message":"duplicate key","details":null}"#)
    #expect(try await project.events.insert([Self.planted], token: access).isEmpty)
    let result = await failure { () throws(ServiceFailure) in
      try await project.events.insert([Self.planted, Self.planted], token: access)
    }
    #expect(result == .rejected(status: 409, code: "23505", message: "duplicate key"))
  }

  @Test func aRowThatMustBeNewIsSentWithoutSkipping() async throws {
    let project = Project(201, Self.receipt)
    let receipt = try await project.events.insertNew(Self.planted, token: access)
    #expect(receipt == Receipt(clientID: Self.planted.clientID, id: "1", createdAt: "t"))
    let request = try #require(project.server.requests.first)
    #expect(request.query("on_conflict") == nil && request.headers["prefer"] == "return=representation")
    #expect(try JSON(request.text)["user_id"]?.text == user)
    let taken = Project(409, #"{"code":"23505","message":"duplicate key","details":null}"#)
    #expect(try await taken.events.insertNew(Self.planted, token: access) == nil)
    let proxy = Project(200, "[]", ["Content-Range": "*/0"])
    let result = await failure { () throws(ServiceFailure) in
      try await proxy.events.insertNew(Self.planted, token: access)?.clientID
    }
    #expect(result == .unintelligible(detail: "neither the new row nor an error"))
  }

  @Test func findsByQuotedNames() async throws {
    let project = Project(200, Self.receipt)
    let names = ["a,b", "c\"d\\e", "f)g+h"]
    #expect(try await project.events.find(clientIDs: names, token: access).count == 1)
    #expect(project.server.requests[0].query("client_id") == #"in.("a,b","c\"d\\e","f)g+h")"#)
    // Ids that don't fit into one URL.
    let long = (0..<100).map { String(repeating: "ü", count: 100) + String($0) }
    #expect(try await project.events.find(clientIDs: long, token: access).count > 1)
    #expect(project.server.requests.allSatisfy { $0.target.utf8.count < 8000 })
    #expect(try await project.events.find(clientIDs: [], token: access).isEmpty)
  }

  @Test func removesTheUsersRows() async {
    let project = Project { request, connection in connection.answer(204) }
    #expect(await failure { () throws(ServiceFailure) in try await project.events.removeAll(token: access) } == nil)
    #expect(project.server.requests[0].method == "DELETE")
    #expect(project.server.requests[0].query("user_id") == "eq." + user)
    let portal = Project(200, "<html>Sign in to the hotel</html>")
    #expect(
      await failure { () throws(ServiceFailure) in try await portal.events.removeAll(token: access) }
        == .unintelligible(detail: "a removal with status 200"))
  }
}
