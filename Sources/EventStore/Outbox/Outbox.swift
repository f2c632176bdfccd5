import SQLiteKit
import TrunkModel

/// An unsent event, ready to be sent.
public struct OutboxEntry: Sendable {
  public let seq: Int64
  public let event: Event

  /// The event's `client_id` on the server.
  public var clientID: String { event.identity }
}

/// An event that the server has not acknowledged, for display.
public struct OutboxItem: Sendable, Equatable {
  public enum State: Sendable, Equatable, CaseIterable {
    /// It is sent as soon as possible.
    case waiting
    /// The server rejected it, and the user hasn't decided what to do.
    case rejected
    /// The server rejected it, and the user wants to keep it on this computer only.
    case localOnly
  }

  public let seq: Int64
  public let type: String
  public let instant: Instant?
  /// Length of its text, in bytes.
  public let size: Int
  /// The number of failed attempts.
  public let attempts: Int
  /// The result of the last attempt: a code, and sometimes a colon and the server's message, which may quote the event.
  public let lastAnswer: String?
  public let state: State

  /// The code of `lastAnswer`, which never quotes the event.
  public var lastCode: String? { lastAnswer.map { String($0.prefix { $0 != ":" }) } }
}

/// The upload state of the log, in numbers.
public struct SyncFigures: Sendable, Equatable {
  /// The number of events that the server has not acknowledged, including held ones.
  public var pending = 0
  /// The number of pending events in their undo window.
  public var held = 0
  /// The number of pending events that may be sent now.
  public var sendable = 0
  /// The number of rejected events that the user hasn't decided about.
  public var rejected = 0
  /// The number of rejected events that the user keeps on this computer only.
  public var localOnly = 0
  /// The server has far fewer rows than this computer, and the user hasn't decided about it.
  public var remoteLoss: RemoteLoss?
  /// When a sync last compared this garden with the server, by this computer's clock; `nil` if none has.
  public var lastCheck: Instant?
  /// The server's `created_at` of the newest confirmed event. Texts of one server sort like the times.
  public var latest: String?
  /// When the first undo window ends, so that its event may be sent.
  public var nextHoldEnd: Instant?

  public init() {}
}

/// The outbox: the events in the table `events` that wait to be sent.
struct Outbox {
  /// The longest undo window, in seconds. A `held_until` further ahead comes from a clock that was set back and is
  /// ignored.
  private static let longestHold: Int64 = 60
  private static let isHeld = "(held_until > ? AND held_until <= ?)"

  let database: Database
  let now: Instant

  private var bounds: (SQLValue, SQLValue) {
    (.integer(now.milliseconds), .integer(now.adding(seconds: Outbox.longestHold).milliseconds))
  }

