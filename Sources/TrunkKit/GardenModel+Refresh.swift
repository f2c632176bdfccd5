import EventStore
import TrunkModel

/// Follows the store: applies what this process and others write to it.
extension GardenModel {
  /// Applies what other connections, such as `trunkctl`, write to the store, until the calling task is cancelled.
  /// - Parameter onProblem: called when new events can't be read; the next write tries again.
  public func watchStore(onProblem: (any Error) -> Void) async {
    do {
      for await _ in try await store.changes() {
        do { try await refreshIfAllowed() } catch { onProblem(error) }
      }
    } catch {
      onProblem(error)
    }
  }

  /// Applies what another connection has written, if `mayRefresh` allows it.
  public func refreshIfAllowed() async throws {
    if await mayRefresh() { try await refresh() }
  }

  /// Applies everything that other connections have written.
  public func refresh() async throws {
    try await inTurn { [self] in try await applyNewEvents() }
  }

  /// Reads the new events of the log and applies them. Call it only within a turn.
  func applyNewEvents() async throws {
    let (head, new) = try await store.news(afterSeq: lastSeq, generation: generation)
    if let expectedClears, head.clears != expectedClears { throw StoreError.cleared }
    if head.pageRevision != pageRevision { pageRevision = head.pageRevision }
    if head.hidden != hidden { hidden = head.hidden }
    let newProfile = Profile(text: head.profile)
    let isSameZone = newProfile[.timeZone] == profile[.timeZone]
    guard head.generation == generation, isSameZone else { return try await reload() }
    if newProfile != profile { profile = newProfile }
    guard let next = try await GardenModel.derive(from: projection, new, store) else { return try await reload() }
    // Update it together with the garden, so that everything is rendered once.
    if initialSync != head.initialSync { initialSync = head.initialSync }
    await publish(next, lastSeq: head.lastSeq)
  }

  /// Applies events that an intent has just written, without reading them back. Call it only within a turn.
  func apply(_ written: AppendResult) async throws {
    let seqs = written.inserted.map(\.seq)
    let isNext = seqs == (0..<Int64(seqs.count)).map { lastSeq + 1 + $0 }
    // Otherwise another connection has written in between, or the log already had one of the events.
    guard isNext, !written.isRewritten, let last = seqs.last,
      let next = try await GardenModel.derive(from: projection, written.inserted, store)
    else { return try await applyNewEvents() }
    await publish(next, lastSeq: last)
  }

  private func publish(_ next: Projection, lastSeq newest: Int64) async {
    guard newest > lastSeq else { return }
    // New events may be later than `now`, and must not be in its future.
    now = clock.now()
    (projection, lastSeq) = (next, newest)
    garden = next.garden
    await saveCheckpointIfDue()
  }

  /// Applies new events, one or a hundred thousand, off the main thread, which stays responsive.
  /// - Returns: `nil` if the garden must be derived from the start.
  private nonisolated static func derive(
    from projection: Projection, _ new: [LoggedEvent], _ store: EventStore
  ) async throws -> Projection? {
    var projection = projection
    guard let newest = new.map(\.seq).max() else { return projection }
    let sorted = LoggedEvent.sorted(new)
    guard let first = projection.needsRewind(for: sorted) else {
      projection.advance(sorted)
      return projection
    }
    // Without a checkpoint before them, everything must be derived: the store may have a later checkpoint.
    guard let position = projection.rewind(before: first) else { return nil }
    let replayed = try await store.events(afterKey: position)
    // Rewinding keeps the count of ignored events, so these are added here and the others come from the log.
    projection.advance(sorted.filter { !$0.event.isUnderstood })
    // Events that others wrote after `new` was read are applied next time.
    projection.advance(replayed.filter { $0.event.isUnderstood && $0.seq <= newest })
    return projection
  }
}
