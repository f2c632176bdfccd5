import EventStore
import Localization
import SyncEngine
import TrunkKit
import TrunkModel

/// The garden from before the sign-in. It stays in its folder; its events can be copied into the account's garden.
@MainActor
public struct LocalUpload {
  let accountModel: AccountModel

  private var account: Account? { accountModel.account }
  private var model: GardenModel { accountModel.model }

  /// Returns what the account lacks and the user hasn't added to it before, including what was written while signed out
  /// after an earlier upload.
  public func contents() async throws -> LocalContents {
    guard let store = try await localStore() else { return LocalContents() }
    let entries = try await localEvents().newCount
    return LocalContents(
      entries: entries, drafts: try await undecided(store.drafts()).count,
      pages: try await model.store.missingPages(undecidedJournals(of: store)))
  }

  /// Whether the user has decided to keep the local garden on this computer only.
  public func isDeclined() async throws -> Bool {
    try await model.store.value(.localEvents) == LocalEventsDecision.kept.text
  }

  /// Copies the local events into the account's garden. They keep their IDs, so repeating it is harmless. Unfinished
  /// texts and superseded versions come along: in the local garden, the user wouldn't see them until they sign out.
  @discardableResult
  public func run() async throws -> UploadResult {
    guard let store = try await localStore() else { return UploadResult() }
    let local = try await localEvents()
    // Includes events that the account already has, because their text may differ.
    let events = try await store.events(seqs: local.undecided.map(\.seq)).map(\.event)
    let all = try await store.drafts()
    let drafts = try await undecided(all)
    let journals = try await undecidedJournals(of: store)
    let pages = try await model.store.missingPages(journals)
    guard !events.isEmpty || !drafts.isEmpty || pages > 0 else { return UploadResult() }
    let result = try await model.importEvents(
      events, superseded: store.superseded().map(\.event), journals: journals,
      hidden: store.hiddenMarks(), drafts: drafts)
    // The account may have had some of them already.
    try await model.store.hide(store.hiddenMarks())
    try await model.store.set(LocalEventsDecision(uploaded: local.all).text, for: .localEvents)
    try await model.store.set(Draft.digest(of: all), for: .localDrafts)
    try await model.store.set(store.pageState(), for: .localPages)
    return UploadResult(
      count: result.inserted.count, drafts: drafts.count, pages: pages, conflicts: result.conflicts)
  }

  /// Those of the local drafts that the account lacks; none if all were added before. The user may have finished or
  /// discarded them in the account since.
  private func undecided(_ drafts: [Draft]) async throws -> [Draft] {
    if try await model.store.value(.localDrafts) == Draft.digest(of: drafts) { return [] }
    return try await model.store.missingDrafts(drafts)
  }

  /// The local earlier pages; none if they were added before and haven't changed. The user may have removed them from
  /// the account since.
  private func undecidedJournals(of store: EventStore) async throws -> [EarlierJournal] {
    try await model.store.value(.localPages) == store.pageState() ? [] : store.journals()
  }

  /// Keeps the local events on this computer only and doesn't ask again.
  public func decline() async throws {
    try await model.store.set(LocalEventsDecision.kept.text, for: .localEvents)
  }

  /// Returns the message about the local garden for signing out, which leaves it on this computer.
  /// - Parameter isComplete: whether the server is known to have the whole local copy of the account's garden.
  /// - Returns: `nil` if the local garden is empty. If it can't be read, the message says why: that must not prevent
  ///   signing out.
  public func noticeForSignOut(isComplete: Bool) async -> String? {
    do {
      guard let store = try await localStore() else { return nil }
      let events = try await store.events(afterSeq: 0)
      guard !events.isEmpty else { return nil }
      let start = trn(
        "{n} entry from before you signed in stays on this computer and is shown again after signing out.",
        "{n} entries from before you signed in stay on this computer and are shown again after signing out.",
        events.count)
      // Never suggest deleting the only copy of an entry or a draft.
      let preview = try await model.store.importPreview(events.map(\.event))
      guard isComplete, preview.new == 0, preview.conflicts.isEmpty, try await store.drafts().isEmpty,
        try await store.superseded().isEmpty, try await model.store.missingPages(store.journals()) == 0,
        try !EventStore.hasSetAsideFiles(in: store.folder),
        try await accountHasAllOfLocalBackups()
      else { return start }
      return start + " "
        + tr(
          "If others use this computer with your user account, close Trunk and delete the folder {folder}.",
          ["folder": Folders.garden()])
    } catch {
      return LocalUpload.problem(error)
    }
  }

  /// Whether the account's garden has everything that is in the backups of the local garden. They may be older than the
  /// garden: it can be started over when its file is missing.
  private func accountHasAllOfLocalBackups() async throws -> Bool {
    let known = try await model.store.knownIdentities()
    return await Task.detached {
      do throws(UndeletableCopies) {
        let backups = try EventStore.deletableCopies(
          below: nil, backupsIn: Folders.garden(), isOnServer: { known.contains(ExactID($0)) })
        return backups.drafts == 0 && backups.superseded == 0 && backups.pages == 0
      } catch {
        // They have more than the account, or can't be read and may have more.
        return false
      }
    }.value
  }

  /// Returns the message for an error that keeps this computer's garden from being read.
  public static func problem(_ error: any Error) -> String {
    tr("This computer’s garden can’t be read: {words}", ["words": userMessage(for: error)])
  }

  /// The identities of the local events.
  private struct LocalEvents {
    var all: [LocalIdentity] = []
    /// The events that were not imported.
    var undecided: ArraySlice<LocalIdentity> = []
    /// The number of undecided events that the account doesn't have.
    var newCount = 0
  }

  private func localEvents() async throws -> LocalEvents {
    guard let store = try await localStore() else { return LocalEvents() }
    let all = try await store.localIdentities()
    let undecided = LocalEventsDecision(text: try await model.store.value(.localEvents)).undecided(all)
    guard !undecided.isEmpty else { return LocalEvents(all: all) }
    let known = try await model.store.knownIdentities()
    return LocalEvents(
      all: all, undecided: undecided, newCount: undecided.count { !known.contains(ExactID($0.identity)) })
  }

  private func localStore() async throws -> EventStore? {
    let folder = Folders.garden()
    // Opening would create a garden if there is none.
    guard account != nil, try EventStore.holdsGarden(in: folder) else { return nil }
    return try await EventStore.open(folder: folder)
  }
}

extension AccountModel {
  public var localUpload: LocalUpload { LocalUpload(accountModel: self) }
}
