import Garden
import GardenStore
import Localization

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

  /// Whether there is something of which nobody was asked yet what is to become of it: also what was written while signed
  /// out, after the rest was brought in.
  public func shouldAskAboutUpload() async throws -> Bool {
    guard account != nil, try await gardener.store.value(.localEvents) != Memory.kept else { return false }
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

  /// What to say about it to whoever signs out: that leaves it here, also what was brought in.
  /// - Parameter isComplete: the server is known to have everything that is in the account's garden here.
  /// - Returns: `nil` if nothing is in it. Also what keeps it from being read: that keeps nobody from signing out.
  public func wordsOfWhatStays(isComplete: Bool) async -> String? {
    do {
      guard let store = try await localStore() else { return nil }
      let events = try await store.events(afterSeq: 0)
      guard !events.isEmpty else { return nil }
      let words = trn(
        "{n} entry from before you signed in stays on this computer and is shown again after signing out.",
        "{n} entries from before you signed in stay on this computer and are shown again after signing out.",
        events.count)
      // Nobody is told how to be rid of the only copy of anything.
      guard isComplete, try await store.drafts().isEmpty,
        try await gardener.store.importPreview(events.map(\.event)).new == 0
      else { return words }
      return words + " "
        + tr(
          "Where others use this computer under your name, close Trunk and delete the folder {folder}.",
          ["folder": Folders.garden()])
    } catch {
      return Synchroniser.localGardenProblem(error)
    }
  }

  /// Says why the garden of this computer can't be read.
  public static func localGardenProblem(_ error: any Error) -> String {
    tr("The garden of this computer can’t be read: {words}", ["words": plainWords(error)])
  }

  private func localEvents() async throws -> [LoggedEvent] {
    guard let store = try await localStore() else { return [] }
    let brought = try await gardener.store.value(.localEvents).flatMap(Int64.init) ?? 0
    return try await store.events(afterSeq: brought)
  }

  private func localStore() async throws -> GardenStore? {
    let folder = Folders.garden()
    // Opening would make a garden where there was none.
    guard account != nil, Folders.holdsGarden(folder) else { return nil }
    return try await GardenStore.open(folder: folder)
  }
}
