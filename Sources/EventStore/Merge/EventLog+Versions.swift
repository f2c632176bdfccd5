import TrunkModel

extension EventLog {
  /// Decides which of two versions of an event stays. The other one is kept as superseded.
  ///
  /// A version from the server that this program understands wins over one that it doesn't, and never the other way
  /// round. Otherwise the server's version wins over a version that only this device has, so that all devices end with
  /// the same log. Of two versions from the server, the one whose canonical text sorts first wins.
  func resolve(
    _ row: StoredRow, _ event: Event, _ record: UploadRecord, from source: Source
  ) throws -> AppendOutcome {
    let (here, other) = (row.event.canonicalText, event.canonicalText)
    let isSame = event.raw == row.event.raw || here.hasSameBytes(as: other)
    var merged = row.record
    if record.state == .confirmed, isSame || source == .server {
      if merged.state != .confirmed || merged.serverID == nil {
        merged.serverID = record.serverID ?? merged.serverID
        merged.serverCreatedAt = record.serverCreatedAt ?? merged.serverCreatedAt
        merged.state = .confirmed
        merged.undoableUntil = nil
      } else {
        try recordMerged(record, into: merged)
      }
    }
    let isWon = !isSame && source == .server && event.mayReplace(row.event)
    guard isWon, !row.record.isFromServer || event.precedesDuplicate(row.event) else {
      if merged != row.record { try confirm(row.seq, merged) }
      if isSame { return .duplicate(of: row.seq) }
      try supersede(event)
      return .conflict(with: row.seq)
    }
    try supersede(row.event)
    try delete(row)
    let seq = try add(event, merged)
    try restoreDisplaced(by: row)
    return .replaced(seq: seq)
  }

  /// Returns the event that the log has for this row if the row now holds another event, otherwise `nil`.
  func replacedEvent(by row: ServerRow) throws -> StoredRow? {
    try database.first(
      """
      SELECT \(StoredRow.columns) FROM events WHERE \(EventLog.hasServerID) AND +client_id IS NOT ?2 AND upload = 1
      """, .text(row.id), .text(row.event.clientID)
    ) { try StoredRow($0) }
  }

  /// Removes an event whose row now holds another event. It is kept as superseded.
  func removeReplaced(_ old: StoredRow) throws {
    try supersede(old.event)
    try remove(old)
    try KnownRows(database: database).invalidateMergedRows()
  }
}

extension Event {
  /// Whether this version of an event may take the place of another one: not if only the other one is understood.
  func mayReplace(_ other: Event) -> Bool { isUnderstood || !other.isUnderstood }
}
