import SQLiteKit
import TrunkModel

/// The outbox: the events in the table `events` that the server doesn't have. They are pending, rejected, or kept on
/// this computer.
struct Outbox {
  /// The longest undo window, in seconds. A `held_until` further ahead comes from a clock that was set back and doesn't
  /// keep the event from being sent.
  private static let longestUndoWindow: Int64 = 60
  /// The SQL condition that an event is in its undo window; see `bounds`.
  private static let isUndoable = "(held_until > ? AND held_until <= ?)"

  let database: Database

  /// The parameters of `isUndoable`.
  private static func bounds(_ now: Instant) -> (SQLValue, SQLValue) {
    (.integer(now.milliseconds), .integer(now.adding(seconds: Outbox.longestUndoWindow).milliseconds))
  }

  /// Returns the events that may be sent, oldest first. If there are any, returns at least one, however large.
  func sendable(now: Instant, limit: Int, bytes: Int, without others: Set<Int64>) throws -> [OutgoingEvent] {
    let bounds = Outbox.bounds(now)
    var events: [OutgoingEvent] = []
    var size = 0
    try database.rows(
      """
      SELECT seq, raw FROM events WHERE upload = 0 AND upload <> 1 AND NOT coalesce(\(Outbox.isUndoable), FALSE)
      ORDER BY seq LIMIT ?
      """, bounds.0, bounds.1, .integer(limit + others.count)
    ) { row in
      if others.contains(row.integer(0)) { return true }
      size += row.bytes(1).count
      guard events.count < limit, size <= bytes || events.isEmpty else { return false }
      events.append(OutgoingEvent(seq: row.integer(0), content: try Event(json: row.text(1))))
      return true
    }
    return events
  }

  /// The events of the newest unsent action, oldest first, if their undo window isn't over. If the clock was set back,
  /// it lasts longer: until they are sent.
  func undoable(now: Instant) throws -> [Event] {
    try database.all(
      """
      SELECT raw FROM events WHERE upload = 0 AND upload <> 1 AND held_until > ?
        AND held_until = (SELECT held_until FROM events WHERE upload <> 1 ORDER BY seq DESC LIMIT 1)
      ORDER BY seq
      """, .integer(now.milliseconds)
    ) { try Event(json: $0.text(0)) }
  }

  /// - Parameter others: the numbers of pending events that must not be sent for now.
  func figures(now: Instant, without others: Set<Int64>) throws -> SyncFigures {
    let bounds = Outbox.bounds(now)
    var figures = SyncFigures()
    try database.rows(
      """
      SELECT count(*) FILTER (WHERE upload = 0), count(*) FILTER (WHERE upload = 2 AND local_only = 0),
        count(*) FILTER (WHERE upload = 2 AND local_only = 1),
        count(*) FILTER (WHERE upload = 0 AND \(Outbox.isUndoable)),
        min(held_until) FILTER (WHERE upload = 0 AND \(Outbox.isUndoable))
      FROM events WHERE upload <> 1
      """, bounds.0, bounds.1, bounds.0, bounds.1
    ) { row in
      figures.pending = Int(row.integer(0))
      figures.rejected = Int(row.integer(1))
      figures.localOnly = Int(row.integer(2))
      figures.undoable = Int(row.integer(3))
      figures.sendable = figures.pending - figures.undoable
      figures.nextUndoWindowEnd = row.optionalInteger(4).map { Instant(milliseconds: $0) }
      return false
    }
    for seq in others {
      figures.sendable -= Int(
        try database.integer("SELECT count(*) FROM events WHERE seq = ? AND upload = 0", .integer(seq)))
    }
    let meta = MetaTable(database: database)
    figures.latest = try meta.value(.latestConfirmed)
    figures.remoteLoss = try meta.remoteLoss()
    // An unreadable time counts as none: the next sync replaces it.
    figures.lastCheck = try meta.value(.lastCheck).flatMap { Instant($0) }
    return figures
  }

  /// The assignments that put an event back into the outbox, as if it had never been sent.
  static let requeue = """
    upload = 0, local_only = 0, attempts = 0, last_answer = NULL, held_until = NULL, server_id = NULL,
      server_created_at = NULL
    """

  /// Records the receipt for an event that the server has. The row's ID stays unknown if another event has it.
  func confirm(_ event: OutgoingEvent, _ receipt: Receipt) throws {
    let row =
      if let clientID = event.content.clientID {
        try database.integer("SELECT seq FROM events WHERE client_id = ?", .text(clientID))
      } else { event.seq }
    var serverID = receipt.id
    if let id = serverID {
      let holder = try database.integer("SELECT seq FROM events WHERE \(EventLog.hasServerID)", .text(id))
      if holder != 0, holder != row { serverID = nil }
    }
    try database.execute(
      """
      UPDATE events SET upload = 1, held_until = NULL, last_answer = NULL,
        server_id = coalesce(server_id, ?), server_created_at = coalesce(server_created_at, ?) WHERE seq = ?
      """, .text(serverID), .text(receipt.createdAt), .integer(row))
    try MetaTable(database: database).record(latest: receipt.createdAt)
  }
}
