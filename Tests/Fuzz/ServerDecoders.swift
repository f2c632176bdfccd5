import Glibc
import NIOCore
import NIOEmbedded
import NIOHTTP1
import SQLiteKit

@testable import TrunkServer

/// A request to the server: its headers, its query of the table, and its rows. Every accepted query is SQL that the
/// database accepts.
func decodeRequest(_ bytes: [UInt8]) {
  guard var request = readRequest(bytes) else { return }
  let end = bytes.indices.first { bytes[$0...].starts(with: "\r\n\r\n".utf8) } ?? bytes.endIndex
  request.body = Array(bytes[end...].dropFirst(4))
  _ = request.isWebSocketHandshake
  let head = request
  let columns = rejecting { () throws(RestError) in try RestQuery(head) }.flatMap { query in
    ask(query)
    return query.bodyColumns
  }
  let body = request.body
  _ = rejecting { () throws(RestError) in try RestBody.rows(body, columns: columns, userID: "user") }
  if let token = request.headers["authorization"] {
    _ = rejecting { () throws(VerifiedToken.Problem) in try VerifiedToken(token, secret: [1, 2, 3], now: .now) }
  }
}

/// Decodes input that may be rejected. The compiler checks that the decoder throws only its own type of error.
private func rejecting<Value, Rejection: Error>(_ decode: () throws(Rejection) -> Value) -> Value? {
  do { return try decode() } catch { return nil }
}

/// Parses the headers of a request like the server's handlers.
private func readRequest(_ bytes: [UInt8]) -> Request? {
  do {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandlers(Listener.handlers())
    defer { _ = try? channel.finish() }
    // After invalid HTTP, the decoder throws, but it has already passed on the valid parts before it.
    _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
    guard case .head(let head)? = try channel.readInbound(as: HTTPServerRequestPart.self) else { return nil }
    return Request(head, client: "127.0.0.1")
  } catch {
    fatalError("no handlers: \(error)")
  }
}

/// A message on a live connection of the server.
func decodeMessage(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  for version in ["1.0.0", "2.0.0"] {
    let framing = RealtimeFrames(version: version)
    guard let message = framing.read(text) else { continue }
    let echo = framing.text(
      join: message.join, reference: message.reference, topic: message.topic, event: message.event,
      payload: message.payload.compactText)
    demand(framing.read(echo) != nil, "the client can't read the server's frame")
  }
  _ = RealtimeFilter(text)
}

private func ask(_ query: RestQuery) {
  let filter = RestFilter.all(query.filters)
  do {
    let condition = query.filters.isEmpty ? "true" : filter.sql
    try database.rows("SELECT id FROM events WHERE \(condition) \(query.order) LIMIT 1", filter.values) { _ in true }
  } catch {
    // The server also reports the error in its response.
    demand("\(error)".contains("too") || "\(error)".contains("depth"), "an accepted query isn't valid SQL: \(error)")
  }
}

// libFuzzer has one thread.
nonisolated(unsafe) private let database: Database = {
  do {
    let path = makeFolder() + "/server.db"
    try PrivateFiles.makeFile(path)
    let database = try Database(path: path, mode: .readWrite, busyTimeout: 0)
    try database.migrate(ServerSchema.migrations)
    return database
  } catch {
    fatalError("no database: \(error)")
  }
}()
