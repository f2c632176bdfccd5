import TrunkModel

/// The result of appending one event.
public enum AppendOutcome: Sendable, Equatable {
  case inserted(seq: Int64)
  /// The log has it already, as `seq`.
  case duplicate(of: Int64)
  /// The log had the same event in a form that gives way to this one.
  case replaced(seq: Int64)
  /// The log has another version of this event as `seq`, and keeps it. This version is kept as superseded.
  case conflict(with: Int64)
}

/// Two versions of one event, of which the log keeps the one that was here.
public struct EventConflict: Sendable {
  public let here: Event
  public let other: Event
}

/// The result of an append.
public struct AppendResult: Sendable {
  /// One for each event, in their order.
  public let outcomes: [AppendOutcome]
  /// The events that are new in the log, with their numbers, in the order in which they were given.
  public let inserted: [LoggedEvent]
  /// The events of which the log keeps another version, in the order in which they were given.
  public let conflicts: [EventConflict]
  /// True if an event left the log or was replaced: what was derived before may hold it, and must be derived again
  /// from a checkpoint of the store.
  public let isRewritten: Bool
}

extension EventStore {
  /// Appends events that were created here, to be sent to the server: all of them or none.
  /// - Parameters:
  ///   - heldUntil: the end of the undo window; until then the events are not sent.
  ///   - draft: a draft that goes with the same transaction, because it became the event. One with other words stays.
  public func append(
    _ events: [Event], heldUntil: Instant? = nil, clearing draft: Draft? = nil
  ) throws(StoreError) -> AppendResult {
    try write { database in
      if let draft { try DraftTable(database: database).remove(draft) }
      return try EventLog(database: database).append(events, EventLog.Mark(heldUntil: heldUntil), from: .device)
    }
  }

  /// Removes events that are in their undo window: all of them or none.
  /// - Parameter draft: what was written in them; it is a draft again with the same transaction.
  /// - Throws: `holdOver` if one is not held any more, or was never there.
  public func removeHeld(
    clientIDs: [String], now: Instant, restoring draft: Draft? = nil
  ) throws(StoreError) {
    try write { database in
      if let draft { try DraftTable(database: database).restore(draft) }
      let log = EventLog(database: database)
      for clientID in clientIDs {
        guard let row = try log.row(clientID: clientID), row.mark.upload == .pending,
          let heldUntil = row.mark.heldUntil, heldUntil > now
        else { throw StoreError.holdOver(clientID: clientID) }
        try log.remove(row)
      }
    }
  }
}

extension EventLog {
  /// - Parameter mark: of each that is new.
  func append(_ events: [Event], _ mark: Mark, from source: Source) throws -> AppendResult {
    let generation = try generation()
    let formerIDs = FormerIDs(database: database)
    let mayBeKnown = try !formerIDs.isEmpty
    var outcomes: [AppendOutcome] = []
    var inserted: [LoggedEvent] = []
    var conflicts: [EventConflict] = []
    for event in events {
      let event = mayBeKnown ? try formerIDs.current(event) : event
      let outcome = try insert(event, mark, from: source)
      outcomes.append(outcome)
      switch outcome {
      case .inserted(let seq): inserted.append(LoggedEvent(seq: seq, event: event))
      case .conflict(let seq):
        if let row = try row(seq: seq) { conflicts.append(EventConflict(here: row.event, other: event)) }
      case .duplicate, .replaced: break
      }
    }
    return AppendResult(
      outcomes: outcomes, inserted: inserted, conflicts: conflicts, isRewritten: try self.generation() != generation)
  }
}
