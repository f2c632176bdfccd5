import SQLiteKit
import TrunkModel

/// The result of a full check of the file.
public struct Verification: Sendable, Equatable {
  /// SQLite's messages about the structure of the file; empty if it is intact.
  public var structure: [String] = []
  /// The numbers of events whose text differs from what was written.
  public var damagedEvents: [Int64] = []
  /// The numbers of events that are missing or wrong in the search index, which can be rebuilt from the log.
  public var searchDifferences: [Int64] = []
  public var events = 0
  public var ignored = 0
  public var pending = 0
  public var rejected = 0
  public var displaced = 0
  public var superseded = 0
  public var drafts = 0
  public var checkpoints = 0

  /// Whether the structure and the text of every event are intact.
  public var isSound: Bool { structure.isEmpty && damagedEvents.isEmpty }
}

extension Verification: CustomStringConvertible {
  /// A short report for logs, in English, without journal text.
  public var description: String {
    var lines = [
      "events: \(events), not understood: \(ignored), unsent: \(pending), quarantined: \(rejected)",
      "duplicates set aside: \(displaced), superseded: \(superseded), drafts: \(drafts), checkpoints: \(checkpoints)",
    ]
    lines.append("structure of the file: " + (structure.isEmpty ? "sound" : structure.joined(separator: "; ")))
    lines.append("texts of events: " + Verification.numbers(damagedEvents))
    lines.append("search index: " + Verification.numbers(searchDifferences))
    return lines.joined(separator: "\n")
  }

  private static func numbers(_ numbers: [Int64]) -> String {
    guard !numbers.isEmpty else { return "sound" }
    let shown = numbers.prefix(20).map(String.init).joined(separator: ", ")
    return "\(numbers.count) wrong: \(shown)" + (numbers.count > 20 ? ", …" : "")
  }
}

extension Verification {
  init(_ database: Database) throws {
    do {
      // `quick_check` misses a third of all damage.
      structure = try database.all("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
      let sha256 = SHA256()
      try database.rows("SELECT seq, sha256, raw FROM events") { row in
        if sha256.digest(of: row.bytes(2)) != row.blob(1) { damagedEvents.append(row.integer(0)) }
        return true
      }
    } catch let error as DatabaseError where error.isDamage {
      structure.append(error.message)
    }
    guard isSound else { return }
    searchDifferences = try SearchIndex(database: database).differences()
    let count = { (sql: String) in Int(try database.integer("SELECT count(*) FROM " + sql)) }
    events = try count("events")
    ignored = try count("events WHERE rank IS NULL")
    pending = try count("events WHERE upload = 0")
    rejected = try count("events WHERE upload = 2")
    displaced = try count("displaced")
    superseded = try EventLog(database: database).superseded().count
    drafts = try count("drafts")
    checkpoints = try count("checkpoints")
  }
}

extension EventStore {
  /// Checks everything: the structure of the file, the text of every event and the search index.
  ///
  /// If the structure or an event is damaged, the next opening repairs what it can.
  public func verify() throws(StoreError) -> Verification {
    let result = try read { try Verification($0) }
    if !result.isSound { GardenFile.markSuspect(folder) }
    return result
  }
}
