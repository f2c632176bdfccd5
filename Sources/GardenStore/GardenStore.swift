import Garden
import Glibc
import Storage

/// The durable log of one account's garden: one folder with one SQLite file.
///
/// When a call that writes returns, what it wrote is on the disk and survives a crash and a power failure. When it
/// throws, nothing has changed. Several stores and several processes may use one folder at a time.
public actor GardenStore {
  public enum Access: Sendable, Equatable {
    case readWrite
    case readOnly(Reason)

    public enum Reason: Sendable, Equatable {
      /// The file was written by a newer version of this program.
      case newerVersion
      /// The file or its folder can't be written.
      case notWritable
    }
  }

  public nonisolated let folder: String
  public nonisolated let access: Access
  /// What was saved of a damaged file when this store was opened; `nil` if there was no damage.
  public nonisolated let recovery: Recovery?
  let database: Database
  nonisolated let executor = QueueExecutor(label: "garden-store")
  /// Held as long as the file is open.
  private let lock: FolderLock?
  private var foreignWrites: ForeignWrites?
  private var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
  private var listenerCount = 0
  private var dataVersion: Int64 = 0

  public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Opens the store in `folder`, which is made if it is missing.
  ///
  /// A damaged file is set aside, and a new one is made from what can be read of it and from the newest backup (see
  /// `recovery`). A file that can't be written, or that is from a newer version of the program, can be read (see
  /// `access`). It does not block the caller's actor.
  public static func open(folder: String) async throws(StoreError) -> GardenStore {
    try GardenStore(folder: folder, connecting: Connecting())
  }

  init(folder: String, connecting: Connecting) throws(StoreError) {
    let opened = try Opening(folder: folder, connecting: connecting).open()
    self.folder = folder
    access = opened.access
    recovery = opened.recovery
    database = opened.database
    lock = opened.lock
  }

  nonisolated var path: String { Opening.path(in: folder) }
}

// MARK: - The log

/// What an append did.
public struct AppendResult: Sendable {
  /// One for each event, in their order.
  public let outcomes: [AppendOutcome]
  /// The events that are new in the log, with their numbers, in the order in which they were given.
  public let inserted: [LoggedEvent]
  /// True if an event left the log or was replaced: what was derived before may hold it, and must be derived again
  /// from a checkpoint of the store.
  public let isRewritten: Bool
}

extension GardenStore {
  /// Appends events that were made or read here, to be sent to the server. All of them or none.
  /// - Parameters:
  ///   - heldUntil: until then they are not sent, and can be taken back.
  ///   - draft: a draft that goes with the same transaction, because it became the event. One with other words stays.
  public func append(
    _ events: [Event], heldUntil: Instant? = nil, clearing draft: Draft? = nil
  ) throws(StoreError) -> AppendResult {
    try write { database in
      if let draft { try DraftTable(database: database).remove(draft) }
      return try append(events) { _ in EventLog.Mark(heldUntil: heldUntil) }
    }
  }

  /// Takes back events that are still held: all of them or none.
  /// - Parameter draft: what was written in them; it is a draft again with the same transaction.
  /// - Throws: `holdOver` if one is not held any more, or was never there.
  public func removeHeld(
    clientIDs: [String], now: Instant, restoring draft: Draft? = nil
  ) throws(StoreError) {
    try write { database in
      if let draft { try DraftTable(database: database).restore(draft) }
      let log = EventLog(database: database)
      for clientID in clientIDs {
        guard let row = try log.row(clientID: clientID), row.mark.upload == .pending,
          let heldUntil = row.mark.heldUntil, heldUntil > now
        else { throw StoreError.holdOver(clientID: clientID) }
        try log.remove(row)
      }
    }
  }

  /// Events that came into the log after `seq`, in the order of their arrival.
  public func events(afterSeq seq: Int64) throws(StoreError) -> [LoggedEvent] {
    try read { try EventLog(database: $0).events(afterSeq: seq) }
  }

  /// The whole log in the total order, events that derivation ignores first; with a place, only the understood
  /// events after it.
  public func events(afterKey key: OrderKey?) throws(StoreError) -> [LoggedEvent] {
    try read { database in
      let log = EventLog(database: database)
      return if let key { try log.events(after: key) } else { try log.allInOrder() }
    }
  }

