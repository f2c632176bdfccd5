import Garden

/// What an import would do, or did.
public struct ImportPreview: Sendable, Equatable {
  /// Events that the log lacks, the unknown and malformed ones among them included.
  public var new = 0
  /// Events that the log has, or that come more than once.
  public var duplicates = 0
  /// Of all, those of a type that this version does not know.
  public var unknown = 0
  /// Of all, those that lack something their type requires, or have it wrong.
  public var malformed = 0
}

extension ImportPreview {
  /// - Parameter outcomes: what became, or would become, of each event.
  public init(_ events: [Event], outcomes: [AppendOutcome]) {
    self.init(events)
    for outcome in outcomes {
      if case .inserted = outcome { new += 1 } else { duplicates += 1 }
    }
  }

  /// What an import into an empty log would do.
  public init(intoEmptyLog events: [Event]) {
    self.init(events)
    new = events.withoutDuplicates().count
    duplicates = events.count - new
  }

  private init(_ events: [Event]) {
    self.init()
    for event in events where !event.isUnderstood {
      if EventKind.allCases.contains(where: { $0.name == event.type }) { malformed += 1 } else { unknown += 1 }
    }
  }
}

extension GardenStore {
  /// Says what `append` would do with these events; nothing changes.
  public func importPreview(_ events: [Event]) throws(StoreError) -> ImportPreview {
    struct Undone: Error {}
    var outcomes: [AppendOutcome] = []
    do throws(any Error) {
      // The log itself knows best what is a duplicate: it takes them in, and gives them up again.
      try database.transaction {
        outcomes = try append(events, EventLog.Mark()).outcomes
        throw Undone()
      }
    } catch {
      guard error is Undone else { throw failure(error) }
    }
    return ImportPreview(events, outcomes: outcomes)
  }
}
