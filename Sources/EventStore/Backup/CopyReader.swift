import SQLiteKit
import TrunkModel

/// Reads one copy without changing it.
///
/// Its errors refer to the copy, never to the open garden: `damagedCopy` if the copy is damaged.
final class CopyReader {
  let copy: VerifiedCopy
  private let database: Database
  private let sha256 = SHA256()

  init(_ copy: VerifiedCopy) throws(StoreError) {
    self.copy = copy
    do {
      database = try Database(path: copy.path, mode: .immutable, busyTimeout: 0)
      if try database.integer("PRAGMA user_version") > Schema.migrations.count { throw StoreError.newerVersion }
    } catch {
      throw CopyReader.failure(error, copy)
    }
  }

  func isSound() throws(StoreError) -> Bool { try mapErrors { try Verification(database).isSound } }

  func contentDigest() throws(StoreError) -> ContentDigest { try mapErrors { try ContentDigest(database) } }

  func value(_ key: MetaKey) throws(StoreError) -> String? {
    try mapErrors { try MetaTable(database: database).value(key) }
  }

  /// The number, identity and text digest of each event, in the order of arrival.
  func entries() throws(StoreError) -> [(seq: Int64, identity: String, digest: [UInt8])] {
    try mapErrors {
      try database.all("SELECT seq, client_id, iif(client_id IS NULL, raw, ''), sha256 FROM events ORDER BY seq") {
        ($0.integer(0), try $0.optionalText(1) ?? Event(json: $0.text(2)).identity, $0.blob(3))
      }
    }
  }

  func hasUnreadRows() throws(StoreError) -> Bool { try mapErrors { try KnownRows(database: database).hasUnread() } }

  func event(seq: Int64) throws(StoreError) -> Event {
    try mapErrors {
      let event = try database.first("SELECT sha256, raw FROM events WHERE seq = ?", .integer(seq), map: verified)
      guard let event else { throw StoreError.damagedCopy(path: copy.path) }
      return event
    }
  }

  func events() throws(StoreError) -> [Event] {
    try mapErrors { try database.all("SELECT sha256, raw FROM events ORDER BY seq", map: verified) }
  }

  func superseded() throws(StoreError) -> [Event] {
    try mapErrors { try EventLog(database: database).superseded().map(\.event) }
  }

  /// The earlier pages.
  func journals() throws(StoreError) -> [EarlierJournal] {
    try mapErrors {
      let table = PageTable(database: database)
      guard try table.exists() else { return [] }
      try table.each { if !$0.isSound { throw StoreError.damagedCopy(path: copy.path) } }
      return try table.journals()
    }
  }

  /// The marks of hidden entries.
  func hidden() throws(StoreError) -> [HiddenMark] {
    try mapErrors { try HiddenTable(database: database).marks() }
  }

  /// The former identity and the current `client_id` of each event that got a new one.
  func formerIDs() throws(StoreError) -> [(identity: String, clientID: String)] {
    try mapErrors {
      // A copy of an older version lacks the table.
      guard try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'former_ids'") == 1 else { return [] }
      return try database.all("SELECT identity, client_id FROM former_ids") { ($0.text(0), $0.text(1)) }
    }
  }

  /// The drafts that have text.
  func drafts() throws(StoreError) -> [Draft] {
    try mapErrors {
      var drafts: [Draft] = []
      try DraftTable(database: database).each { if !$0.text.trimmed.isEmpty { drafts.append($0) } }
      return drafts
    }
  }

  private func verified(_ row: Row) throws -> Event {
    guard sha256.digest(of: row.bytes(1)) == row.blob(0) else { throw StoreError.damagedCopy(path: copy.path) }
    return try Event(json: row.text(1))
  }

  private func mapErrors<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do { return try body() } catch { throw CopyReader.failure(error, copy) }
  }

  private static func failure(_ error: any Error, _ copy: VerifiedCopy) -> StoreError {
    // A missing table or column is damage too.
    if let error = error as? DatabaseError, error.isDamage || error.isOfSchema {
      return .damagedCopy(path: copy.path)
    }
    let failure = StoreError(error, path: copy.path)
    if case .damaged(let path) = failure { return .damagedCopy(path: path) }
    return failure
  }
}
