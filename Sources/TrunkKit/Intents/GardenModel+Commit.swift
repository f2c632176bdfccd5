import EventStore
import TrunkModel

/// What all actions of the user have in common. Each either succeeds completely and is on disk when it returns, or
/// throws and changes nothing.
extension GardenModel {
  /// Runs an intent after all earlier ones, with the events that other programs have written so far. If one of them
  /// writes while it runs, it runs again: two programs together must not use more water, sun or soil than there is.
  func serially<Value: Sendable>(_ intent: @escaping @MainActor () async throws -> Value) async throws -> Value {
    try await inTurn { [self] in
      while true {
        now = clock.now()
        try await applyNewEvents()
        do { return try await intent() } catch StoreError.changed { continue }
      }
    }
  }

  /// Writes the events of an action in one transaction, applies them, and offers to undo them. Without events, only the
  /// draft is removed.
  /// - Parameters:
  ///   - instant: when they happened; by default now.
  ///   - entityID: the object that the action changes; by default the entity of the first event.
  ///   - draft: the draft that they replace.
  /// - Throws: `tooLong`, `tooLarge`, `StoreError`.
  func commit(
    _ payloads: [Payload], at instant: Instant? = nil, undo action: Undoable.Action? = nil,
    about entityID: String? = nil, draft: Draft? = nil
  ) async throws {
    guard !payloads.isEmpty else {
      if let draft { try await store.removeDraft(draft) }
      return
    }
    let now = now
    let events = try events(payloads, at: instant ?? now, writtenAt: now)
    let until = now.adding(seconds: undoWindow)
    let action = offersUndo ? action : nil
    try await apply(
      try await store.append(
        events, undoableUntil: offersUndo && (action != nil || holdsEdits) ? until : nil, clearing: draft,
        unlessClearedSince: expectedClears,
        unlessChangedSince: LogPosition(generation: generation, lastSeq: lastSeq)))
    guard let action else {
      // Undoing an action from before this one would surprise the user.
      undoables = []
      return
    }
    undoables.removeAll { $0.until <= now }
    let undoable = Undoable(
      action: action, entityID: entityID ?? events.first?.entityID, clientIDs: events.compactMap(\.clientID),
      until: until,
      draft: draft.flatMap { $0.text.isEmpty ? nil : $0 })
    undoables.append(undoable)
    // The undo window began before the event was written, so subtract the time that writing took.
    let left = GardenModel.offerSeconds - max(0, Int64(clock.now().seconds(since: now)))
    Task { [weak self, clock] in
      // `pause` throws only on cancellation, and this task is never cancelled. If it were, the offer would just end
      // early.
      if left > 0 { try? await clock.pause(left) }
      guard let self, let position = undoables.firstIndex(of: undoable) else { return }
      undoables[position].isPast = true
    }
  }

  /// - Throws: `IntentError` if a text exceeds its limits. One from another source may; only a new one has to keep
  ///   them.
  private func events(_ payloads: [Payload], at instant: Instant, writtenAt now: Instant) throws -> [Event] {
    for (text, kind) in payloads.flatMap(\.words) where !kind.fits(text) {
      throw text.count > kind.limit
        ? IntentError.tooLong(kind, count: text.count) : .tooLarge(kind, bytes: text.utf8.count)
    }
    let timeZone = garden.zone.databaseName(at: now)
    return payloads.map {
      Event(
        $0, at: instant, timeZone: timeZone,
        clientID: Event.clientID(at: instant, random: .random(in: 0 ... .max)))
    }
  }

  /// The draft that an entry replaces.
  func draft(_ text: String, _ form: DraftForm, _ entity: String, asked: AskedQuestion? = nil) -> Draft {
    Draft(key: form.draftKey(about: entity), text: text, asked: asked?.text, updated: now)
  }

  /// Checks that the initial sync isn't running: until it is done, we can't tell which sprouts are still growing.
  /// - Throws: `initialSyncRunning`.
  public func checkInitialSync() throws {
    if initialSync == .running { throw IntentError.initialSyncRunning }
  }

  /// - Throws: `unknownSprout`, `notGrowing`.
  func growing(_ sproutID: String) throws -> Sprout {
    guard let sprout = garden.sprout(id: sproutID) else { throw IntentError.unknownSprout }
    guard sprout.isActive else { throw IntentError.notGrowing(title: sprout.title) }
    return sprout
  }

  nonisolated static func title(_ text: String) throws -> String {
    guard let title = nonBlank(text) else { throw IntentError.titleMissing }
    return title
  }

  /// The text without surrounding white space; `nil` if nothing is left.
  nonisolated static func nonBlank(_ text: String) -> String? {
    text.trimmed.isEmpty ? nil : String(text.trimmed)
  }

  /// `kind-<uuid>`, a random UUID of version 4, lower case.
  package nonisolated static func newID(_ kind: String, using random: inout some RandomNumberGenerator) -> String {
    kind + "-" + RandomUUID.text(using: &random)
  }

  package nonisolated static func newID(_ kind: String) -> String { kind + "-" + RandomUUID.text() }
}
