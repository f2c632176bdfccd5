import Garden
import GardenStore

/// One row of the server, as far as comparing needs it.
public struct RowIdentity: Sendable, Equatable {
  public let place: Cursor
  /// `nil` for rows of old clients that have none.
  public let clientID: String?

  public init(place: Cursor, clientID: String?) {
    self.place = place
    self.clientID = clientID
  }
}

extension EventService {
  /// The same rows as `rows(after:limit:token:)` without their content. Services that can send less do so.
  public func identities(
    after place: Cursor?, limit: Int, token: AccessToken
  ) async throws(ServiceFailure) -> [RowIdentity] {
    try await rows(after: place, limit: limit, token: token).map {
      RowIdentity(place: $0.place, clientID: $0.event.identity)
    }
  }
}

/// What of the local log the server has.
public struct ServerComparison: Sendable, Equatable {
  /// An entry that is on this computer and not on the server.
  public struct Missing: Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
      case unsent
      case rejected
      /// The server had it once.
      case lost
    }

    public let seq: Int64
    public let reason: Reason
  }

  /// Oldest first. Where the server couldn't be checked: the unsent and rejected ones.
  public var missing: [Missing]
  /// Why the server couldn't be checked; `nil` if it was.
  public var problem: SyncProblem?

  public init(missing: [Missing], problem: SyncProblem? = nil) {
    self.missing = missing
    self.problem = problem
  }

  /// Whether the server is known to have everything.
  public var isComplete: Bool { missing.isEmpty && problem == nil }
}

extension SyncEngine {
  /// How long a server may take for its first answer before it counts as unreachable, in milliseconds.
  private static let patience: Int64 = 15_000

  /// Sends what waits, also what could still be undone, and then compares each event with the server's rows by its id.
  /// It changes nothing else, and can be cancelled.
  public func compare() async throws(SyncProblem) -> ServerComparison {
    try await inStore { store throws(StoreError) in try await store.endHolds() }
    do throws(SyncProblem) {
      try await probe()
      await refreshFigures()
      if status.sendable > 0 || status.hasProfileToSend { await send() }
      let here = try await local()
      return ServerComparison(missing: try await missing(here))
    } catch {
      if case .store = error { throw error }
      let here = try await local()
      return ServerComparison(missing: SyncEngine.unconfirmed(here), problem: error)
    }
  }

  /// Sends the missing entries again, and compares once more.
  public func sendAgain(_ comparison: ServerComparison) async throws(SyncProblem) -> ServerComparison {
    try await inStore { store throws(StoreError) in
      try await store.sendAgain(seqs: comparison.missing.map(\.seq))
    }
    return try await compare()
  }

  private func local() async throws(SyncProblem) -> [LocalIdentity] {
    try await inStore { store throws(StoreError) in try await store.localIdentities() }
  }

  /// Asks the server for anything, so that a network without an answer is recognised soon.
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
      // Cancelled once there is an answer.
      try? await clock.sleep(until: clock.uptime + SyncEngine.patience)
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

  /// An id that the server lists is on the server. That an id is missing is only believed if the list is as long as the
  /// server's own count: a proxy may answer with an empty list, and a list may end early.
  private func missing(_ here: [LocalIdentity]) async throws(SyncProblem) -> [ServerComparison.Missing] {
    for _ in 0..<2 {
      let before = try await rowCount()
      var (ids, places, listed): (Set<String>, Set<Cursor>, Int) = ([], [], 0)
      var place: Cursor?
      while let page = try await identities(after: place) {
        ids.formUnion(page.lazy.compactMap(\.clientID))
        places.formUnion(page.lazy.map(\.place))
        listed += page.count
        place = page.last?.place
      }
      let missing =
        SyncEngine.unconfirmed(here)
        + here.filter { event in
          event.upload == .confirmed && !ids.contains(event.identity)
            && !(event.place.map { places.contains($0) } ?? false)
        }.map { .init(seq: $0.seq, reason: .lost) }
      if !missing.contains(where: { $0.reason == .lost }) { return missing }
      let after = try await rowCount()
      if (min(before, after)...max(before, after)).contains(listed) { return missing.sorted { $0.seq < $1.seq } }
    }
    throw .service(.unintelligible(detail: "a list and a count that differ"))
  }

  private func identities(after place: Cursor?) async throws(SyncProblem) -> [RowIdentity]? {
    guard !Task.isCancelled else { throw .service(.cancelled) }
    let page = try await authorized { [service] token throws(ServiceFailure) in
      try await service.identities(after: place, limit: SyncEngine.pageSize, token: token)
    }
    guard let last = page.last?.place else { return nil }
    if let place, !last.isAfter(place) { throw .service(.unintelligible(detail: "a page that does not go on")) }
    return page
  }

  private static func unconfirmed(_ here: [LocalIdentity]) -> [ServerComparison.Missing] {
    here.filter { $0.upload != .confirmed }.map {
      .init(seq: $0.seq, reason: $0.upload == .quarantined ? .rejected : .unsent)
    }
  }
}
