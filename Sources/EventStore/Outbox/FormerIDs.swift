import SQLiteKit
import TrunkModel

/// The table `former_ids`: events of this account whose `client_id` another account of the same server has.
///
/// Some servers want every `client_id` only once among all users. An event that came here from another account, by an
/// export or by the same local garden, is rejected there. It gets a new `client_id`, once. What writes belongs into a
/// transaction of the caller.
struct FormerIDs {
  let database: Database

  var isEmpty: Bool {
    get throws { try database.integer("SELECT EXISTS (SELECT 1 FROM former_ids)") == 0 }
  }

  /// The event as the log has it: with its new `client_id`, if it has got one.
  func current(_ event: Event) throws -> Event {
    let clientID = try database.first(
      "SELECT client_id FROM former_ids WHERE identity = ?", .text(event.identity)
    ) { $0.text(0) }
    return try clientID.map { try event.with(clientID: $0) } ?? event
  }

  /// Whether the event has got its `client_id` in exchange for another one.
  func isSuccessor(_ clientID: String) throws -> Bool {
    try database.integer("SELECT EXISTS (SELECT 1 FROM former_ids WHERE client_id = ?)", .text(clientID)) != 0
  }

  func add(_ identity: String, successor clientID: String) throws {
    try database.execute(
      "INSERT OR REPLACE INTO former_ids (identity, client_id) VALUES (?, ?)", .text(identity), .text(clientID))
  }
}

extension FormerIDs {
  /// Remembers what a copy knows, unless it is known here otherwise.
  func addIfNew(_ identity: String, successor clientID: String) throws {
    try database.execute(
      "INSERT OR IGNORE INTO former_ids (identity, client_id) VALUES (?, ?)", .text(identity), .text(clientID))
  }
}

extension Event {
  /// The same event under another `client_id`.
  package func with(clientID: String) throws -> Event {
    guard case .object(var members) = try JSON(raw) else { return self }
    let member = JSON.Member("client_id", .string(clientID))
    if let index = members.firstIndex(where: { $0.name == member.name }) {
      members[index] = member
    } else {
      members.append(member)
    }
    return Event(raw: JSON.object(members).compactText, members: members)
  }

  /// The `client_id` that this event gets if another account has its own. It depends on nothing else, so all devices of
  /// the account choose the same.
  package func successorID(for userID: String) -> String {
    Event.newClientID(at: instant, for: userID + "\n" + identity)
  }
}

extension EventStore {
  /// The same event under the `client_id` that it gets if another account has its own.
  /// - Returns: `nil` if it has got a new one before: that happens once.
  public func successor(of entry: OutboxEntry, for userID: String) throws(StoreError) -> OutboxEntry? {
    try read { database in
      if try FormerIDs(database: database).isSuccessor(entry.clientID) { return nil }
      return OutboxEntry(seq: entry.seq, event: try entry.event.with(clientID: entry.event.successorID(for: userID)))
    }
  }

  /// Gives an unsent event its new `client_id`, which the server has confirmed, and remembers the old one: what comes
  /// here under it again, from a file or from the local garden, is the same event.
  /// - Parameter landing: the server's row of the successor.
  public func replace(
    _ entry: OutboxEntry, with successor: OutboxEntry, _ landing: Landing
  ) throws(StoreError) {
    try write { database in
      let log = EventLog(database: database)
      try FormerIDs(database: database).add(entry.clientID, successor: successor.clientID)
      // Another program may have been here first.
      guard let row = try log.row(seq: entry.seq), row.event.identity.hasSameBytes(as: entry.clientID) else { return }
      try log.delete(row)
      _ = try log.insert(successor.event, EventLog.Mark(), from: .file)
      guard let seq = try log.row(clientID: successor.clientID)?.seq else { return }
      let outbox = Outbox(database: database, now: Instant(milliseconds: 0))
      try outbox.confirm(OutboxEntry(seq: seq, event: successor.event), landing)
    }
  }
}
