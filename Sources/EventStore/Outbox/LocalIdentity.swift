import SQLiteKit
import TrunkModel

/// The part of an event that is needed to compare it with the server's rows.
public struct LocalIdentity: Sendable {
  public let seq: Int64
  /// The `client_id` under which the server stores the event.
  public let identity: String
  /// The position of the event's row on the server, when last fetched or sent; `nil` if unknown.
  public let position: Cursor?
  public let upload: UploadState
  /// Whether the user keeps the event on this computer only, after the server rejected it.
  public let isLocalOnly: Bool

  /// Returns a digest of the identities in their order, in hexadecimal digits.
  public static func digest(of events: some Sequence<LocalIdentity>) -> String {
    SHA256().digest(of: events.map(\.identity).joined(separator: "\n")).hexadecimal
  }
}

extension EventStore {
  /// All events of the log, in the order of `seq`, without their content.
  public func localIdentities() throws(StoreError) -> [LocalIdentity] {
    try read { database in
      try database.all(
        "SELECT seq, client_id, server_id, server_created_at, upload, iif(client_id IS NULL, raw, ''), local_only FROM events"
          + " ORDER BY seq"
      ) { row in
        let position = row.optionalText(2).flatMap { id in row.optionalText(3).map { Cursor(createdAt: $0, id: id) } }
        return LocalIdentity(
          seq: row.integer(0), identity: try row.optionalText(1) ?? Event(json: row.text(5)).identity,
          position: position,
          upload: UploadState(rawValue: row.integer(4)) ?? .pending, isLocalOnly: row.integer(6) != 0)
      }
    }
  }

  /// Puts these events back into the outbox, even if the server had or rejected them before.
  public func sendAgain(seqs: [Int64]) throws(StoreError) {
    try write { database in
      for seq in seqs { try database.execute("UPDATE events SET \(Outbox.requeue) WHERE seq = ?", .integer(seq)) }
    }
  }

  /// Returns the identities of all events of the log, including the former ones of events that got a new `client_id`.
  public func knownIdentities() throws(StoreError) -> Set<ExactID> {
    var known = Set(try localIdentities().lazy.map { ExactID($0.identity) })
    for former in try read({ try $0.all("SELECT identity FROM former_ids") { $0.text(0) } }) {
      known.insert(ExactID(former))
    }
    return known
  }
}
