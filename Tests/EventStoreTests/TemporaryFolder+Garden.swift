import Foundation
import Glibc
import SQLiteKit
import TemporaryFolders
import Testing
import TrunkModel

@testable import EventStore

/// A folder for a garden.
extension TemporaryFolder {
  static func forGarden() throws -> TemporaryFolder { try TemporaryFolder("garden-store").created() }

  var garden: String { path + "/garden" }
  var database: String { garden + "/garden.db" }

  func store() throws -> EventStore {
    try EventStore(folder: garden, options: ConnectionOptions())
  }

  /// Runs SQL over another connection.
  func run(_ sql: String) throws {
    let database = try Database(path: database, mode: .readWrite, busyTimeout: 1000)
    try database.run(sql)
  }

  func mode(_ name: String) throws -> mode_t {
    var status = stat()
    try #require(stat(path + "/" + name, &status) == 0)
    return status.st_mode & 0o777
  }
}

extension Instant {
  static let start = Instant(milliseconds: 1_760_000_000_000)

  func plus(_ seconds: Int64) -> Instant { adding(seconds: seconds) }
}

extension Event {
  /// A watering, `seconds` after `Instant.start`.
  static func water(_ seconds: Int64, _ text: String = "", sprout: String = "sprout-1", id: UInt32? = nil) -> Event {
    let instant = Instant.start.plus(seconds)
    return Event(
      .sproutWatered(.init(sproutID: sprout, content: text, prompt: nil)), at: instant,
      clientID: Event.clientID(at: instant, random: id ?? UInt32(truncatingIfNeeded: seconds)))
  }

  static func json(_ text: String) throws -> Event { try Event(json: text) }
}

extension EventStore {
  /// The events whose texts have all of these words, newest first.
  func find(_ words: String) async throws -> [Int64] {
    let terms = words.split(separator: " ").map { TextQuery.Term(String($0)) }
    return try newest(of: try await matches(TextQuery(terms))?.texts ?? [], limit: 10_000)
  }
}

extension Sequence where Element == LoggedEvent {
  var texts: [String] { map(\.event.raw) }
}

/// A server row. Rows with higher numbers have later times.
func row(_ number: Int, _ event: Event) -> ServerRow {
  let digits = String(number)
  let padded = String(repeating: "0", count: 6 - digits.count) + digits
  return ServerRow(id: "row-\(padded)", createdAt: "2026-02-09T14:32:07.\(padded)+00:00", event: event)
}

func rows(_ range: Range<Int>) -> [ServerRow] { range.map { row($0, .water(Int64($0), "text \($0)")) } }
