import SQLiteKit
import TrunkModel

/// What the copies of a garden contain and the garden lacks.
public struct CopyComparison: Sendable {
  /// An event in a copy.
  struct Entry {
    let copy: VerifiedCopy
    let seq: Int64
  }

  /// A copy that can't be read, and why.
  public struct Unreadable: Sendable, Equatable {
    public let copy: VerifiedCopy
    public let reason: StoreError

    public init(copy: VerifiedCopy, reason: StoreError) { (self.copy, self.reason) = (copy, reason) }
  }

  /// Each event once, the events of newer copies first.
  var entries: [Entry] = []
  /// Versions of events that the garden lacks: versions superseded in the copies, older versions of missing events, and
  /// other versions of events that the garden has.
  public internal(set) var superseded: [Event] = []
  /// The earlier pages that the garden lacks, those of newer copies first. Several copies may have the same.
  public internal(set) var journals: [EarlierJournal] = []
  /// The number of earlier pages that the garden lacks.
  public internal(set) var pageCount = 0
  /// The newest draft of each key.
  public internal(set) var drafts: [Draft] = []
  /// The entries that are hidden in the copies. A restore hides those that it adds.
  var hidden: [HiddenMark] = []
  /// Copies that were left out.
  public internal(set) var unreadable: [Unreadable] = []
  var formerIDs: [FormerID] = []

  struct FormerID {
    let identity: String
    let clientID: String
  }

  /// The number of events that the garden lacks.
  public var entryCount: Int { entries.count }

  public var isEmpty: Bool { entries.isEmpty && superseded.isEmpty && drafts.isEmpty && journals.isEmpty }

  /// The events that the garden lacks, read from the copies.
  /// - Parameter limit: the maximum number of events.
  public func events(limit: Int = .max) throws(StoreError) -> [Event] {
    var readers: [VerifiedCopy: CopyReader] = [:]
    var events: [Event] = []
    for entry in entries.prefix(limit) {
      let reader: CopyReader
      if let open = readers[entry.copy] { reader = open } else { reader = try CopyReader(entry.copy) }
      readers[entry.copy] = reader
      events.append(try reader.event(seq: entry.seq))
    }
    return events
  }
}

extension EventStore {
  /// Compares copies with this garden by identity, one copy at a time. A copy that can't be read is listed in
  /// `unreadable`.
  ///
  /// A large garden takes seconds, so call it on a separate store. Nothing is written.
  /// - Parameters:
  ///   - copies: newest first. Of several versions of an event, the newest counts and the others are superseded.
  ///   - draftsOf: the copies whose drafts are compared; `nil` for all.
  public func compare(
    with copies: [VerifiedCopy], draftsOf: [VerifiedCopy]? = nil
  ) throws(StoreError) -> CopyComparison {
    try read { database in
      var comparer = try CopyComparer(database, draftsOf: Set(draftsOf ?? copies))
      for copy in copies { comparer.readFormerIDs(copy) }
      for copy in copies { try comparer.compare(copy) }
      return comparer.result
    }
  }
}

/// Compares copies with a garden, within a transaction of the caller.
private struct CopyComparer {
  private(set) var result = CopyComparison()
  private let log: EventLog
  private let drafts: DraftSearch
  private let pages: PageTable
  /// The format, the name of the source and the ID of each missing page that was found.
  private var pageIDs: Set<[ExactID]> = []
  private let sha256 = SHA256()
  /// By the former identity.
  private var formerIDs: [ExactID: String] = [:]
  /// The former identities of each new ID.
  private var identities: [ExactID: [String]] = [:]
  /// The content digests of the missing events that were found, by identity.
  private var found: [ExactID: [UInt8]] = [:]
  /// Digests of the superseded versions that the garden has, and of those found in copies.
  private var superseded: Set<[UInt8]>
  private var places: Set<DraftKey> = []
  private let copiesWithDrafts: Set<VerifiedCopy>

  init(_ database: Database, draftsOf copies: Set<VerifiedCopy>) throws {
    copiesWithDrafts = copies
    log = EventLog(database: database)
    drafts = DraftSearch(database: database)
    pages = PageTable(database: database)
    let texts = try database.all("SELECT raw FROM superseded UNION ALL SELECT raw FROM displaced") { $0.text(0) }
    superseded = Set(try texts.map { [sha256] in sha256.digest(of: try Event(json: $0).canonicalText) })
  }

  /// Call it for newer copies first: they take precedence.
  mutating func readFormerIDs(_ copy: VerifiedCopy) {
    // `compare` records the error if the copy can't be read.
    guard let ids = try? CopyReader(copy).formerIDs() else { return }
    for (identity, clientID) in ids where formerIDs[ExactID(identity)] == nil {
      formerIDs[ExactID(identity)] = clientID
      identities[ExactID(clientID), default: []].append(identity)
      result.formerIDs.append(.init(identity: identity, clientID: clientID))
    }
  }