  /// Returns the events that may be sent, oldest first. If there are any, returns at least one, however large.
  func entries(limit: Int, bytes: Int, without others: Set<Int64>) throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    var size = 0
    try database.rows(
      """
      SELECT seq, raw FROM events WHERE upload = 0 AND upload <> 1 AND NOT coalesce(\(Outbox.isHeld), FALSE)
      ORDER BY seq LIMIT ?
      """, bounds.0, bounds.1, .integer(limit + others.count)
    ) { row in
      if others.contains(row.integer(0)) { return true }
      size += row.bytes(1).count
      guard entries.count < limit, size <= bytes || entries.isEmpty else { return false }
      entries.append(OutboxEntry(seq: row.integer(0), event: try Event(json: row.text(1))))
      return true
    }
    return entries
  }

  /// - Parameter others: the numbers of pending events that must not be sent for now.
  func figures(without others: Set<Int64>) throws -> SyncFigures {
    var figures = SyncFigures()
    try database.rows(
      """
      SELECT count(*) FILTER (WHERE upload = 0), count(*) FILTER (WHERE upload = 2 AND local_only = 0),
        count(*) FILTER (WHERE upload = 2 AND local_only = 1),
        count(*) FILTER (WHERE upload = 0 AND \(Outbox.isHeld)),
        min(held_until) FILTER (WHERE upload = 0 AND \(Outbox.isHeld))
      FROM events WHERE upload <> 1
      """, bounds.0, bounds.1, bounds.0, bounds.1
    ) { row in
      figures.pending = Int(row.integer(0))
      figures.rejected = Int(row.integer(1))
      figures.localOnly = Int(row.integer(2))
      figures.held = Int(row.integer(3))
      figures.sendable = figures.pending - figures.held
      figures.nextHoldEnd = row.optionalInteger(4).map { Instant(milliseconds: $0) }
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
  func confirm(_ entry: OutboxEntry, _ receipt: Receipt) throws {
    let row =
      if let clientID = entry.event.clientID {
        try database.integer("SELECT seq FROM events WHERE client_id = ?", .text(clientID))
      } else { entry.seq }
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
    try MetaTable(database: database).note(latest: receipt.createdAt)
  }
}

extension EventStore {
  /// Returns the next batch of events to send, oldest first. Their undo windows end.
  /// - Parameters:
  ///   - limit: the maximum number of events.
  ///   - bytes: the maximum length of their texts together; a single event may be longer.
  ///   - others: the numbers of events to skip.
  public func outbox(
    now: Instant, limit: Int = 500, bytes: Int = 1_000_000, without others: Set<Int64> = []
  ) throws(StoreError) -> [OutboxEntry] {
    let pending = try read { try $0.integer("SELECT count(*) FROM events WHERE upload = 0 AND upload <> 1") }
    guard pending > 0 else { return [] }
    return try write(durably: false) { database in
      let entries = try Outbox(database: database, now: now).entries(limit: limit, bytes: bytes, without: others)
      for entry in entries {
        try database.execute(
          "UPDATE events SET held_until = NULL WHERE seq = ? AND held_until IS NOT NULL", .integer(entry.seq))
      }
      return entries
    }
  }

  /// Ends all undo windows, so that every event can be sent.
  public func endHolds() throws(StoreError) {
    try write { try $0.run("UPDATE events SET held_until = NULL WHERE upload <> 1 AND held_until IS NOT NULL") }
  }

  /// Returns the events that the server has not acknowledged: waiting, then rejected, then local-only, each oldest
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
    try read { try Outbox(database: $0, now: now).figures(without: others) }
  }

  /// The number of server rows that the log knows.
  public func confirmedCount() throws(StoreError) -> Int {
    try read { try KnownRows(database: $0).confirmedCount() }
  }

  /// Records that the server has these events.
  public func confirm(_ landed: [(entry: OutboxEntry, receipt: Receipt)]) throws(StoreError) {
    guard !landed.isEmpty else { return }
    try write { database in
      let outbox = Outbox(database: database, now: Instant(milliseconds: 0))
      for (entry, receipt) in landed { try outbox.confirm(entry, receipt) }
    }
  }

  /// Records a failed attempt to send these events, which stay in the outbox.
  public func noteAttempt(_ entries: [OutboxEntry], answer: String) throws(StoreError) {
    try write(durably: false) { database in
      for entry in entries {
        try database.execute(
          "UPDATE events SET attempts = attempts + 1, last_answer = ? WHERE seq = ? AND upload = 0", .text(answer),
          .integer(entry.seq))
      }
    }
  }

  /// Records that the server rejected this event because of its content. It is kept, and sent again only if the user
  /// asks for it.
  public func quarantine(_ entry: OutboxEntry, answer: String) throws(StoreError) {
    try write { database in
      try database.execute(
        """
        UPDATE events SET upload = 2, local_only = 0, attempts = attempts + 1, last_answer = ?
        WHERE seq = ? AND upload = 0
        """, .text(answer), .integer(entry.seq))
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
  public func keepLocally(_ seqs: [Int64]? = nil) throws(StoreError) -> Int {
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
    case .waiting: "upload = 0"
    case .rejected: "upload = 2 AND local_only = 0"
    case .localOnly: "upload = 2 AND local_only = 1"
    }
  }
}