  /// What has to be applied to the state of a checkpoint of this store: understood events after its place in the total
  /// order, and before them ignored ones that arrived later than it.
  public func events(after checkpoint: Checkpoint) throws(StoreError) -> [LoggedEvent] {
    try read { database in
      let log = EventLog(database: database)
      return try log.ignored(afterSeq: checkpoint.lastSeq) + log.events(after: checkpoint.lastKey)
    }
  }

  /// The latest events that derivation understands, the last one first.
  /// - Parameters:
  ///   - limit: how many at most.
  ///   - since: only events at this instant or later.
  public func newestEvents(limit: Int, since: Instant? = nil) throws(StoreError) -> [LoggedEvent] {
    try read { try EventLog(database: $0).newest(limit: limit, since: since) }
  }

  /// The events with these numbers, in this order; numbers that are not in the log are left out.
  public func events(seqs: [Int64]) throws(StoreError) -> [LoggedEvent] {
    try read { try EventLog(database: $0).events(seqs: seqs) }
  }

  /// The number of the newest event; 0 in an empty log.
  public func lastSeq() throws(StoreError) -> Int64 {
    try read { try $0.integer("SELECT max(seq) FROM events") }
  }

  /// How many events the log holds.
  public func count() throws(StoreError) -> Int {
    try read { Int(try $0.integer("SELECT count(*) FROM events")) }
  }

  /// How many of them derivation ignores.
  public func ignoredCount() throws(StoreError) -> Int {
    try read { Int(try $0.integer("SELECT count(*) FROM events WHERE rank IS NULL")) }
  }

  /// Grows whenever an event leaves the log or another takes its place, also by other programs: what was derived before
  /// may hold it.
  public func generation() throws(StoreError) -> Int64 {
    try read { try EventLog(database: $0).generation() }
  }
}

// MARK: - Checkpoints

extension GardenStore {
  /// Keeps a derived state. It is not forced to the disk: a lost one only costs time.
  public func save(_ checkpoint: Checkpoint) throws(StoreError) {
    try write(durably: false) { try CheckpointTable(database: $0).save(checkpoint) }
  }

  /// The newest kept state of this form and zone that later arrivals have not overtaken.
  /// - Parameter decode: makes the state of its bytes, not on the caller's actor; `nil` if they are damaged. Such a
  ///   checkpoint is dropped, and the one before it is tried.
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

// MARK: - Drafts

extension GardenStore {
  /// Keeps a text while it is typed. It survives a crash of the program at once, a power failure after the next event or
  /// a few seconds.
  public func save(_ draft: Draft) throws(StoreError) {
    try write(durably: false) { try DraftTable(database: $0).save(draft) }
  }

  public func draft(for key: DraftKey) throws(StoreError) -> Draft? {
    try read { try DraftTable(database: $0).load(key) }
  }

  /// All drafts, newest first.
  public func drafts() throws(StoreError) -> [Draft] {
    try read { try DraftTable(database: $0).all() }
  }

  public func removeDraft(for key: DraftKey) throws(StoreError) {
    try write(durably: false) { try DraftTable(database: $0).remove(key) }
  }
}

// MARK: - Meta

/// Single values that belong to the log; the raw value is the key in the table `meta`.
public enum MetaKey: String, Sendable {
  /// The form of the cache of server rows; another one than expected asks for a full pull.
  case cacheVersion = "trunk-cache-version"
  /// The server's `created_at` of the newest pulled row, exactly as the server wrote it.
  case lastSync = "trunk-last-sync"
  /// The server's id of that row.
  case lastSyncID = "trunk-last-sync-id"
  /// The latest `created_at` of all rows of the server that are known here, as the server wrote it.
  case latestConfirmed = "latest-confirmed"
  /// The first event of those that the search index may lack.
  case firstUnsearchable = "first-unsearchable"
  /// The number of the last download of all rows.
  case fullPull = "full-pull"
  /// How many rows more the server counts than can be read of it.
  case countDifference = "trunk-count-difference"
  /// See `GardenStore.generation()`.
  case generation
  /// How often the log was cleared.
  case clears
  /// In an account's log: there while the first sync has begun and none has ended well.
  case firstSync = "first-sync"
  /// In an account's log: what became of the garden that this computer had before.
  case localEvents = "local-events"
  /// In an account's log: the address of the server that it is synced with. See `GardenStore.bind`.
  case server
  /// The state of the log in the newest backup, and that backup's path.
  case lastBackup = "last-backup"
  /// In an account's log: what the account says of its user, and what of that is not sent yet.
  case profile
}

extension GardenStore {
  public func value(_ key: MetaKey) throws(StoreError) -> String? {
    try read { try FullPullTables(database: $0).value(key) }
  }

