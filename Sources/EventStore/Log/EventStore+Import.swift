import SQLiteKit
import TrunkModel

/// The effect of an import, before or after it.
public struct ImportPreview: Sendable {
  /// Events that the log lacks, including unknown and malformed ones.
  public var new = 0
  /// These events, in the order of the file.
  public var newEvents: [Event] = []
  /// Events that the log has, or that occur more than once in the file.
  public var duplicates = 0
  /// Events with another version in the log or earlier in the file. That other version stays in the log.
  public var conflicts: [EventConflict] = []
  /// Events in the file of a type that this version doesn't know.
  public var unknown = 0
  /// Events in the file of a known type with a required member missing or invalid.
  public var malformed = 0
}

extension ImportPreview {
  /// - Parameter result: the result of appending the events, or of trying to.
  public init(_ events: [Event], _ result: AppendResult) {
    for event in events where !event.isUnderstood {
      if event.isMalformed { malformed += 1 } else { unknown += 1 }
    }
    for outcome in result.outcomes {
      switch outcome {
      case .inserted: new += 1
      case .duplicate, .replaced: duplicates += 1
      case .conflict: break
      }
    }
    newEvents = result.inserted.map(\.event)
    conflicts = result.conflicts
  }

  /// What an import into an empty log would do.
  /// - Throws: `StoreError`.
  public init(intoEmptyLog events: [Event]) throws {
    // Apply the rules of the log itself.
    do {
      let log = try EventLog.inMemory()
      self.init(events, try log.append(events, UploadRecord(), from: .file))
    } catch { throw StoreError(error, path: ":memory:") }
  }
}

extension EventLog {
  /// An empty log that is never written to a file.
  fileprivate static func inMemory() throws -> EventLog {
    let database = try Database(path: ":memory:", mode: .readWrite, busyTimeout: 0)
    try database.migrate(Schema.migrations)
    return EventLog(database: database)
  }
}

extension EventStore {
  /// Imports events from a file, which then have to be sent: all of them or none.
  ///
  /// An import only adds. If the log has another version of an event, that version stays and the file's is kept as
  /// superseded.
  /// - Parameters:
  ///   - superseded: the superseded versions in the file.
  ///   - journals: the earlier pages in the file. Those that are here stay as they are.
  ///   - hidden: the entries that are hidden in the garden of the file. Those that are here stay as they are.
  ///   - drafts: the drafts of the garden that the events come from. Those whose text is here already are left out.
  ///   - clears: as for `append`.
  public func importEvents(
    _ events: [Event], superseded: [Event] = [], journals: [EarlierJournal] = [], hidden: [HiddenMark] = [],
    drafts: [Draft] = [], unlessClearedSince clears: Int64? = nil
  ) throws(StoreError) -> AppendResult {
    try write { database in
      try MetaTable(database: database).check(clears: clears)
      let log = EventLog(database: database)
      let result = try log.append(events, UploadRecord(), from: .file)
      for event in superseded { try log.supersede(event) }
      try PageTable(database: database).add(journals)
      try HiddenTable(database: database).add(hidden, for: result.inserted)
      _ = try DraftSearch(database: database).restore(drafts)
      return result
    }
  }

  /// Returns what `importEvents` would do. Nothing changes.
  public func importPreview(_ events: [Event]) throws(StoreError) -> ImportPreview {
    if access != .readWrite { return try previewInMemory(events) }
    struct Undone: Error {}
    var result: AppendResult?
    do throws(any Error) {
      // Only the log can decide what is a duplicate, so append the events and roll back.
      try database.transaction {
        result = try EventLog(database: database).append(events, UploadRecord(), from: .file)
        throw Undone()
      }
    } catch {
      guard error is Undone else { throw failure(error) }
    }
    return result.map { ImportPreview(events, $0) } ?? ImportPreview()
  }

  /// A garden that can only be read is copied, because only the log can decide what is a duplicate.
  private func previewInMemory(_ events: [Event]) throws(StoreError) -> ImportPreview {
    try read { database in
      let log = try EventLog.inMemory()
      let former = try database.all("SELECT identity, client_id FROM former_ids") { ($0.text(0), $0.text(1)) }
      for (identity, clientID) in former {
        try FormerIDs(database: log.database).addIfNew(identity, successor: clientID)
      }
      for logged in try EventLog(database: database).events(afterSeq: 0) {
        _ = try log.add(logged.event, UploadRecord())
      }
      return ImportPreview(events, try log.append(events, UploadRecord(), from: .file))
    }
  }
}
