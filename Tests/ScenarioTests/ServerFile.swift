import Foundation
import SQLiteKit
import ServerProcess
import TrunkModel

@testable import TrunkServer

/// The server's files, to create rare states quickly: rows with any time and tokens with any expiry.
struct ServerFile: Sendable {
  private let folder: String

  init(_ process: ServerProcess) { folder = process.folder }

  /// The token or the server's secret can't be read.
  private struct Unreadable: Error {}

  private func database() throws -> Database {
    try Database(path: folder + "/" + ServerStore.fileName, mode: .readWrite, busyTimeout: 10_000)
  }

  /// Commits rows whose transactions began at these times, in microseconds since 1970.
  func insert(_ events: [Event], userID: String, at time: (Int) -> Int64) throws {
    let database = try database()
    try database.transaction {
      for (index, event) in events.enumerated() {
        try database.execute(
          "INSERT INTO events (id, user_id, type, payload, client_id, client_timestamp, created_at) "
            + "VALUES (?, ?, ?, ?, ?, ?, ?)",
          .text(RandomUUID.text()), .text(userID), .text(event.type), .text(event.raw), .text(event.clientID),
          .text(event.instant?.description), .integer(time(index)))
      }
    }
  }

  func remove(clientID: String) throws {
    try database().execute("DELETE FROM events WHERE client_id = ?", .text(clientID))
  }

  func clientIDs(userID: String) throws -> [String] {
    try database().all("SELECT client_id FROM events WHERE user_id = ?", .text(userID)) { $0.text(0) }
  }

  /// The newest `created_at` of all rows, in microseconds since 1970.
  func newest() throws -> Int64 { try database().integer("SELECT max(created_at) FROM events") }

  /// Returns the same token with another expiry, in seconds since 1970.
  func token(like text: String, until seconds: Int64) throws -> String {
    let parts = text.split(separator: ".").map(String.init)
    guard parts.count == 3, let bytes = Base64URL.decode(parts[1]),
      case .object(var members) = try JSON(String(decoding: bytes, as: UTF8.self)),
      let secret = FileManager.default.contents(atPath: folder + "/secret").flatMap({
        Base64URL.decode(String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
      })
    else { throw Unreadable() }
    members.removeAll { $0.name.isEqual(to: "exp") }
    members.append(.init("exp", .number(Int(seconds))))
    let signed = parts[0] + "." + Base64URL.encode(JSON.object(members).compactText.utf8)
    return signed + "." + Base64URL.encode(Secrets.hmac(signed, key: secret))
  }
}
