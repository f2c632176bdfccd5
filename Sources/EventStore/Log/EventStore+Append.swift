import TrunkModel

/// The result of appending one event.
public enum AppendOutcome: Sendable, Equatable {
  case inserted(seq: Int64)
  /// The log already has this event, as `seq`.
  case duplicate(of: Int64)
  /// The log had this event in an earlier form, which this one has replaced.
  case replaced(seq: Int64)
  /// The log has another version of this event as `seq`, and keeps it. This version is kept as superseded.
  case conflict(with: Int64)
}

/// Two versions of an event. The log keeps `here`.
public struct EventConflict: Sendable {
  public let here: Event
  public let other: Event
}

/// The result of an append.
public struct AppendResult: Sendable {
  /// One outcome for each event, in the order given.
  public let outcomes: [AppendOutcome]
  /// The events that are new in the log, in the order given.
  public let inserted: [LoggedEvent]
  /// The events that conflict with the log's version, in the order given.
  public let conflicts: [EventConflict]
  /// Whether an event was removed from the log or replaced. Existing projections may contain it, so derive them again
  /// from a checkpoint of the store.
  public let isRewritten: Bool
}

extension EventStore {
  /// Appends events that were created on this device and have to be sent: all of them or none.
  /// - Parameters:
  ///   - undoableUntil: the end of the undo window, before which the events are not sent.
  ///   - draft: the draft from which the events were made. The same transaction removes it, unless its text has
  ///     changed.
  ///   - clears: `LogHead.clears` when the garden was read; `nil` skips the check.
  ///   - position: where the log was read to when the user's rules were checked; `nil` skips the check.
  /// - Throws: `cleared` if the log was cleared since, because its account has signed out; `changed` if anything else
  ///   was written since.
  public func append(
    _ events: [Event], undoableUntil: Instant? = nil, clearing draft: Draft? = nil,
    unlessClearedSince clears: Int64? = nil, unlessChangedSince position: LogPosition? = nil
  ) throws(StoreError) -> AppendResult {
    try write { database in
      try MetaTable(database: database).check(clears: clears)
      if let position, try EventLog(database: database).position() > position { throw StoreError.changed }
      if let draft { try DraftTable(database: database).remove(draft) }
      return try EventLog(database: database).append(events, UploadRecord(undoableUntil: undoableUntil), from: .device)
    }
  }

  /// Removes events during their undo window: all of them or none.
  /// - Parameter draft: the text of the events, which the same transaction saves as a draft again.
  /// - Throws: `undoWindowOver` if the undo window of an event has ended or the event doesn't exist.
  public func undo(clientIDs: [String], now: Instant, restoring draft: Draft? = nil) throws(StoreError) {
    try write { database in
      if let draft { try DraftTable(database: database).restore(draft) }
      let log = EventLog(database: database)
      for clientID in clientIDs {
        guard let row = try log.row(clientID: clientID), row.record.state == .pending,
          let undoableUntil = row.record.undoableUntil, undoableUntil > now
        else { throw StoreError.undoWindowOver(clientID: clientID) }
        try log.remove(row)
      }
    }
  }

  /// Whether all these events are in the log and unsent: no program has undone, sent or replaced any of them.
  public func hasUnsent(clientIDs: [String]) throws(StoreError) -> Bool {
    try read { database in
      let log = EventLog(database: database)
      return try clientIDs.allSatisfy { try log.row(clientID: $0)?.record.state == .pending }
    }
  }
}

extension EventLog {
  /// - Parameter record: for the events that are new.
  func append(_ events: [Event], _ record: UploadRecord, from source: Source) throws -> AppendResult {
    let generation = try generation()
    let formerIDs = FormerIDs(database: database)
    let mayBeKnown = try !formerIDs.isEmpty
    var outcomes: [AppendOutcome] = []
    var inserted: [LoggedEvent] = []
    var conflicts: [EventConflict] = []
    for event in events {
      let event = mayBeKnown ? try formerIDs.current(event) : event
      let outcome = try insert(event, record, from: source)
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
