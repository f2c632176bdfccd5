import SQLiteKit
import TrunkModel

/// The columns of `events` that are needed to merge, replace or remove an event.
struct StoredRow {
  static let columns = "seq, upload, server_id, server_created_at, held_until, instant, rank, raw"

  let seq: Int64
  let record: UploadRecord
  let instant: Int64?
  let rank: Int64?
  let event: Event

  init(_ row: Row) throws {
    seq = row.integer(0)
    record = UploadRecord(
      state: UploadState(rawValue: row.integer(1)) ?? .pending, serverID: row.optionalText(2),
      serverCreatedAt: row.optionalText(3),
      undoableUntil: row.optionalInteger(4).map { Instant(milliseconds: $0) })
    instant = row.optionalInteger(5)
    rank = row.optionalInteger(6)
    event = try Event(json: row.text(7))
  }
}
