import EventStore
import TestSupport
import Testing
import TrunkModel

@testable import SyncBackends
@testable import SyncEngine

struct RowTests {
  private func rows(_ text: String) throws -> [ServerRow] { try ServerRow.page(Array(text.utf8)) }

  private func row(_ payload: String, columns: String = "") throws -> ServerRow {
    try #require(
      try rows(
        #"[{"id":"1","created_at":"2026-02-09T14:32:08.123456+00:00","type":"leaf_created","client_id":"c-1","#
          + #""client_timestamp":"2026-02-09T14:32:07.000Z"\#(columns),"payload":\#(payload)}]"#
      ).first)
  }

  @Test func aCompleteEventKeepsItsText() throws {
    let payload =
      #"{"type": "leaf_created", "name": "Ü\n😀", "x": 1.50, "leafId": "l", "twigId": "t", "#
      + #""timestamp": "2026-02-09T14:32:08.000Z", "client_id": "c-2"}"#
    let event = try row(payload.replacing("c-2", with: "c-1")).event
    #expect(event.raw == payload.replacing("c-2", with: "c-1"))
    #expect(event.clientID == "c-1" && event.isUnderstood)
  }

  @Test func missingFieldsComeFromTheColumns() throws {
    let event = try row(#"{"name": "n", "leafId": "l", "twigId": "t"}"#).event
    #expect(event.clientID == "c-1" && event.type == "leaf_created" && event.isUnderstood)
    #expect(event.instant?.description == "2026-02-09T14:32:07.000Z")
    #expect(try Event(json: event.raw).clientID == "c-1")
  }

  @Test func theColumnIdentifiesTheRow() throws {
    let payload =
      #"{"type":"leaf_created","name":"n","leafId":"l","twigId":"t","timestamp":"2026-02-09T14:32:08.000Z","#
      + #""client_id":"c-2"}"#
    let event = try row(payload).event
    #expect(event.clientID == "c-1" && event.identity == "c-1" && event.isUnderstood)
    #expect(try Event(json: event.raw).clientID == "c-1")
    #expect(event.instant?.description == "2026-02-09T14:32:08.000Z")
  }

  @Test(arguments: [#""type":null,"#, #""timestamp":null,"#, #""type":null,"timestamp":null,"client_id":null,"#])
  func nullInThePayloadFallsBackToTheColumn(members: String) throws {
    let rest = members.contains("type") ? "" : #""type":"leaf_created","#
    let event = try row(#"{\#(members)\#(rest)"name":"n","leafId":"l","twigId":"t"}"#).event
    #expect(event.clientID == "c-1" && event.type == "leaf_created" && event.isUnderstood)
    #expect(event.instant?.description == "2026-02-09T14:32:07.000Z")
    #expect(try Event(json: event.raw).isUnderstood)
  }

  @Test func anInvalidTextDoesNotBecomeAnEmptyEvent() {
    let row = OutgoingRow(Event(raw: "?", members: [.init("type", .string("x"))])).json(userID: nil)
    #expect(row["payload"] == .null)
  }

  /// Another client can't read a page with a row whose `client_timestamp` is null.
  @Test(arguments: [
    (#"{"type":"x"}"#, ""), (#"{"type":"x","timestamp":null}"#, ""), (#"{"type":"x","timestamp":5}"#, ""),
    (#"{"type":"x","timestamp":"soon"}"#, "soon"),
  ])
  func theClientTimestampIsAlwaysAText(raw: String, timestamp: String) throws {
    let row = OutgoingRow(try Event(json: raw)).json(userID: nil)
    #expect(row["client_timestamp"] == .string(timestamp))
  }

  @Test(arguments: [
    #"{"type":"x","timestamp":"2026-02-09T14:32:07.000Z"}"#, #"{"timestamp":"2026-02-09T14:32:07.000Z"}"#,
    #"{"type":"x"}"#, "{}",
  ])
  func anEventWithoutClientIDIsReadBackUnchanged(raw: String) throws {
    let old = try Event(json: raw)
    let sent = OutgoingRow(old).json(userID: user)
    let members = [JSON.Member("id", .string("1")), .init("created_at", .string("2026-02-09 14:32:08+00"))]
    let columns = try #require(sent.members)
    let text = JSON.array([.object(members + columns)]).compactText
    #expect(try rows(text).first?.event.raw == old.raw)
    #expect(ServerRow(.object(members + columns))?.event.raw == old.raw)
  }

  /// Such a row would become the cursor, with which the server rejects every request.
  @Test(arguments: ["soon", "", "infinity", "2026-02-09T14:32:08Z" + String(repeating: "0", count: 30), "0\u{0}"])
  func aRowWithoutATimeIsNotRead(time: String) throws {
    let row = JSON.object([
      .init("id", .string("1")), .init("created_at", .string(time)), .init("payload", .object([])),
    ])
    #expect(ServerRow(row) == nil)
    #expect(throws: ServiceFailure.self) { try rows("[\(row.compactText)]") }
  }

  @Test(arguments: ["null", "\"text\"", "[1]", "3", "{}"])
  func aPayloadThatIsNotAnEventIsKept(payload: String) throws {
    let row = try row(payload)
    #expect(row.event.clientID == "c-1")
    #expect(!row.event.isUnderstood)
  }

  @Test func theLastOfDuplicateNamesCounts() throws {
    let row = try row("{}", columns: #","id":"2","payload":3"#)
    #expect(row.id == "2")
  }

  @Test func anEmptyPageHasNoRows() throws {
    #expect(try rows("[]").isEmpty)
    #expect(try rows(" [ ] \n").isEmpty)
  }

  /// The garden uses a page's bytes as text without checking them again.
  @Test func aPageThatIsNotUTF8IsRejected() throws {
    let page = Array("[\(SyncBackendsTests.row(1)),\(SyncBackendsTests.row(2))]".utf8)
    #expect(try ServerRow.page(page).count == 2)
    for place in page.indices {
      for wrong: [UInt8] in [[0xFF], [0xC3], [0xE2, 0x82], [0xC0, 0x80], [0xED, 0xA0, 0x80]] {
        var bytes = page
        bytes.insert(contentsOf: wrong, at: place)
        #expect(throws: ServiceFailure.self) { try ServerRow.page(bytes) }
      }
    }
  }

  /// Damaged responses end in rows or a failure; nothing traps.
  @Test func damagedPagesNeverTrap() throws {
    var random = SeededRandom(seed: 20_260_209)
    let page = Array("[\(SyncBackendsTests.row(1)),\(SyncBackendsTests.row(2))]".utf8)
    let error = Array(#"{"code":400,"error_code":"a","msg":"after 3 seconds","error":"x_y"}"#.utf8)
    var (pages, failures) = (0, 0)
    for round in 0..<3000 {
      var bytes = round % 2 == 0 ? page : error
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: [UInt8](repeating: UInt8(ascii: "["), count: 300), at: place)
        case 3: bytes.removeSubrange(place...)
        default: bytes.insert(bytes[bytes.count / 2], at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      if round % 97 == 0 { bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) } }
      if (try? ServerRow.page(bytes)) == nil { failures += 1 } else { pages += 1 }
      let headers = [("retry-after", String(decoding: bytes.prefix(9), as: UTF8.self))]
      for status in [200, 400, 401, 403, 404, 409, 429, 500] {
        let response = HTTPResponse(status: status, headers: headers, body: bytes)
        _ = ErrorBody(response).secondsToWait
        _ = (SupabaseEvents.failure(response), SupabaseAuth.failure(response), SupabaseAuth.signInFailure(response))
        _ = response.json.flatMap { Grant(supabase: $0) }
      }
      _ = TokenClaims(String(decoding: bytes, as: UTF8.self))
    }
    #expect(pages > 100 && failures > 500)
  }
}
