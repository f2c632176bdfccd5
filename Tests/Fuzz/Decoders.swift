import Glibc
import SQLiteKit
import SyncBackends
import TrunkKit
import TrunkModel

@testable import EventStore
@testable import SyncBackends
@testable import SyncEngine

/// One decoder for each kind of external text. A broken rule ends the program, and libFuzzer reports the input.
let decoders: [String: @Sendable ([UInt8]) -> Void] = [
  "event": decodeEvents, "export": decodeExport, "failure": decodeFailure, "frames": decodeFrames,
  "messages": decodeMessage, "request": decodeRequest, "rows": decodeRows, "search": search, "token": decodeToken,
]

private let zone = Zone(identifier: "Fuzz", offset: 3600, changes: [(at: 1_700_000_000, offset: 7200)])

/// One event per line: each keeps its text and has a canonical form, and deriving them together or in two parts gives
/// the same garden.
private func decodeEvents(_ bytes: [UInt8]) {
  let lines = bytes.split(separator: UInt8(ascii: "\n")).map { String(decoding: $0, as: UTF8.self) }
  let events = lines.enumerated().compactMap { number, line -> LoggedEvent? in
    guard let event = try? Event(json: line) else { return nil }
    demand(event.raw.hasSameText(as: line), "the text of an event changed")
    let canonical = event.canonicalText
    demand(
      (try? Event(json: canonical))?.canonicalText.hasSameText(as: canonical) == true, "the canonical text isn't stable"
    )
    _ = (event.journalText, event.entityID, event.identity)
    return LoggedEvent(seq: Int64(number), event: event)
  }
  var whole = Projection(Garden(zone: zone))
  let sorted = LoggedEvent.sorted(events)
  whole.advance(sorted)
  let state = whole.garden.checkpoint()
  guard !sorted.isEmpty else { return }
  let middle = Int(bytes[0]) % sorted.count
  var half = Garden(zone: zone)
  half.apply(sorted[..<middle])
  guard var rest = Garden(checkpoint: half.checkpoint(), zones: Zones(zone)) else {
    fatalError("a checkpoint can't be read")
  }
  rest.apply(sorted[middle...])
  demand(rest.checkpoint() == state, "a checkpoint within the log changed the garden")
}

private func decodeExport(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = try? ExportFile.decode(text)
  guard let events = try? ExportFile.decodeEvents(text) else { return }
  let copy = ExportFile.encode(events, exportedAt: Instant(milliseconds: 0))
  guard let again = try? ExportFile.decode(copy) else { fatalError("an export can't be imported") }
  demand(
    again.map(\.canonicalText).sorted() == events.map(\.canonicalText).sorted(), "an export lacks imported events")
}

/// A page of either interface of the server.
private func decodeRows(_ bytes: [UInt8]) {
  for rows in [try? ServerRow.page(bytes), try? ServerRow.page(bytes, in: "events")].compactMap({ $0 }) {
    for row in rows {
      demand((try? Event(json: row.event.raw)) != nil, "the event of a row can't be read again")
      demand(!row.position.isAfter(row.position), "a position is after itself")
      _ = OutgoingRow(row.event).json(userID: "user").compactText
    }
    for (row, next) in zip(rows, rows.dropFirst()) {
      demand(
        !(row.position.isAfter(next.position) && next.position.isAfter(row.position)),
        "two positions are after each other")
    }
  }
}

private func decodeToken(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = TokenClaims(text)
  guard let grant = (try? JSON(text)).flatMap({ Grant(supabase: $0) }) else { return }
  demand(grant.expiresIn >= 0 && !grant.userID.isEmpty, "a session lacks a user or a valid expiry")
}

/// The first byte chooses the status, and the first line is a header.
private func decodeFailure(_ bytes: [UInt8]) {
  let header = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  let body = Array(bytes.drop { $0 != UInt8(ascii: "\n") })
  let status = 200 + Int(bytes.first ?? 0) * 2
  for name in ["retry-after", "proxy-status", "www-authenticate", "x-sb-error-code"] {
    let response = HTTPResponse(status: status, headers: [(name, String(header.dropFirst()))], body: body)
    demand(ErrorBody(response).secondsToWait.map { $0 >= 0 } ?? true, "the time to wait is negative")
    _ = (SupabaseEvents.failure(response), SupabaseAuth.failure(response), SupabaseAuth.signInFailure(response))
    _ = TrunkAPI.failure(response, SupabaseEvents.failure)
  }
}

/// One frame per line, on a live channel.
private func decodeFrames(_ bytes: [UInt8]) {
  var channel = PhoenixChannel(userID: "user")
  _ = channel.join(AccessToken("token", userID: "user"))
  let live = #"["1",null,"realtime:trunk-events","system",{"extension":"postgres_changes","status":"ok"}]"#
  for frame in [live] + bytes.split(separator: UInt8(ascii: "\n")).map({ String(decoding: $0, as: UTF8.self) }) {
    // A failure ends the channel; the fuzzer continues to test more frames.
    _ = try? channel.received(frame)
    _ = try? channel.heartbeat()
  }
}

// libFuzzer has one thread.
nonisolated(unsafe) private let index: SearchIndex = {
  do {
    let database = try GardenFile(folder: makeFolder(), options: ConnectionOptions(), missingFile: .fails).open()
      .database
    let texts = ["Grün und \"blau\"", "one two three", "NEAR AND OR NOT * ^ : col", "日本語 текст"]
    for (number, text) in texts.enumerated() {
      let instant = Instant(milliseconds: Int64(number))
      let event = Event(
        .sproutWatered(.init(sproutID: "s", content: text, prompt: nil)), at: instant,
        clientID: Event.clientID(at: instant, random: 0))
      _ = try EventLog(database: database).insert(event, UploadRecord(), from: .file)
    }
    return SearchIndex(database: database)
  } catch {
    fatalError("no index: \(error)")
  }
}()

/// The text as every kind of search: as typed, parsed in a garden, and as a term of the index.
private func search(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let query = SearchQuery(text, in: Garden(zone: zone), today: Day(number: 20_000))
  let excerpt = Excerpt(of: text, finding: query.textQuery.terms)
  demand(excerpt.marks.allSatisfy { $0.upperBound <= excerpt.text.utf8.count }, "a mark is outside the excerpt")
  do {
    _ = try index.matches(query.textQuery)
    _ = try index.matches(TextQuery([.init(text, isPrefix: true)], excluding: [.init(text)]))
  } catch {
    fatalError("a search failed: \(error)")
  }
}

extension String {
  /// Compares bytes, because Swift considers two spellings of é equal.
  fileprivate func hasSameText(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
