import EventStore
import TrunkModel

/// What the log has, for the window and the command line: neither uses the store itself.
extension GardenModel {
  /// Whether a folder has a garden.
  /// - Throws: `StoreError.missing` if it had one and the file is gone.
  public nonisolated static func holdsGarden(in folder: String) throws(StoreError) -> Bool {
    try EventStore.holdsGarden(in: folder)
  }

  /// Whether a folder has backups of a garden.
  public nonisolated static func hasBackups(in folder: String) throws(StoreError) -> Bool {
    try !EventStore.backups(in: folder).isEmpty
  }

  /// The folder of this garden.
  public nonisolated var folder: String { store.folder }

  /// Whether the garden can be changed.
  public nonisolated var isWritable: Bool { store.access == .readWrite }

  /// The number of events in the log.
  public func countEvents() async throws(StoreError) -> Int { try await store.count() }

  /// Returns the latest events that this version understands, newest first.
  /// - Parameters:
  ///   - limit: the maximum number of events.
  ///   - since: only events at this instant or later.
  public func newestEvents(limit: Int, since: Instant? = nil) async throws(StoreError) -> [LoggedEvent] {
    try await store.newestEvents(limit: limit, since: since)
  }

  /// Returns the events with these numbers, in this order, without those that are not in the log.
  public func events(seqs: [Int64]) async throws(StoreError) -> [LoggedEvent] { try await store.events(seqs: seqs) }

  /// Returns the newest events with these words in the user's own text, newest first.
  /// - Returns: `nil` if the query has no word.
  public func newestEvents(matching query: TextQuery, limit: Int) async throws(StoreError) -> [LoggedEvent]? {
    guard let matches = try await store.matches(query) else { return nil }
    return try await store.events(seqs: store.newest(of: matches.texts, limit: limit))
  }

  /// Returns the superseded versions of events.
  public func superseded() async throws(StoreError) -> [SupersededEvent] { try await store.superseded() }

  /// Returns what importing these events would do.
  public func importPreview(_ events: [Event]) async throws(StoreError) -> ImportPreview {
    try await store.importPreview(events)
  }

  /// Returns how much of this garden the server has, as last known.
  public func syncFigures() async throws(StoreError) -> SyncFigures { try await store.syncFigures(now: clock.now()) }

  /// Creates a search of this garden, which keeps what it prepared for the next search.
  public nonisolated func makeSearch() -> GardenSearch { GardenSearch(store) }
}
