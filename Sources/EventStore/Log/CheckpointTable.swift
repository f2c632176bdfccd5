import SQLiteKit
import TrunkModel

/// A projection with the position in the log up to which it is valid.
public struct Checkpoint: Sendable {
  /// The version of the encoding of `state`. Checkpoints of other versions are never loaded.
  public var format: Int
  /// The name of the time zone that defines the days in the state. Checkpoints for other zones are never loaded.
  public var zone: String
  /// The state contains every event with at most this `seq` that the projection ignores or that doesn't come after
  /// `lastKey`.
  public var lastSeq: Int64
  /// The position of the last applied event in the total order.
  public var lastKey: OrderKey
  /// The number of applied events.
  public var eventCount: Int
  /// The encoded projection. It must contain a checksum, because the store does not check it for damage.
  public var state: [UInt8]

  public init(format: Int, zone: String, lastSeq: Int64, lastKey: OrderKey, eventCount: Int, state: [UInt8]) {
    self.format = format
    self.zone = zone
    self.lastSeq = lastSeq
    self.lastKey = lastKey
    self.eventCount = eventCount
    self.state = state
  }
}

/// Stored projections. They only save time, so losing any of them is harmless.
struct CheckpointTable {
  let database: Database

  func save(_ checkpoint: Checkpoint) throws {
    let key = checkpoint.lastKey
    try database.execute(
      "DELETE FROM checkpoints WHERE format <> ? OR zone <> ? OR (last_seq = ? AND event_count = ?)",
      .integer(checkpoint.format), .text(checkpoint.zone), .integer(checkpoint.lastSeq),
      .integer(checkpoint.eventCount))
    try database.execute(
      """
      INSERT INTO checkpoints (format, zone, last_seq, instant, rank, client_id, canonical, event_count, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      .integer(checkpoint.format), .text(checkpoint.zone), .integer(checkpoint.lastSeq),
      .integer(key.instant.milliseconds), .integer(Int64(key.rank)), .text(key.clientID), .text(key.canonicalText),
      .integer(checkpoint.eventCount), .blob(checkpoint.state))
    try thinOut()
  }

  /// Returns the newest intact checkpoint with this format and zone that is still valid: no event that arrived later
  /// comes before its `lastKey`. `damaged` has the IDs of the damaged checkpoints that were tried first.
  func newestUsable<State>(
    format: Int, zone: String, decode: (Checkpoint) -> State?
  ) throws -> (usable: (checkpoint: Checkpoint, state: State)?, damaged: [Int64]) {
    // Selects only the IDs: sorting whole rows would read every state.
    let ids = try database.all(
      """
      SELECT id FROM checkpoints WHERE format = ? AND zone = ? AND NOT EXISTS (
        SELECT 1 FROM events NOT INDEXED WHERE events.seq > checkpoints.last_seq AND events.rank IS NOT NULL
        AND (events.instant, events.rank, coalesce(events.client_id, ''))
          <= (checkpoints.instant, checkpoints.rank, checkpoints.client_id))
      ORDER BY event_count DESC, id DESC
      """, .integer(format), .text(zone)
    ) { $0.integer(0) }
    for (index, id) in ids.enumerated() {
      if let checkpoint = try load(id, format: format, zone: zone), let state = decode(checkpoint) {
        return ((checkpoint, state), Array(ids[..<index]))
      }
    }
    return (nil, ids)
  }

  func remove(ids: [Int64]) throws {
    for id in ids { try database.execute("DELETE FROM checkpoints WHERE id = ?", .integer(id)) }
  }

  /// Removes the checkpoints that contain an event, because it is removed from the log.
  func removeCovering(_ row: StoredRow) throws {
    guard let instant = row.instant, let rank = row.rank else {
      try database.execute("DELETE FROM checkpoints WHERE last_seq >= ?", .integer(row.seq))
      return
    }
    try database.execute(
      "DELETE FROM checkpoints WHERE last_seq >= ? AND (instant, rank, client_id) >= (?, ?, ?)",
      .integer(row.seq), .integer(instant), .integer(rank), .text(row.event.clientID ?? ""))
  }
}

extension CheckpointTable {
  /// - Returns: `nil` if the checkpoint is damaged.
  private func load(_ id: Int64, format: Int, zone: String) throws -> Checkpoint? {
    try database.first(
      """
      SELECT last_seq, instant, rank, client_id, canonical, event_count FROM checkpoints WHERE id = ?
      """, .integer(id)
    ) { row -> Checkpoint? in
      guard let rank = UInt8(exactly: row.integer(2)) else { return nil }
      let key = OrderKey(
        instant: Instant(milliseconds: row.integer(1)), rank: rank, clientID: row.text(3), canonicalText: row.text(4))
      return Checkpoint(
        format: format, zone: zone, lastSeq: row.integer(0), lastKey: key, eventCount: Int(row.integer(5)),
        state: try database.blob("checkpoints", "state", row: id))
    } ?? nil
  }

  /// The upper bounds of the ranges that keep one checkpoint each, as distances behind the newest checkpoint, in
  /// events.
  private static let ranges = [64, 512, 4096, 32_768]

  /// Keeps the newest checkpoint and one older checkpoint per range, at growing distances, because most late events are
  /// only a little late. The oldest of each range stays, so that it can grow into the next range.
  private func thinOut() throws {
    let rows = try database.all("SELECT id, event_count FROM checkpoints ORDER BY event_count DESC, id DESC") {
      (id: $0.integer(0), count: Int($0.integer(1)))
    }
    guard let newest = rows.first else { return }
    var kept: [Int: Int64] = [:]
    for row in rows.dropFirst() {
      kept[CheckpointTable.ranges.firstIndex { newest.count - row.count < $0 } ?? CheckpointTable.ranges.count] = row.id
    }
    let ids = Set(kept.values)
    try remove(ids: rows.dropFirst().map(\.id).filter { !ids.contains($0) })
  }
}

extension EventStore {
  /// Stores a projection without forcing it to the disk: losing it only costs time.
  public func save(_ checkpoint: Checkpoint) throws(StoreError) {
    try write(durably: false) { try CheckpointTable(database: $0).save(checkpoint) }
  }

  /// Returns the newest intact checkpoint with this format and zone that is still valid: no event that arrived later
  /// comes before its `lastKey`.
  /// - Parameter decode: decodes a checkpoint's state, on the store's executor; returns `nil` if it is damaged. Such a
  ///   checkpoint is deleted, and the one before it is tried.
  public func newestCheckpoint<State: Sendable>(
    format: Int, zone: String, decode: @Sendable (Checkpoint) -> State?
  ) throws(StoreError) -> (checkpoint: Checkpoint, state: State)? {
    let (usable, damaged) = try read {
      try CheckpointTable(database: $0).newestUsable(format: format, zone: zone, decode: decode)
    }
    if !damaged.isEmpty, access == .readWrite {
      try write(durably: false) { try CheckpointTable(database: $0).remove(ids: damaged) }
    }
    return usable
  }
}
