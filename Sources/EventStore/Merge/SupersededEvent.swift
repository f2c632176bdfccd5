import SQLiteKit
import TrunkModel

/// A version of an event that another version of the same event has replaced, or that was removed from the log.
public struct SupersededEvent: Sendable {
  public let event: Event
  /// The version that is in the log; `nil` if it was removed.
  public let current: Event?
}

extension EventStore {
  /// Returns the superseded versions of events, in the order in which they were superseded. They have no effect on the
  /// garden and are kept so that no text of the user is lost.
  public func superseded() throws(StoreError) -> [SupersededEvent] {
    try read { try EventLog(database: $0).superseded() }
  }

  /// Returns the whole log, the superseded versions, the earlier pages and the marks of hidden entries, as an export
  /// file contains them.
  public func contents() throws(StoreError) -> ExportFile.Contents {
    try read { database in
      let log = EventLog(database: database)
      return ExportFile.Contents(
        events: try log.allInOrder().map(\.event), superseded: try log.superseded().map(\.event),
        journals: try PageTable(database: database).journals(), hidden: try HiddenTable(database: database).marks())
    }
  }
}

extension EventLog {
  /// Stores a version of an event as superseded.
  func supersede(_ event: Event) throws {
    try database.execute(
      "INSERT OR IGNORE INTO superseded (sha256, raw) VALUES (?, ?)", .blob(SHA256().digest(of: event.raw)),
      .text(event.raw))
  }

  /// Returns the events in the tables `superseded` and `displaced` whose content differs from the log's version.
  func superseded() throws -> [SupersededEvent] {
    // A file of an older version that can only be read may not have the table.
    guard try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'superseded'") == 1 else { return [] }
    let events = try database.all(
      """
      SELECT raw FROM (SELECT id, raw FROM superseded UNION ALL SELECT NULL, raw FROM displaced) ORDER BY id IS NULL, id
      """
    ) { try Event(json: $0.text(0)) }
    // The same version may have been stored as different texts, for example by importing an export of this garden.
    var digests: Set<[UInt8]> = []
    let sha256 = SHA256()
    return try events.compactMap { event in
      let current = try current(of: event)
      if let current, current.hasSameContent(as: event) { return nil }
      guard digests.insert(sha256.digest(of: event.canonicalText)).inserted else { return nil }
      return SupersededEvent(event: event, current: current)
    }
  }

  /// The version of an event that the log has.
  func current(of event: Event) throws -> Event? {
    if let clientID = event.clientID, let row = try row(clientID: clientID) { return row.event }
    let key = event.naturalKey
    if let named = try namedSeq(for: key) { return try row(seq: named)?.event }
    return try anonymousRow(for: key)?.event
  }
}

extension Event {
  /// Whether two events are equal except for their `client_id`.
  func hasSameContent(as other: Event) -> Bool { contentText.hasSameBytes(as: other.contentText) }

  /// Its canonical text without the `client_id`.
  var contentText: String {
    guard let members = json.members else { return raw }
    return JSON.object(members.filter { !$0.name.isEqual(to: "client_id") }).canonicalText
  }
}