  /// - Parameter value: `nil` removes it.
  public func set(_ value: String?, for key: MetaKey) throws(StoreError) {
    try write { try FullPullTables(database: $0).set(value, for: key) }
  }

  /// Makes a new value of the present one, in one step also for other programs. The same value is not written again.
  public func change(_ key: MetaKey, _ body: @Sendable (String?) -> String?) throws(StoreError) {
    let present = try value(key)
    guard body(present) != present else { return }
    try write { database in
      let tables = FullPullTables(database: database)
      try tables.set(body(tables.value(key)), for: key)
    }
  }
}

// MARK: - Search

extension GardenStore {
  /// Finds events by what people wrote in them: all words, the last one may go on, words between quotation marks stay
  /// together. No input is an error.
  /// - Parameters:
  ///   - types: only events of these types; `nil` for all.
  ///   - seqs: only events with these numbers; `nil` for all.
  ///   - limit: how many at most.
  /// - Returns: newest first.
  public func search(
    _ query: String, types: Set<String>? = nil, seqs: Set<Int64>? = nil, limit: Int = 100
  ) async throws(StoreError) -> [SearchResult] {
    // After a long download this takes a moment, in which others can write. Where nothing can be written, what the
    // index lacks is not found.
    if access == .readWrite { while try !completeSearchIndex() { await Task.yield() } }
    return try read { try SearchIndex(database: $0).search(query, types: types, seqs: seqs, limit: limit) }
  }

  /// Takes some thousand events at most into the search index that a download has left out.
  /// - Returns: whether none is left.
  func completeSearchIndex() throws(StoreError) -> Bool {
    guard try value(.firstUnsearchable) != nil else { return true }
    return try write(durably: false) { try SearchIndex(database: $0).addPostponed() }
  }

  /// Makes the search index anew from the log.
  public func rebuildSearchIndex() throws(StoreError) {
    try write { try SearchIndex(database: $0).rebuild() }
  }
}

// MARK: - Import and backup

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

/// Two equal ones mean: the same events.
public struct LogState: Sendable, Equatable {
  private let generation: Int64
  private let lastSeq: Int64

  init(_ database: Database) throws {
    generation = try EventLog(database: database).generation()
    lastSeq = try database.integer("SELECT max(seq) FROM events")
  }

  fileprivate var text: String { "\(generation)-\(lastSeq)" }
}

extension GardenStore {
  /// Says what `append` would do with these events; nothing changes.
  public func importPreview(_ events: [Event]) throws(StoreError) -> ImportPreview {
    struct Undone: Error {}
    var outcomes: [AppendOutcome] = []
    do throws(any Error) {
      // The log itself knows best what is a duplicate: it takes them in, and gives them up again.
      try database.transaction {
        outcomes = try append(events) { _ in EventLog.Mark() }.outcomes
        throw Undone()
      }
    } catch {
      guard error is Undone else { throw failure(error) }
    }
    return ImportPreview(events, outcomes: outcomes)
  }

  /// Writes the whole log as an export file below `folder`/backups, reads it back, and removes older ones that are
  /// neither the newest of one of 7 days, 4 weeks or 12 months, nor the one with the most events of one of the 7 days.
  ///
  /// Reading and writing the file does not keep other calls waiting.
  /// - Parameter zone: the zone of the time in the file's name.
  public nonisolated func backUp(
    to folder: String, now: Instant, zone: Zone
  ) async throws(StoreError) -> BackupResult {
    let (state, events) = try await stateForBackup()
    let backups = BackupFolder(in: folder)
    let result: BackupResult
    do throws(any Error) {
      result = try backups.write(events, now: now, zone: zone)
      try backups.rotate()
    } catch {
      throw StoreError(error, path: path)
    }
    if access == .readWrite { try await set("\(state.text) \(result.path)", for: .lastBackup) }
    return result
  }

