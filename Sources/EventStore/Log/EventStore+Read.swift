import SQLiteKit
import TrunkModel

extension EventStore {
  /// Returns the events that arrived after `seq`, in the order of arrival.
  public func events(afterSeq seq: Int64) throws(StoreError) -> [LoggedEvent] {
    try read { try EventLog(database: $0).events(afterSeq: seq) }
  }

  /// Returns the whole log: ignored events first, then the others in the total order. With a key, returns only the
  /// understood events after it.
  public func events(afterKey key: OrderKey?) throws(StoreError) -> [LoggedEvent] {
    try read { database in
      let log = EventLog(database: database)
      return if let key { try log.events(after: key) } else { try log.allInOrder() }
    }
  }

  /// Returns the events to apply to the state of a checkpoint of this store: the ignored events that arrived later,
  /// then the understood events after its position in the total order.
  public func events(after checkpoint: Checkpoint) throws(StoreError) -> [LoggedEvent] {
    try read { database in
      let log = EventLog(database: database)
      return try log.ignored(afterSeq: checkpoint.lastSeq) + log.events(after: checkpoint.lastKey)
    }
  }

  /// Returns the latest events that the projection uses, newest first.
  /// - Parameters:
  ///   - limit: the maximum number of events.
  ///   - since: only events at this instant or later.
  public func newestEvents(limit: Int, since: Instant? = nil) throws(StoreError) -> [LoggedEvent] {
    try read { try EventLog(database: $0).newest(limit: limit, since: since) }
  }

  /// Returns the events with these `seq`s, in this order, without those that are not in the log.
  public func events(seqs: [Int64]) throws(StoreError) -> [LoggedEvent] {
    try read { try EventLog(database: $0).events(seqs: seqs) }
  }

  /// The instants of all events in a span of time.
  public func instants(in span: Range<Instant>) throws(StoreError) -> Set<Instant> {
    try read { try EventLog(database: $0).instants(in: span) }
  }

  /// The number of events in the log.
  public func count() throws(StoreError) -> Int {
    try read { Int(try $0.integer("SELECT count(*) FROM events")) }
  }

  /// The number of events that the projection ignores.
  public func ignoredCount() throws(StoreError) -> Int {
    try read { Int(try $0.integer("SELECT count(*) FROM events WHERE rank IS NULL")) }
  }

  /// Returns the generation, the last `seq`, the profile and the state of the initial sync.
  public func head() throws(StoreError) -> LogHead {
    try read { try LogHead($0) }
  }
}

extension EventStore {
  /// Reads the head of the log and the events that arrived after `seq`, from one snapshot.
  /// - Parameter generation: the generation of the caller's projection. If the log's differs, no events are returned,
  ///   because everything must be derived again.
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

/// How far a log was read.
public struct LogPosition: Sendable, Comparable {
  public let generation, lastSeq: Int64

  public init(generation: Int64, lastSeq: Int64) { (self.generation, self.lastSeq) = (generation, lastSeq) }

  /// Whether the log has changed between the two.
  public static func < (left: LogPosition, right: LogPosition) -> Bool {
    (left.generation, left.lastSeq) < (right.generation, right.lastSeq)
  }
}

/// The state of a log, without its events, from one snapshot.
public struct LogHead: Sendable, Equatable {
  /// Grows whenever any program removes or replaces an event. Projections from before may contain that event.
  public let generation: Int64
  /// The `seq` of the newest event; 0 if the log is empty.
  public let lastSeq: Int64
  /// See `MetaKey.profile`.
  public let profile: String?
  public let initialSync: InitialSync
  /// How often the log was cleared.
  public let clears: Int64
  /// Grows whenever any program changes the earlier pages.
  public let pageRevision: Int64
  /// The numbers of the events that are hidden on this computer.
  public let hidden: Set<Int64>
  /// The recoveries from damage that no user has seen yet, the oldest first.
  public let recoveries: [Recovery]

  fileprivate init(_ database: Database) throws {
    let (log, meta) = (EventLog(database: database), MetaTable(database: database))
    generation = try log.generation()
    lastSeq = try log.lastSeq()
    profile = try meta.value(.profile)
    initialSync = try meta.initialSync()
    clears = try meta.clearCount()
    pageRevision = try meta.pageRevision()
    hidden = try HiddenTable(database: database).seqs()
    recoveries = try meta.recoveries()
  }
}

/// The state of the first download of an account's garden. A garden without an account stays `pending`.
public enum InitialSync: Sendable, Equatable {
  case pending
  /// Started but not finished: the log has only a part of the server's events.
  case running
  /// Finished: the log has had everything that was on the server.
  case done
}

extension MetaTable {
  fileprivate func initialSync() throws -> InitialSync {
    if try value(.initialSync) != nil { return .running }
    return try value(.serverRowsFormat) == nil ? .pending : .done
  }
}

extension EventLog {
  /// In the order of `seq`.
  func events(afterSeq seq: Int64) throws -> [LoggedEvent] {
    try database.all("SELECT seq, raw FROM events WHERE seq > ? ORDER BY seq", .integer(seq), map: logged)
  }

  /// In the total order; events that the projection ignores come first.
  func allInOrder() throws -> [LoggedEvent] {
    let understood = try database.all(
      "SELECT seq, raw FROM events WHERE rank IS NOT NULL ORDER BY instant, rank, client_id", map: logged)
    return try ignored(afterSeq: 0) + LoggedEvent.sorted(understood)
  }

  /// Events that the projection uses and that come after a key, in the total order.
  func events(after key: OrderKey) throws -> [LoggedEvent] {
    let candidates = try database.all(
      """
      SELECT seq, raw FROM events WHERE rank IS NOT NULL AND instant >= ? ORDER BY instant, rank, client_id
      """, .integer(key.instant.milliseconds), map: logged)
    // The rest of the key only matters for events at exactly the key's instant.
    let later = candidates.filter { logged in
      logged.event.instant != key.instant || logged.event.orderKey.map { $0 > key } ?? false
    }
    return LoggedEvent.sorted(later)
  }

  func instants(in span: Range<Instant>) throws -> Set<Instant> {
    let found = try database.all(
      "SELECT DISTINCT instant FROM events WHERE instant >= ? AND instant < ?",
      .integer(span.lowerBound.milliseconds), .integer(span.upperBound.milliseconds)
    ) { Instant(milliseconds: $0.integer(0)) }
    return Set(found)
  }

  /// Events that the projection ignores, in the order of `seq`.
  func ignored(afterSeq seq: Int64) throws -> [LoggedEvent] {
    try database.all(
      "SELECT seq, raw FROM events WHERE rank IS NULL AND seq > ? ORDER BY seq", .integer(seq), map: logged)
  }

  /// Events that the projection uses, newest first.
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

/// Identifies the content of the log: equal values mean the same events.
public struct LogState: Sendable, Equatable {
  private let generation: Int64
  private let lastSeq: Int64

  init(_ database: Database) throws {
    generation = try EventLog(database: database).generation()
    // Also grows when earlier pages or marks of hidden entries change.
    lastSeq = try database.lastSequence
  }

  /// The stored form, see `MetaKey.lastBackup`.
  var text: String { "\(generation)-\(lastSeq)" }
}

extension EventStore {
  /// Returns the state of the log, to compare with a later one.
  public func state() throws(StoreError) -> LogState { try read { try LogState($0) } }
}
