import SQLiteKit
import TrunkModel

extension EventStore {
  /// Events that came into the log after `seq`, in the order of their arrival.
  public func events(afterSeq seq: Int64) throws(StoreError) -> [LoggedEvent] {
    try read { try EventLog(database: $0).events(afterSeq: seq) }
  }

  /// The whole log in the total order, events that derivation ignores first; with a place, only the understood
  /// events after it.
  public func events(afterKey key: OrderKey?) throws(StoreError) -> [LoggedEvent] {
    try read { database in
      let log = EventLog(database: database)
      return if let key { try log.events(after: key) } else { try log.allInOrder() }
    }
  }

  /// What has to be applied to the state of a checkpoint of this store: understood events after its place in the total
  /// order, and before them ignored ones that arrived later than it.
  public func events(after checkpoint: Checkpoint) throws(StoreError) -> [LoggedEvent] {
    try read { database in
      let log = EventLog(database: database)
      return try log.ignored(afterSeq: checkpoint.lastSeq) + log.events(after: checkpoint.lastKey)
    }
  }

  /// The latest events that derivation understands, the last one first.
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - since: only events at this instant or later.
  public func newestEvents(limit: Int, since: Instant? = nil) throws(StoreError) -> [LoggedEvent] {
    try read { try EventLog(database: $0).newest(limit: limit, since: since) }
  }

  /// The events with these numbers, in this order; numbers that are not in the log are left out.
  public func events(seqs: [Int64]) throws(StoreError) -> [LoggedEvent] {
    try read { try EventLog(database: $0).events(seqs: seqs) }
  }

  /// How many events the log holds.
  public func count() throws(StoreError) -> Int {
    try read { Int(try $0.integer("SELECT count(*) FROM events")) }
  }

  /// How many of them derivation ignores.
  public func ignoredCount() throws(StoreError) -> Int {
    try read { Int(try $0.integer("SELECT count(*) FROM events WHERE rank IS NULL")) }
  }

  /// What has to be known of the log before its events are read.
  public func head() throws(StoreError) -> LogHead {
    try read { try LogHead($0) }
  }
}

extension EventStore {
  /// Reads the head of the log and the events that arrived after `seq`, both from the same moment.
  /// - Parameter generation: the generation that the caller has derived from. If the log has another one, the events are
  ///   left out: everything must be derived again.
  public func news(
    afterSeq seq: Int64, generation: Int64
  ) throws(StoreError) -> (head: LogHead, events: [LoggedEvent]) {
    try read { database in
      let head = try LogHead(database)
      guard head.generation == generation, head.lastSeq > seq else { return (head, []) }
      return (head, try EventLog(database: database).events(afterSeq: seq))
    }
  }
}

/// What has to be known of a log before its events are read, all from one moment.
public struct LogHead: Sendable {
  /// Grows whenever an event leaves the log or another takes its place, also by other programs: what was derived before may
  /// hold it.
  public let generation: Int64
  /// The number of the newest event; 0 in an empty log.
  public let lastSeq: Int64
  /// See `MetaKey.profile`.
  public let profile: String?
  public let initialSync: InitialSync

  fileprivate init(_ database: Database) throws {
    let (log, meta) = (EventLog(database: database), MetaTable(database: database))
    generation = try log.generation()
    lastSeq = try log.lastSeq()
    profile = try meta.value(.profile)
    initialSync = try meta.initialSync()
  }
}

/// How far the first download of an account's garden is. A garden without an account stays `pending`.
public enum InitialSync: Sendable, Equatable {
  case pending
  /// It has begun and not ended: the log is a part of what the server has.
  case running
  /// Everything that the server had was here once.
  case done
}

extension MetaTable {
  fileprivate func initialSync() throws -> InitialSync {
    if try value(.firstSync) != nil { return .running }
    return try value(.cacheVersion) == nil ? .pending : .done
  }
}

extension EventLog {
  /// In the order of `seq`.
  func events(afterSeq seq: Int64) throws -> [LoggedEvent] {
    try database.all("SELECT seq, raw FROM events WHERE seq > ? ORDER BY seq", .integer(seq), map: logged)
  }

  /// In the total order; events that derivation ignores come first.
  func allInOrder() throws -> [LoggedEvent] {
    let understood = try database.all(
      "SELECT seq, raw FROM events WHERE rank IS NOT NULL ORDER BY instant, rank, client_id", map: logged)
    return try ignored(afterSeq: 0) + LoggedEvent.sorted(understood)
  }

  /// Events that derivation understands and that come after a place, in the total order.
  func events(after key: OrderKey) throws -> [LoggedEvent] {
    let candidates = try database.all(
      """
      SELECT seq, raw FROM events WHERE rank IS NOT NULL AND instant >= ? ORDER BY instant, rank, client_id
      """, .integer(key.instant.milliseconds), map: logged)
    // Only at the very instant of the place does the rest of the key matter.
    let later = candidates.filter { logged in
      logged.event.instant != key.instant || logged.event.orderKey.map { $0 > key } ?? false
    }
    return LoggedEvent.sorted(later)
  }

  /// Events that derivation does not understand, in the order of `seq`.
  func ignored(afterSeq seq: Int64) throws -> [LoggedEvent] {
    try database.all(
      "SELECT seq, raw FROM events WHERE rank IS NULL AND seq > ? ORDER BY seq", .integer(seq), map: logged)
  }

  /// Events that derivation understands, the last one first.
  func newest(limit: Int, since: Instant?) throws -> [LoggedEvent] {
    try database.all(
      """
      SELECT seq, raw FROM events WHERE rank IS NOT NULL AND instant >= ?
      ORDER BY instant DESC, rank DESC, client_id DESC LIMIT ?
      """, .integer(since?.milliseconds ?? .min), .integer(Int64(limit)), map: logged)
  }

  func events(seqs: [Int64]) throws -> [LoggedEvent] {
    try seqs.compactMap { seq in
      try database.first("SELECT seq, raw FROM events WHERE seq = ?", .integer(seq), map: logged)
    }
  }

  private func logged(_ row: Row) throws -> LoggedEvent {
    LoggedEvent(seq: row.integer(0), event: try Event(json: row.text(1)))
  }
}

/// Two equal ones mean: the same events.
public struct LogState: Sendable, Equatable {
  private let generation: Int64
  private let lastSeq: Int64

  init(_ database: Database) throws {
    generation = try EventLog(database: database).generation()
    lastSeq = try EventLog(database: database).lastSeq()
  }

  /// As it is kept on the disk.
  var text: String { "\(generation)-\(lastSeq)" }
}

extension EventStore {
  /// What the log holds, to be compared with what it holds later.
  public func state() throws(StoreError) -> LogState { try read { try LogState($0) } }
}
