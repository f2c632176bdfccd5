import SQLiteKit
import TrunkModel

/// The table `former_ids`: events that got a new `client_id` because another account on the same server uses theirs.
///
/// Some servers require every `client_id` to be unique among all users. They reject an event that came from another
/// account, through an export or because both accounts imported the same local garden. Such an event gets a new
/// `client_id`, but only once. Call writing methods in a transaction.
struct FormerIDs {
  let database: Database

  var isEmpty: Bool {
    get throws { try database.integer("SELECT EXISTS (SELECT 1 FROM former_ids)") == 0 }
  }

  /// Returns the event with its new `client_id` if it got one, otherwise unchanged.
  func current(_ event: Event) throws -> Event {
    try successor(of: event.identity).map { try event.with(clientID: $0) } ?? event
  }

  /// Returns the new `client_id` of the event with this former identity; `nil` if it got none.
  func successor(of identity: String) throws -> String? {
    try database.first("SELECT client_id FROM former_ids WHERE identity = ?", .text(identity)) { $0.text(0) }
  }

  /// Whether this `client_id` was assigned to an event in place of its former one.
  func isSuccessor(_ clientID: String) throws -> Bool {
    try database.integer("SELECT EXISTS (SELECT 1 FROM former_ids WHERE client_id = ?)", .text(clientID)) != 0
  }

  func add(_ identity: String, successor clientID: String) throws {
    try database.execute(
      "INSERT OR REPLACE INTO former_ids (identity, client_id) VALUES (?, ?)", .text(identity), .text(clientID))
  }
}

extension FormerIDs {
  /// Records a new `client_id` found in a copy, unless the garden has one for this identity.
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

  /// Returns the `client_id` that this event gets if another account already uses its present one. It depends only on
  /// the event and the user, so all devices of the account choose the same one.
  package func successorID(for userID: String) -> String {
    Event.newClientID(at: instant, for: userID + "\n" + identity)
  }
}

extension EventStore {
  /// Returns the event with the `client_id` that it gets if another account already uses its present one.
  /// - Returns: `nil` if the event already got a new `client_id`: that happens only once.
  public func successor(of event: OutgoingEvent, for userID: String) throws(StoreError) -> OutgoingEvent? {
    try read { database in
      if try FormerIDs(database: database).isSuccessor(event.clientID) { return nil }
      return OutgoingEvent(
        seq: event.seq, content: try event.content.with(clientID: event.content.successorID(for: userID)))
    }
  }

  /// Gives an unsent event its new `client_id`, which the server has confirmed, and records the former one, so that the
  /// event is recognised if it arrives under it again, from a file or the local garden.
  /// - Parameter receipt: the server's row of the successor.
  public func replace(
    _ event: OutgoingEvent, with successor: OutgoingEvent, _ receipt: Receipt
  ) throws(StoreError) {
    try write { database in
      let log = EventLog(database: database)
      try FormerIDs(database: database).add(event.clientID, successor: successor.clientID)
      // Another program may have replaced it already.
      guard let row = try log.row(seq: event.seq), row.event.identity.hasSameBytes(as: event.clientID) else { return }
      try log.delete(row)
      _ = try log.insert(successor.content, UploadRecord(), from: .file)
      guard let seq = try log.row(clientID: successor.clientID)?.seq else { return }
      let outbox = Outbox(database: database)
      try outbox.confirm(OutgoingEvent(seq: seq, content: successor.content), receipt)
    }
  }
}
