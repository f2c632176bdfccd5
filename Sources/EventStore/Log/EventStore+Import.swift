import SQLiteKit
import TrunkModel

/// What an import would do, or did.
public struct ImportPreview: Sendable {
  /// Events that the log lacks, the unknown and malformed ones among them included.
  public var new = 0
  /// Events that the log has, or that come more than once.
  public var duplicates = 0
  /// Events of which the log has another version, or of which an earlier version comes in the same file. The log keeps
  /// its own.
  public var conflicts: [EventConflict] = []
  /// Of all, those of a type that this version does not know.
  public var unknown = 0
  /// Of all, those that lack something their type requires, or have it wrong.
  public var malformed = 0
}

extension ImportPreview {
  /// - Parameter result: what became, or would become, of each event.
  public init(_ events: [Event], _ result: AppendResult) {
    for event in events where !event.isUnderstood {
      if EventKind.allCases.contains(where: { $0.name == event.type }) { malformed += 1 } else { unknown += 1 }
    }
    for outcome in result.outcomes {
      switch outcome {
      case .inserted: new += 1
      case .duplicate, .replaced: duplicates += 1
      case .conflict: break
      }
    }
    conflicts = result.conflicts
  }

  /// What an import into an empty log would do.
  /// - Throws: `StoreError`.
  public init(intoEmptyLog events: [Event]) throws {
    // The rules of the log itself, in a database in memory.
    let path = ":memory:"
    do {
      let database = try Database(path: path, mode: .readWrite, busyTimeout: 0)
      try database.migrate(Schema.migrations)
      self.init(events, try EventLog(database: database).append(events, EventLog.Mark(), from: .file))
    } catch { throw StoreError(error, path: path) }
  }
}

extension EventStore {
  /// Takes in events of a file, to be sent to the server. All of them or none.
  ///
  /// It only adds. Where the log has another version of an event, that one stays, and the version of the file is kept as
  /// superseded.
  /// - Parameter superseded: what the file keeps as superseded.
  public func importEvents(_ events: [Event], superseded: [Event] = []) throws(StoreError) -> AppendResult {
    try write { database in
      let log = EventLog(database: database)
      let result = try log.append(events, EventLog.Mark(), from: .file)
      for event in superseded { try log.supersede(event) }
      return result
    }
  }

  /// Says what `importEvents` would do; nothing changes.
  public func importPreview(_ events: [Event]) throws(StoreError) -> ImportPreview {
    struct Undone: Error {}
    var result: AppendResult?
    do throws(any Error) {
      // The log itself knows best what is a duplicate: it takes them in, and gives them up again.
      try database.transaction {
        result = try EventLog(database: database).append(events, EventLog.Mark(), from: .file)
        throw Undone()
      }
    } catch {
      guard error is Undone else { throw failure(error) }
    }
    return result.map { ImportPreview(events, $0) } ?? ImportPreview()
  }
}
