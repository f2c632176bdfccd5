import SQLiteKit
import TrunkModel

// Conditions contain `upload <> 1`, even if another one implies it, so that SQLite uses the partial index
// `events_unsent`.

extension EventStore {
  /// Returns the next batch of events to send, oldest first, and ends their undo windows, so that an event on its way
  /// can't be undone.
  /// - Parameters:
  ///   - limit: the maximum number of events.
  ///   - bytes: the maximum length of their texts together; a single event may be longer.
  ///   - others: the numbers of events to skip.
  public func takeBatch(
    now: Instant, limit: Int = 500, bytes: Int = 1_000_000, without others: Set<Int64> = []
  ) throws(StoreError) -> [OutgoingEvent] {
    let pending = try read { try $0.integer("SELECT count(*) FROM events WHERE upload = 0 AND upload <> 1") }
    guard pending > 0 else { return [] }
    return try write(durably: false) { database in
      let events = try Outbox(database: database).sendable(now: now, limit: limit, bytes: bytes, without: others)
      for event in events {
        try database.execute(
          "UPDATE events SET held_until = NULL WHERE seq = ? AND held_until IS NOT NULL", .integer(event.seq))
      }
      return events
    }
  }

  /// Ends undo windows, so that their events can be sent.
  /// - Parameter instant: ends only windows that would still be open then; `nil` for all.
  public func endUndoWindows(openAt instant: Instant? = nil) throws(StoreError) {
    try write { database in
      try database.execute(
        "UPDATE events SET held_until = NULL WHERE upload <> 1 AND held_until > ?",
        .integer(instant?.milliseconds ?? .min))
    }
  }

  /// The events of the newest unsent action, oldest first, if they are in their undo window; otherwise none.
  ///
  /// The events of one action share the end of their window.
  public func undoableEvents(now: Instant) throws(StoreError) -> [Event] {
    try read { try Outbox(database: $0).undoable(now: now) }
  }

  /// Returns the events that the server has not acknowledged: pending, then rejected, then local-only, each oldest
  /// first.
  /// - Parameter limit: the maximum number of each; `nil` for all.
  public func outboxItems(limit: Int? = nil) throws(StoreError) -> [OutboxItem] {
    try read { database in
      try OutboxItem.State.allCases.flatMap { state in
        try database.all(
          """
          SELECT seq, type, instant, length(CAST(raw AS BLOB)), attempts, last_answer FROM events
          WHERE \(state.condition) AND upload <> 1 ORDER BY seq LIMIT ?
          """, .integer(limit ?? .max)
        ) { row in
          OutboxItem(
            seq: row.integer(0), type: row.text(1),
            instant: row.optionalInteger(2).map { Instant(milliseconds: $0) }, size: Int(row.integer(3)),
            attempts: Int(row.integer(4)), lastAnswer: row.optionalText(5), state: state)
        }
      }
    }
  }

  /// - Parameter others: the numbers of pending events that must not be sent for now.
  public func syncFigures(now: Instant, without others: Set<Int64> = []) throws(StoreError) -> SyncFigures {
    try read { try Outbox(database: $0).figures(now: now, without: others) }
  }

  /// The number of server rows that the log knows.
  public func confirmedCount() throws(StoreError) -> Int {
    try read { try KnownRows(database: $0).confirmedCount() }
  }

  /// Records that the server has these events.
  public func confirm(_ confirmed: [(event: OutgoingEvent, receipt: Receipt)]) throws(StoreError) {
    guard !confirmed.isEmpty else { return }
    try write { database in
      let outbox = Outbox(database: database)
      for (event, receipt) in confirmed { try outbox.confirm(event, receipt) }
    }
  }

  /// Records a failed attempt to send these events, which stay in the outbox.
  public func recordAttempt(_ events: [OutgoingEvent], answer: String) throws(StoreError) {
    try write(durably: false) { database in
      for event in events {
        try database.execute(
          "UPDATE events SET attempts = attempts + 1, last_answer = ? WHERE seq = ? AND upload = 0", .text(answer),
          .integer(event.seq))
      }
    }
  }

  /// Records that the server rejected this event because of its content. It is kept, and sent again only if the user
  /// asks for it.
  public func reject(_ event: OutgoingEvent, answer: String) throws(StoreError) {
    try write { database in
      try database.execute(
        """
        UPDATE events SET upload = 2, local_only = 0, attempts = attempts + 1, last_answer = ?
        WHERE seq = ? AND upload = 0
        """, .text(answer), .integer(event.seq))
    }
  }

  /// Sends rejected events again with the next sync.
  /// - Parameter seqs: only these events, including local-only ones; `nil` for all that the user hasn't decided about.
  /// - Returns: the number of changed events.
  @discardableResult
  public func requeue(_ seqs: [Int64]? = nil) throws(StoreError) -> Int {
    try changeRejected(seqs, Outbox.requeue)
  }

  /// Keeps rejected events on this computer only, until `requeue` names them.
  /// - Parameter seqs: only these events; `nil` for all that the user hasn't decided about.
  /// - Returns: the number of changed events.
  @discardableResult
  public func keepLocalOnly(_ seqs: [Int64]? = nil) throws(StoreError) -> Int {
    try changeRejected(seqs, "local_only = 1")
  }

  private func changeRejected(_ seqs: [Int64]?, _ assignments: String) throws(StoreError) -> Int {
    try write { database in
      guard let seqs else {
        try database.execute("UPDATE events SET \(assignments) WHERE upload = 2 AND upload <> 1 AND local_only = 0")
        return database.changes
      }
      return try seqs.reduce(0) { count, seq in
        try database.execute("UPDATE events SET \(assignments) WHERE upload = 2 AND seq = ?", .integer(seq))
        return count + database.changes
      }
    }
  }
}

extension OutboxItem.State {
  /// The condition on `events`.
  fileprivate var condition: String {
    switch self {
    case .pending: "upload = 0"
    case .rejected: "upload = 2 AND local_only = 0"
    case .localOnly: "upload = 2 AND local_only = 1"
    }
  }
}
