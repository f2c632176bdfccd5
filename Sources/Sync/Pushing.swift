import GardenStore

extension SyncEngine {
  /// Sends what waits, oldest first, in batches.
  func push(_ report: inout SyncReport) async throws(SyncProblem) {
    while true {
      // Whoever asks from here on has written after the outbox was read.
      _ = takeAsking()
      let now = clock.now
      let batch = try await inStore { store throws(StoreError) in try await store.outbox(now: now) }
      guard !batch.isEmpty else {
        if takeAsking() { continue }
        return
      }
      do throws(SyncProblem) {
        try await send(batch, &report)
      } catch {
        if case .service(let failure) = error {
          try await inStore { store throws(StoreError) in try await store.noteAttempt(batch, answer: failure.code) }
        }
        throw error
      }
    }
  }

  /// Sends a batch; where the server refuses it, its halves, so that in the end only what is at fault is refused.
  private func send(_ batch: [OutboxEntry], _ report: inout SyncReport) async throws(SyncProblem) {
    do throws(SyncProblem) {
      let skipped = try await insert(batch, &report)
      // Rows with these identities were there, ours from an earlier attempt as a rule.
      let foreign = try await confirmExisting(skipped, &report)
      for entry in foreign { try await sendForeign(entry, &report) }
    } catch {
      guard case .service(.refused(_, _, let message)) = error else { throw error }
      guard batch.count == 1 else {
        try await send(Array(batch[..<(batch.count / 2)]), &report)
        return try await send(Array(batch[(batch.count / 2)...]), &report)
      }
      try await quarantine(batch[0], error.code + (message.isEmpty ? "" : ": " + message))
    }
  }

  /// - Returns: those that were there before.
  private func insert(
    _ batch: [OutboxEntry], _ report: inout SyncReport
  ) async throws(SyncProblem) -> [OutboxEntry] {
    let rows = batch.map { OutgoingRow($0.event) }
    let landings = try await authorized { [service] token throws(ServiceFailure) in
      try await service.insert(rows, token: token)
    }
    return try await confirm(batch, landings, &report)
  }

  private func confirmExisting(
    _ entries: [OutboxEntry], _ report: inout SyncReport
  ) async throws(SyncProblem) -> [OutboxEntry] {
    var foreign: [OutboxEntry] = []
    for start in stride(from: 0, to: entries.count, by: 100) {
      let part = Array(entries[start..<min(start + 100, entries.count)])
      let clientIDs = part.map(\.clientID)
      let found = try await authorized { [service] token throws(ServiceFailure) in
        try await service.find(clientIDs: clientIDs, token: token)
      }
      foreign += try await confirm(part, found, &report)
    }
    return foreign
  }

  /// The server has the identity and this user has no such row: somebody else's, or it went between two requests.
  private func sendForeign(_ entry: OutboxEntry, _ report: inout SyncReport) async throws(SyncProblem) {
    let skipped = try await insert([entry], &report)
    for entry in try await confirmExisting(skipped, &report) {
      try await quarantine(entry, "409 23505")
    }
  }

  /// - Returns: those without a landing.
  private func confirm(
    _ entries: [OutboxEntry], _ landings: [Landing], _ report: inout SyncReport
  ) async throws(SyncProblem) -> [OutboxEntry] {
    // As bytes: Swift takes two spellings of one letter for the same text, the table does not.
    let byID = Dictionary(landings.map { (Array($0.clientID.utf8), $0) }) { first, _ in first }
    let landed = entries.compactMap { entry in
      byID[Array(entry.clientID.utf8)].map { (entry: entry, landing: $0) }
    }
    try await inStore { store throws(StoreError) in try await store.confirm(landed) }
    report.pushed += landed.count
    return entries.filter { byID[Array($0.clientID.utf8)] == nil }
  }

  private func quarantine(_ entry: OutboxEntry, _ answer: String) async throws(SyncProblem) {
    try await inStore { store throws(StoreError) in try await store.quarantine(entry, answer: answer) }
  }
}
