import EventStore
import TrunkModel

extension EventService {
  /// Returns the rows of `rows(after:limit:token:)` without their content. Services that can send less override it.
  public func identities(
    after position: Cursor?, limit: Int, token: AccessToken
  ) async throws(ServiceFailure) -> [RowIdentity] {
    try await rows(after: position, limit: limit, token: token).map {
      RowIdentity(position: $0.position, clientID: $0.event.identity)
    }
  }
}

/// Which events of the local log the server lacks.
public struct ServerComparison: Sendable, Equatable {
  /// An entry that is on this computer and not on the server.
  public struct Missing: Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
      case unsent
      case rejected
      /// The server rejected it, and the user keeps it on this computer only.
      case localOnly
      /// The server had it once.
      case lost
    }

    public let seq: Int64
    public let reason: Reason
  }

  /// The missing entries, oldest first. If the server couldn't be checked, only the unsent and rejected ones.
  public var missing: [Missing]
  /// Why the server couldn't be checked; `nil` if it was.
  public var problem: SyncProblem?
  /// Whether the account's name, time zone or reminders were changed here and the server doesn't have the change.
  public var hasUnsentProfile: Bool
  /// What the server listed, by identity.
  public var listed: Set<ExactID>
  /// Whether a row of the server holds an event of this computer, possibly with another text, and was not read.
  public var hasUnreadRows = false

  public init(
    missing: [Missing], problem: SyncProblem? = nil, hasUnsentProfile: Bool = false, listed: Set<ExactID> = []
  ) {
    self.missing = missing
    self.problem = problem
    self.hasUnsentProfile = hasUnsentProfile
    self.listed = listed
  }

  /// Whether the server is known to have every entry.
  public var isComplete: Bool { missing.isEmpty && problem == nil }
}

extension SyncEngine {
  /// The time after which a server without an answer counts as unreachable, in milliseconds.
  private static let timeLimit: Int64 = 15_000

  /// Sends the outbox, including events in their undo window. If the server already had an event's ID, reads its row,
  /// which may hold another text. Then compares each event with the server's rows by its ID. If the server has lost
  /// some, it records that, and removes nothing. Can be cancelled.
  public func compare() async throws(SyncProblem) -> ServerComparison {
    try await inStore { store throws(StoreError) in try await store.endUndoWindows() }
    // A sync that is running has counted before it requested its rows.
    if !runs.isRunning || clearGuard.clears == nil {
      clearGuard.requestRows(clears: try await inStore { store throws(StoreError) in try await store.clearCount() })
    }
    do throws(SyncProblem) {
      try await probe()
      await refreshFigures()
      if status.sendable > 0 || status.hasProfileToSend { await send() }
      try await readNewTexts()
      let here = try await local()
      var (comparison, others) = try await comparison(here)
      comparison.hasUnreadRows = try await isUnread(others)
      try await record(lost: comparison.missing.count { $0.reason == .lost })
      comparison.hasUnsentProfile = try await hasUnsentProfile()
      return comparison
    } catch {
      if case .store = error { throw error }
      let here = try await local()
      return ServerComparison(
        missing: SyncEngine.unconfirmed(here), problem: error, hasUnsentProfile: try await hasUnsentProfile())
    }
  }

  /// Sends the missing entries again, except those that the user keeps on this computer only, then repeats the
  /// comparison.
  public func sendAgain(_ comparison: ServerComparison) async throws(SyncProblem) -> ServerComparison {
    try await inStore { store throws(StoreError) in
      try await store.sendAgain(seqs: comparison.missing.filter { $0.reason != .localOnly }.map(\.seq))
    }
    return try await compare()
  }

  private func readNewTexts() async throws(SyncProblem) {
    guard try await inStore({ store throws(StoreError) in try await store.hasUnreadRows() }) else { return }
    var report = SyncReport(mode: .incremental)
    try await pullNew(nil, &report)
  }

  /// Whether one of these rows is unknown here, also after new rows were fetched.
  private func isUnread(_ rows: [RowIdentity]) async throws(SyncProblem) -> Bool {
    guard try await !knows(rows) else { return false }
    var report = SyncReport(mode: .incremental)
    try await pullNew(nil, &report)
    return try await !knows(rows)
  }

  private func knows(_ rows: [RowIdentity]) async throws(SyncProblem) -> Bool {
    try await inStore { store throws(StoreError) in
      try await store.knowsRows(rows.map { (id: $0.position.id, clientID: $0.clientID) })
    }
  }

