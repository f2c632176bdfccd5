import EventStore
import TrunkModel

/// Unsent events that are too large for a proxy in front of the service. They are retried every hour and by every new
/// engine, because the limit may be raised at any time. They don't hold up other events.
struct Oversized {
  private static let retryInterval: Int64 = 3_600_000

  private(set) var seqs: Set<Int64> = []
  /// The `uptime` at which the first of them was found.
  private var since: Int64 = 0

  fileprivate mutating func add(_ event: OutgoingEvent, uptime: Int64) {
    if seqs.isEmpty { since = uptime }
    seqs.insert(event.seq)
  }

  fileprivate mutating func expire(uptime: Int64) {
    if uptime - since >= Oversized.retryInterval { seqs = [] }
  }
}

extension SyncEngine {
  /// A size in bytes that every proxy should accept: if a request this small is rejected for its size, others would be
  /// too. A journal text has 2,000 characters at most.
  private static let safeRequestSize = 20_000
  /// The size in bytes of the events of one request. `trunk-server` stores at most 1 MiB at once.
  private static let batchSize = 900 << 10
  /// The size in bytes up to which a `client_id` fits into every request's URL, even when escaped.
  private static let safeIDSize = 500

  /// Sends the outbox, oldest first, in batches.
  func push(_ report: inout SyncReport) async throws(SyncProblem) {
    oversized.expire(uptime: clock.uptime)
    while true {
      // A sync requested from here on may be about events that the batch below doesn't contain.
      _ = runs.takeRequest()
      let (now, large) = (clock.now, oversized.seqs)
      let limit = try await batchLimit()
      let batch = try await inStore { store throws(StoreError) in
        SyncEngine.fitting(try await store.takeBatch(now: now, limit: limit, without: large))
      }
      guard !batch.isEmpty else {
        if runs.takeRequest() { continue }
        return
      }
      do throws(SyncProblem) {
        try await send(batch, &report)
      } catch {
        if case .service(let failure) = error {
          try await inStore { store throws(StoreError) in try await store.recordAttempt(batch, answer: failure.code) }
        }
        throw error
      }
    }
  }

  /// The first events of a batch that together are small enough for one request; at least one.
  private static func fitting(_ batch: [OutgoingEvent]) -> [OutgoingEvent] {
    var bytes = 0
    return Array(
      batch.prefix { event in
        defer { bytes += event.raw.utf8.count }
        return bytes == 0 || bytes + event.raw.utf8.count <= batchSize
      })
  }

  /// Sends a batch. If the server rejects it, sends each half, until only the events at fault are rejected.
  private func send(_ batch: [OutgoingEvent], _ report: inout SyncReport) async throws(SyncProblem) {
    do throws(SyncProblem) {
      let skipped = try await insert(batch, &report)
      // Rows with these IDs already existed, usually from an earlier attempt.
      let foreign = try await confirmExisting(skipped, &report)
      for event in foreign { try await sendForeign(event, &report) }
    } catch {
      let isTooLarge: Bool
      switch error {
      case .service(.rejected): isTooLarge = false
      case .service(.tooLarge): isTooLarge = true
      default: throw error
      }
      if isTooLarge, batch.reduce(0, { $0 + $1.raw.utf8.count }) <= SyncEngine.safeRequestSize { throw error }
      guard batch.count == 1 else {
        try await send(Array(batch[..<(batch.count / 2)]), &report)
        return try await send(Array(batch[(batch.count / 2)...]), &report)
      }
      if isTooLarge { try await postpone(batch[0], error) } else { try await reject(batch[0], error) }
    }
  }

  /// Postpones an event that is too large even alone.
  private func postpone(_ event: OutgoingEvent, _ problem: SyncProblem) async throws(SyncProblem) {
    oversized.add(event, uptime: clock.uptime)
    try await inStore { store throws(StoreError) in try await store.recordAttempt([event], answer: problem.code) }
  }

  /// - Returns: the events whose `client_id` was already stored.
  private func insert(
    _ batch: [OutgoingEvent], _ report: inout SyncReport
  ) async throws(SyncProblem) -> [OutgoingEvent] {
    let rows = batch.map { OutgoingRow($0.content) }
    let receipts = try await authorized { [service] token throws(ServiceFailure) in
      try await service.insert(rows, token: token)
    }
    try await recordTimes(of: receipts)
    return try await confirm(batch, receipts, &report)
  }

