import Garden
import GardenStore

/// The garden that was kept on this computer before signing in. It stays where it is; its events can become part of the
/// account's garden too.
extension Synchroniser {
  /// What the account's log remembers of it, in `MetaKey.localEvents`.
  private enum Memory {
    /// The user wants it to stay apart.
    static let kept = "kept"
    // Else: the number of the newest event that was brought in.
  }

  /// How many of its events could be brought in.
  public func localEventsToUpload() async throws -> Int { try await localEvents().count }

  /// Whether nobody was asked yet what is to become of it.
  public func shouldAskAboutUpload() async throws -> Bool {
    guard account != nil, try await gardener.store.value(.localEvents) == nil else { return false }
    return try await !localEvents().isEmpty
  }

  /// Brings its events into the account's garden. They keep their ids, so doing it twice does no harm.
  /// - Returns: how many were new there.
  @discardableResult
  public func uploadLocalEvents() async throws -> Int {
    let events = try await localEvents()
    guard let last = events.map(\.seq).max() else { return 0 }
    let result = try await gardener.importEvents(events.map(\.event))
    try await gardener.store.set("\(last)", for: .localEvents)
    return result.inserted.count
  }

  /// Leaves it on this computer, without asking again.
  public func keepLocalEvents() async throws { try await gardener.store.set(Memory.kept, for: .localEvents) }

  private func localEvents() async throws -> [LoggedEvent] {
    let folder = Folders.garden()
    // Opening would make a garden where there was none.
    guard account != nil, Folders.holdsGarden(folder) else { return [] }
    let brought = try await gardener.store.value(.localEvents).flatMap(Int64.init) ?? 0
    return try await GardenStore.open(folder: folder).events(afterSeq: brought)
  }
}