  /// Records a remote loss for every program that opens this garden, so that none says that the server has everything.
  private func record(lost: Int) async throws(SyncProblem) {
    guard lost > 0 else { return }
    let server = try await rowCount()
    let loss = RemoteLoss(
      local: try await confirmedCount(), server: server, missing: lost, found: clock.now,
      difference: try await expectedCount() - server)
    try await inStore { [clears = clearGuard.clears] store throws(StoreError) in
      try await store.set(loss, unlessClearedSince: clears)
    }
    await refreshFigures()
  }

  func local() async throws(SyncProblem) -> [LocalIdentity] {
    try await inStore { store throws(StoreError) in try await store.localIdentities() }
  }

  /// Sends a small request, so that an unreachable server is detected early.
  private func probe() async throws(SyncProblem) {
    let (results, result) = AsyncStream.makeStream(of: Result<Void, SyncProblem>.self)
    let request = Task {
      do throws(SyncProblem) {
        _ = try await rowCount()
        result.yield(.success(()))
      } catch {
        result.yield(.failure(error))
      }
    }
    let limit = Task { [clock] in
      // Throws if cancelled because an answer arrived.
      try? await clock.sleep(until: clock.uptime + SyncEngine.timeLimit)
      result.yield(.failure(.service(.unreachable(detail: "timed_out"))))
    }
    defer {
      request.cancel()
      limit.cancel()
    }
    for await answer in results { return try answer.get() }
    throw .service(.cancelled)
  }

  private func rowCount() async throws(SyncProblem) -> Int {
    try await authorized { [service] token throws(ServiceFailure) in try await service.head(token: token).count }
  }

  /// Compares the local events with the server's. Only a complete list proves that an event is missing.
  /// - Returns: also the rows that hold one of these events and are not where its row was: another client has deleted
  ///   and inserted it, possibly with another text.
  private func comparison(
    _ here: [LocalIdentity]
  ) async throws(SyncProblem) -> (ServerComparison, others: [RowIdentity]) {
    let known = Set(here.compactMap(\.position))
    let own = Set(here.lazy.map { ExactID($0.identity) })
    for _ in 0..<2 {
      let before = try await rowCount()
      var (listed, positions, others) = (Set<ExactID>(), Set<Cursor>(), [RowIdentity]())
      var position: Cursor?
      var read = 0
      while let page = try await identities(after: position) {
        read += page.count
        try RowList.checkLength(read: read, before: before)
        listed.formUnion(page.compactMap { $0.clientID.map(ExactID.init(_:)) })
        positions.formUnion(page.lazy.map(\.position))
        others += page.filter { row in
          !known.contains(row.position) && row.clientID.map { own.contains(ExactID($0)) } ?? false
        }
        position = page.last?.position
      }
      // Rows of old clients have no id: their position tells which event of this computer they hold.
      for event in here where event.position.map(positions.contains) ?? false {
        listed.insert(ExactID(event.identity))
      }
      let lost = here.filter { $0.upload == .confirmed && !listed.contains(ExactID($0.identity)) }
      let missing = SyncEngine.unconfirmed(here) + lost.map { .init(seq: $0.seq, reason: .lost) }
      if lost.isEmpty { return (ServerComparison(missing: missing, listed: listed), others) }
      // Counts distinct positions, because a page out of order repeats some rows.
      if RowList.isComplete(listed: positions.count, before: before, after: try await rowCount()) {
        return (ServerComparison(missing: missing.sorted { $0.seq < $1.seq }, listed: listed), others)
      }
    }
    throw RowList.incomplete
  }

  private func identities(after position: Cursor?) async throws(SyncProblem) -> [RowIdentity]? {
    guard !Task.isCancelled else { throw .service(.cancelled) }
    let page = try await authorized { [service] token throws(ServiceFailure) in
      try await service.identities(after: position, limit: SyncEngine.pageSize, token: token)
    }
    return try RowList.next(page.last?.position, after: position).map { _ in page }
  }

  private static func unconfirmed(_ here: [LocalIdentity]) -> [ServerComparison.Missing] {
    here.filter { $0.upload != .confirmed }.map {
      .init(seq: $0.seq, reason: $0.isLocalOnly ? .localOnly : $0.upload == .rejected ? .rejected : .unsent)
    }
  }
}