  /// Makes a backup if today has none and the log has changed since the last one. An empty log never pushes out what
  /// older backups hold.
  /// - Returns: `nil` if none was due.
  public nonisolated func backUpIfDue(
    to folder: String, now: Instant, zone: Zone
  ) async throws(StoreError) -> BackupResult? {
    let newest: String?
    let backups = BackupFolder(in: folder)
    do throws(PrivateFiles.Failure) { newest = try backups.names().last } catch {
      throw StoreError(error, path: path)
    }
    if try await count() == 0 { return nil }
    if let newest {
      if BackupFolder.day(of: newest) == zone.local(now).day { return nil }
      let state = try await "\(state().text) \(backups.path)/\(newest)"
      if try await value(.lastBackup) == state { return nil }
    }
    return try await backUp(to: folder, now: now, zone: zone)
  }

  private func stateForBackup() throws(StoreError) -> (state: LogState, events: [Event]) {
    (try state(), try events(afterKey: nil).map(\.event))
  }

  /// What the log holds, to be compared with what it holds later.
  public func state() throws(StoreError) -> LogState { try read { try LogState($0) } }
}

// MARK: - Verification

extension GardenStore {
  /// Looks at everything: the structure of the file, the text of every event, the search index.
  ///
  /// If an event is in danger, the next opening repairs what it can.
  public func verify() throws(StoreError) -> Verification {
    let result = try read { try Verification($0) }
    if !result.isSound { Opening.markSuspect(folder) }
    return result
  }
}

// MARK: - Writes by others

extension GardenStore {
  /// Yields whenever another program, or another store of this one, has written: something after `lastSeq`, another
  /// `generation`, a draft, a checkpoint. Several writes may come as one.
  public func changes() throws(StoreError) -> AsyncStream<Void> {
    if foreignWrites == nil {
      dataVersion = try currentDataVersion()
      do throws(PrivateFiles.Failure) {
        foreignWrites = try ForeignWrites(folder: folder, queue: executor.queue) { [weak self] in
          Task { await self?.lookForForeignWrites() }
        }
      } catch {
        throw failure(error)
      }
    }
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    listenerCount += 1
    let number = listenerCount
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { await self?.removeListener(number) }
    }
    return stream
  }

  private func lookForForeignWrites() {
    // Changes only when another connection has written. If it can't be read, the listeners will find out why.
    let version = try? currentDataVersion()
    guard version == nil || version != dataVersion else { return }
    if let version { dataVersion = version }
    for listener in listeners.values { listener.yield() }
  }

  private func removeListener(_ number: Int) {
    listeners[number] = nil
    if listeners.isEmpty { foreignWrites = nil }
  }

  private func currentDataVersion() throws(StoreError) -> Int64 {
    do throws(DatabaseError) { return try database.integer("PRAGMA data_version") } catch { throw failure(error) }
  }
}

// MARK: - Transactions

extension GardenStore {
  /// Reads, all of it from one state of the log.
  func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
    do {
      return try database.snapshot { try body(database) }
    } catch {
      throw failure(error)
    }
  }

  /// Writes all of it or nothing, and tells other programs.
  /// - Parameter durably: whether the disk must have it before this returns.
  func write<Value>(durably: Bool = true, _ body: (Database) throws -> Value) throws(StoreError) -> Value {
    try checkWritable()
    do {
      if !durably { try database.run("PRAGMA synchronous = NORMAL") }
      let result = Result { try database.transaction { try body(database) } }
      if !durably { try database.run("PRAGMA synchronous = FULL") }
      let value = try result.get()
      // Other programs watch for this: the write itself can be seen before the transaction can.
      utimensat(AT_FDCWD, path, nil, 0)
      return value
    } catch {
      throw failure(error)
    }
  }

  func checkWritable() throws(StoreError) {
    switch access {
    case .readWrite: break
    case .readOnly(.newerVersion): throw .newerVersion
    case .readOnly(.notWritable): throw .notWritable(path: path)
    }
  }

  func append(_ events: [Event], mark: (Int) -> EventLog.Mark) throws -> AppendResult {
    let log = EventLog(database: database)
    let generation = try log.generation()
    var outcomes: [AppendOutcome] = []
    var inserted: [LoggedEvent] = []
    for (index, event) in events.enumerated() {
      let outcome = try log.insert(event, mark(index))
      outcomes.append(outcome)
      if case .inserted(let seq) = outcome { inserted.append(LoggedEvent(seq: seq, event: event)) }
    }
    return AppendResult(
      outcomes: outcomes, inserted: inserted, isRewritten: try log.generation() != generation)
  }

  func failure(_ error: any Error) -> StoreError {
    let failure = StoreError(error, path: path)
    if case .damaged = failure { Opening.markSuspect(folder) }
    return failure
  }
}