  mutating func compare(_ copy: VerifiedCopy) throws {
    // Read the whole copy first: a copy that turns out to be damaged must leave no trace in the result.
    guard
      let whole = readable(
        copy,
        { () throws(StoreError) in
          let reader = try CopyReader(copy)
          return (
            reader: reader, entries: try reader.entries(), superseded: try reader.superseded(),
            journals: try reader.journals(), hidden: try reader.hidden(), drafts: try reader.drafts()
          )
        })
    else { return }
    // Skip events whose text is the same in the garden.
    let differing = try whole.entries.filter { try !hasText($0.digest, of: $0.identity) }
    guard
      let events = readable(
        copy,
        { () throws(StoreError) in
          var events: [Event] = []
          for entry in differing { events.append(try whole.reader.event(seq: entry.seq)) }
          return events
        })
    else { return }
    for (entry, event) in zip(differing, events) {
      if let former = try formerIDInGarden(of: entry.identity) {
        try addSuperseded(event.with(clientID: former))
      } else if try isKnown(entry.identity) {
        try addSuperseded(event)
      } else {
        try add(event, .init(copy: copy, seq: entry.seq))
      }
    }
    for event in whole.superseded { try addSuperseded(event) }
    for journal in try pages.missing(whole.journals) { add(journal) }
    result.hidden += whole.hidden
    guard copiesWithDrafts.contains(copy) else { return }
    for draft in whole.drafts where places.insert(draft.key).inserted {
      if try !drafts.has(draft) { result.drafts.append(draft) }
    }
  }

  private mutating func add(_ journal: EarlierJournal) {
    result.journals.append(journal)
    result.pageCount += journal.pages.count { page in
      pageIDs.insert([journal.format, journal.name, page.sourceID].map { ExactID($0) }).inserted
    }
  }

  /// - Returns: `nil` if the copy can't be read; the error is recorded.
  private mutating func readable<Value>(
    _ copy: VerifiedCopy, _ body: () throws(StoreError) -> Value
  ) -> Value? {
    do throws(StoreError) { return try body() } catch {
      result.unreadable.append(.init(copy: copy, reason: error))
      return nil
    }
  }

  private func hasText(_ digest: [UInt8], of identity: String) throws -> Bool {
    try log.database.integer(
      "SELECT EXISTS (SELECT 1 FROM events WHERE client_id = ? AND sha256 = ?)", .text(identity), .blob(digest)) != 0
  }

  /// Whether the garden has the event, under this ID or the new one that replaced it.
  private func isKnown(_ identity: String) throws -> Bool {
    let current = formerIDs[ExactID(identity)] ?? identity
    return try log.database.integer(
      """
      SELECT EXISTS (SELECT 1 FROM events WHERE client_id IN (?1, ?2))
        OR EXISTS (SELECT 1 FROM former_ids WHERE identity = ?1)
      """, .text(identity), .text(current)) != 0
  }

  /// Returns the former ID under which the garden still has the event, because only a copy records the new one.
  private func formerIDInGarden(of clientID: String) throws -> String? {
    if try log.row(clientID: clientID) != nil { return nil }
    return try identities[ExactID(clientID)]?.first { try log.row(clientID: $0) != nil }
  }

  private mutating func add(_ event: Event, _ entry: CopyComparison.Entry) throws {
    // An event without an ID is identified by its content, and the log may have it with an ID.
    if let current = try log.counterpart(of: event) {
      if !current.hasSameContent(as: event) { try addSuperseded(event) }
      return
    }
    let identity = ExactID(formerIDs[ExactID(event.identity)] ?? event.identity)
    let content = sha256.digest(of: event.contentText)
    if let newer = found[identity] {
      if newer != content { try addSuperseded(event) }
      return
    }
    found[identity] = content
    result.entries.append(entry)
  }

  private mutating func addSuperseded(_ event: Event) throws {
    if let current = try log.current(of: event), current.hasSameContent(as: event) { return }
    if found[ExactID(event.identity)] == sha256.digest(of: event.contentText) { return }
    if superseded.insert(sha256.digest(of: event.canonicalText)).inserted { result.superseded.append(event) }
  }
}

extension EventLog {
  /// Returns the log's event with the same natural key, if one of the two events has no `client_id`.
  fileprivate func counterpart(of event: Event) throws -> Event? {
    let key = event.naturalKey
    if event.clientID == nil, let named = try namedSeq(for: key) { return try row(seq: named)?.event }
    return try anonymousRow(for: key)?.event
  }
}