  /// - Returns: the events without a row of this user.
  private func confirmExisting(
    _ events: [OutgoingEvent], _ report: inout SyncReport
  ) async throws(SyncProblem) -> [OutgoingEvent] {
    var foreign: [OutgoingEvent] = []
    for start in stride(from: 0, to: events.count, by: 100) {
      foreign += try await lookUp(Array(events[start..<min(start + 100, events.count)]), &report)
    }
    return foreign
  }

  /// Finds at most 100 events by their `client_id`. If the ids are too long for one request, finds each half.
  private func lookUp(
    _ events: [OutgoingEvent], _ report: inout SyncReport
  ) async throws(SyncProblem) -> [OutgoingEvent] {
    do throws(SyncProblem) {
      let clientIDs = events.map(\.clientID)
      let found = try await authorized { [service] token throws(ServiceFailure) in
        try await service.find(clientIDs: clientIDs, token: token)
      }
      // The row may have another text. Without the row's ID, the texts are compared when the row is pulled.
      let unread = found.map { Receipt(clientID: $0.clientID, id: nil, createdAt: $0.createdAt) }
      return try await confirm(events, unread, &report)
    } catch {
      guard case .service(.tooLarge) = error,
        events.contains(where: { $0.clientID.utf8.count > SyncEngine.safeIDSize })
      else { throw error }
      guard events.count == 1 else {
        let middle = events.count / 2
        return try await lookUp(Array(events[..<middle]), &report) + lookUp(Array(events[middle...]), &report)
      }
      try await postpone(events[0], error)
      return []
    }
  }

  /// Sends an event again whose ID the server has, but not in a row of this user. The row may have been deleted between
  /// two requests. Otherwise another account has it, on a server where IDs are unique among all users.
  private func sendForeign(_ event: OutgoingEvent, _ report: inout SyncReport) async throws(SyncProblem) {
    let skipped = try await insert([event], &report)
    for event in try await confirmExisting(skipped, &report) { try await sendUnderNewID(event, &report) }
  }

  /// Sends an event under a new `client_id`, or rejects it if another account has that one too. The log changes only
  /// after the server shows the row or says that it exists: a proxy that answers every request with an empty list must
  /// change nothing here.
  private func sendUnderNewID(_ event: OutgoingEvent, _ report: inout SyncReport) async throws(SyncProblem) {
    let successor = try await inStore { [userID = keeper.account.userID] store throws(StoreError) in
      try await store.successor(of: event, for: userID)
    }
    guard let receipt = try await receipt(of: successor ?? event) else {
      return try await reject(event, .service(.rejected(status: 409, code: "23505", message: "")))
    }
    guard let successor else {
      // The row with this ID was deleted since it was looked up.
      _ = try await confirm([event], [receipt], &report)
      return
    }
    report.pushed += 1
    try await inStore { store throws(StoreError) in try await store.replace(event, with: successor, receipt) }
  }

  /// Sends an event and returns its row, new or existing; `nil` if the server says that another account has its ID.
  private func receipt(of event: OutgoingEvent) async throws(SyncProblem) -> Receipt? {
    let stored = try await authorized { [service] token throws(ServiceFailure) in
      if let receipt = try await service.insertNew(OutgoingRow(event.content), token: token) { return [receipt] }
      return try await service.find(clientIDs: [event.clientID], token: token)
    }
    return stored.first { $0.clientID.hasSameBytes(as: event.clientID) }
  }

  /// - Returns: the events without a row.
  private func confirm(
    _ events: [OutgoingEvent], _ receipts: [Receipt], _ report: inout SyncReport
  ) async throws(SyncProblem) -> [OutgoingEvent] {
    let byID = Dictionary(receipts.map { (ExactID($0.clientID), $0) }) { first, _ in first }
    let confirmed = events.compactMap { event in
      byID[ExactID(event.clientID)].map { (event: event, receipt: $0) }
    }
    try await inStore { store throws(StoreError) in try await store.confirm(confirmed) }
    report.pushed += confirmed.count
    return events.filter { byID[ExactID($0.clientID)] == nil }
  }

  private func reject(_ event: OutgoingEvent, _ problem: SyncProblem) async throws(SyncProblem) {
    var answer = problem.code
    if case .service(.rejected(_, _, let message)) = problem, !message.isEmpty { answer += ": " + message }
    try await inStore { [answer] store throws(StoreError) in try await store.reject(event, answer: answer) }
  }
}
