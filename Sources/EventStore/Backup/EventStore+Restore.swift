/// The result of a restore.
public struct Restored: Sendable, Equatable {
  /// The number of events that are new in the log and have to be sent.
  public var events = 0
  /// The number of superseded versions that were restored. They stay on this computer.
  public var superseded = 0
  public var drafts = 0
  /// The number of earlier pages that were restored. They stay on this computer.
  public var pages = 0

  public init(events: Int = 0, superseded: Int = 0, drafts: Int = 0, pages: Int = 0) {
    (self.events, self.superseded, self.drafts, self.pages) = (events, superseded, drafts, pages)
  }
}

extension EventStore {
  /// Restores everything that a comparison found, in one transaction: events, under their current IDs, to be sent;
  /// superseded versions; drafts; earlier pages. A draft is put in front of newer text with the same key. Safe to
  /// repeat.
  /// - Parameter clears: as for `append`.
  public func restore(
    _ comparison: CopyComparison, unlessClearedSince clears: Int64? = nil
  ) throws(StoreError) -> Restored {
    let events = try comparison.events()
    return try write { database in
      try MetaTable(database: database).check(clears: clears)
      let (log, former) = (EventLog(database: database), FormerIDs(database: database))
      // Former IDs are added before the events, so that each event is restored under its new ID. An event that the
      // garden holds under its former ID keeps that ID.
      for id in comparison.formerIDs where try log.row(clientID: id.identity) == nil {
        try former.addIfNew(id.identity, successor: id.clientID)
      }
      let result = try log.append(events, UploadRecord(), from: .file)
      for event in comparison.superseded { try log.supersede(event) }
      try HiddenTable(database: database).add(comparison.hidden, for: result.inserted)
      return Restored(
        events: result.inserted.count, superseded: comparison.superseded.count + result.conflicts.count,
        drafts: try DraftSearch(database: database).restore(comparison.drafts),
        pages: try PageTable(database: database).add(comparison.journals))
    }
  }
}
