import SQLiteKit
import TrunkModel

/// What restoring brought back.
public struct Restored: Sendable, Equatable {
  /// Events that are new in the log, to be sent.
  public var events = 0
  /// Versions of events that the log has otherwise; they stay on this computer.
  public var superseded = 0
  public var drafts = 0

  public init(events: Int = 0, superseded: Int = 0, drafts: Int = 0) {
    (self.events, self.superseded, self.drafts) = (events, superseded, drafts)
  }
}

extension EventStore {
  /// Brings back what a comparison found, all of it or nothing: events under the ids that they have by now, to be sent,
  /// superseded versions, and drafts in front of what was begun in their place since. Doing it twice changes nothing.
  public func restore(_ comparison: CopyComparison) throws(StoreError) -> Restored {
    let events = try comparison.events()
    return try write { database in
      let (log, former) = (EventLog(database: database), FormerIDs(database: database))
      // First of all, so that an event that got another id comes back under that one.
      for id in comparison.formerIDs { try former.addIfNew(id.identity, successor: id.clientID) }
      let result = try log.append(events, EventLog.Mark(), from: .file)
      for event in comparison.superseded { try log.supersede(event) }
      let search = DraftSearch(database: database)
      let drafts = try comparison.drafts.filter { try !search.has($0) }
      for draft in drafts { try DraftTable(database: database).restore(draft) }
      return Restored(
        events: result.inserted.count, superseded: comparison.superseded.count + result.conflicts.count,
        drafts: drafts.count)
    }
  }
}
