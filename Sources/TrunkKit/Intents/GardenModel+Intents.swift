import EventStore
import TrunkModel

/// The user's actions. Each either succeeds completely and is on disk when it returns, or throws and changes nothing.
extension GardenModel {
  /// Waters a growing sprout with a journal entry: once per sprout and day, three times a day. The text may be empty.
  public func water(_ sproutID: String, text: String, question: String?) async throws {
    try await serially { [self] in
      try checkWatering(sproutID)
      try await commit(
        [.sproutWatered(.init(sproutID: sproutID, content: text, prompt: question))], undo: .water,
        draft: draft(text, .water, sproutID, asked: question.map { AskedQuestion($0) }))
    }
  }

  /// Checks whether a sprout can be watered now, before the user writes a text.
  /// - Throws: the reason why not.
  public func checkWatering(_ sproutID: String) throws {
    let sprout = try growing(sproutID)
    guard !garden.wasWatered(sprout, onDayOf: now) else { throw IntentError.alreadyWatered(title: sprout.title) }
    guard garden.waterLeft(at: now) > 0 else {
      throw IntentError.noWaterLeft(
        returns: Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone))
    }
  }

  /// Checks whether the sun can shine now.
  /// - Throws: the reason why not.
  public func checkShining() throws {
    guard garden.sunLeft(at: now) > 0 else {
      throw IntentError.noSunLeft(
        returns: Formats.moment(garden.zone.nextWeek(after: now), now: now, in: garden.zone))
    }
  }

  /// Writes the weekly reflection.
  public func shine(_ twig: Node, text: String, question: String?) async throws {
    try await serially { [self] in
      try checkShining()
      guard !text.trimmed.isEmpty else { throw IntentError.textMissing }
      try await commit(
        [.sunShone(.init(twigID: twig.id, twigLabel: garden.label(of: twig), content: text, prompt: question))],
        undo: .shine, draft: draft(text, .sun, "", asked: question.map { AskedQuestion($0, on: twig) }))
    }
  }

  /// Checks whether a sprout can be harvested now.
  /// - Returns: the sprout.
  /// - Throws: the reason why not.
  @discardableResult
  func checkHarvesting(_ sproutID: String) throws -> Sprout {
    try checkInitialSync()
    let sprout = try growing(sproutID)
    guard sprout.isReady(at: now) else {
      throw IntentError.notReady(title: sprout.title, due: Formats.date(sprout.harvestDue, in: garden.zone))
    }
    return sprout
  }

  /// Harvests a sprout whose season is over.
  /// - Parameter result: 1…5.
  public func harvest(_ sproutID: String, result: Int, reflection: String) async throws {
    try await serially { [self] in
      let sprout = try checkHarvesting(sproutID)
      let gained = Soil.capacityGained(
        sprout.season, sprout.ground, result: result, capacity: garden.capacity)
      try await commit(
        [
          .sproutHarvested(
            .init(
              sproutID: sproutID, result: result, capacityGained: gained,
              reflection: reflection.trimmed.isEmpty ? nil : reflection))
        ], undo: .harvest, draft: draft(reflection, .harvest, sproutID))
    }
  }

  /// Uproots a sprout; a quarter of its soil comes back.
  /// - Parameter creatingSeedling: whether to create a seedling with the same title.
  public func uproot(_ sproutID: String, creatingSeedling: Bool) async throws {
    try await serially { [self] in
      try checkInitialSync()
      let sprout = try growing(sproutID)
      var payloads: [Payload] = [
        .sproutUprooted(.init(sproutID: sproutID, soilReturned: Soil.returned(uprooting: sprout.soilCost)))
      ]
      if creatingSeedling {
        payloads.append(
          .seedlingCreated(
            .init(
              seedlingID: GardenModel.newID("seedling"), twigID: sprout.twigID,
              title: String(sprout.title.prefix(Limits.seedlingTitle)))))
      }
      try await commit(payloads, undo: .uproot)
    }
  }

  /// Edits a sprout in any state. `nil` leaves a field unchanged; an empty bloom line clears it.
  public func edit(
    _ sproutID: String, title: String? = nil, bloomWither: String? = nil, bloomBudding: String? = nil,
    bloomFlourish: String? = nil, leafID: String? = nil
  ) async throws {
    try await serially { [self] in
      guard let sprout = garden.sprout(id: sproutID) else { throw IntentError.unknownSprout }
      let title = try title.map { try GardenModel.title($0) }
      func changed(_ new: String?, _ old: String?) -> String? { new == old ?? "" ? nil : new }
      let edit = Payload.SproutEdited(
        sproutID: sproutID, title: changed(title, sprout.title),
        bloomWither: changed(bloomWither, sprout.bloomWither), bloomBudding: changed(bloomBudding, sprout.bloomBudding),
        bloomFlourish: changed(bloomFlourish, sprout.bloomFlourish), leafID: changed(leafID, sprout.leafID))
      let fields = [edit.title, edit.bloomWither, edit.bloomBudding, edit.bloomFlourish, edit.leafID]
      guard fields.contains(where: { $0 != nil }) else { return }
      try await commit([.sproutEdited(edit)])
    }
  }

  /// Undoes the last action within its undo window; another call undoes the one before it.
  /// - Parameter offered: the action to undo. If it is not the last one, as at the second press of a double click,
  ///   nothing happens.
  /// - Returns: the action that was undone.
  @discardableResult
  public func undo(_ offered: Undoable? = nil) async throws -> Undoable.Action? {
    try await serially { [self] in
      // Compare only the ids: `isPast` may have just changed.
      if let offered, offered.clientIDs != undoables.last?.clientIDs { return nil }
      guard let undoable = undoables.last else { throw IntentError.nothingToUndo }
      if undoable.action == .plant { try checkUnused(undoable) }
      // Restored drafts get the current time, so that the form that was just undone is restored first.
      let draft = undoable.draft.map { Draft(key: $0.key, text: $0.text, asked: $0.asked, updated: now) }
      do {
        try await store.undo(clientIDs: undoable.clientIDs, now: now, restoring: draft)
      } catch StoreError.undoWindowOver {
        undoables.removeLast()
        throw IntentError.tooLateToUndo
      }
      undoables.removeLast()
      try await applyNewEvents()
      return undoable.action
    }
  }

  /// Imports the events of a file; see `EventStore.importEvents`.
  public func importEvents(
    _ events: [Event], superseded: [Event] = [], drafts: [Draft] = []
  ) async throws -> AppendResult {
    try await serially { [self] in
      let result = try await store.importEvents(
        events, superseded: superseded, drafts: drafts, unlessClearedSince: expectedClears)
      if !drafts.isEmpty { draftRevision += 1 }
      try await applyNewEvents()
      return result
    }
  }

  /// Restores everything in copies of this garden that it lacks.
  public func restore(_ comparison: CopyComparison) async throws -> Restored {
    try await serially { [self] in
      let restored = try await store.restore(comparison, unlessClearedSince: expectedClears)
      try await applyNewEvents()
      return restored
    }
  }

  /// Runs an intent after all earlier ones, with the events that other programs have written so far.
  func serially<Value: Sendable>(_ intent: @escaping @MainActor () async throws -> Value) async throws -> Value {
    try await inTurn { [self] in
      now = clock.now()
      try await applyNewEvents()
      return try await intent()
    }
  }

  /// - Parameter entityID: the object that the action changes; by default the entity of the first event.
  func commit(
    _ payloads: [Payload], undo action: Undoable.Action? = nil, about entityID: String? = nil, draft: Draft? = nil
  ) async throws {
    // A text from another source may exceed the limits. Only a new one has to keep them.
    for (text, limit) in payloads.flatMap(\.words) where text.count > limit {
      throw IntentError.tooLong(count: text.count, limit: limit)
    }
    let now = now
    let events = payloads.map { Event($0, at: now, clientID: Event.clientID(at: now, random: .random(in: 0 ... .max))) }
    let until = now.adding(seconds: GardenModel.undoSeconds)
    let action = offersUndo ? action : nil
    try await apply(
      try await store.append(
        events, undoableUntil: action == nil ? nil : until, clearing: draft, unlessClearedSince: expectedClears))
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

  /// The draft that an entry replaces.
  private func draft(_ text: String, _ form: TextForm, _ entity: String, asked: AskedQuestion? = nil) -> Draft {
    Draft(key: form.draftKey(about: entity), text: text, asked: asked?.text, updated: now)
  }

  /// Checks that the initial sync isn't running: until it is done, we can't tell which sprouts are still growing.
  /// - Throws: `initialSyncRunning`.
  public func checkInitialSync() throws {
    if initialSync == .running { throw IntentError.initialSyncRunning }
  }

  private func growing(_ sproutID: String) throws -> Sprout {
    guard let sprout = garden.sprout(id: sproutID) else { throw IntentError.unknownSprout }
    guard sprout.isActive else { throw IntentError.notGrowing(title: sprout.title) }
    return sprout
  }

  nonisolated static func title(_ text: String) throws -> String {
    let title = String(text.trimmed)
    guard !title.isEmpty else { throw IntentError.titleMissing }
    return title
  }

  /// `kind-<uuid>`, a random UUID of version 4, lower case.
  package nonisolated static func newID(_ kind: String, using random: inout some RandomNumberGenerator) -> String {
    kind + "-" + RandomUUID.text(using: &random)
  }

  package nonisolated static func newID(_ kind: String) -> String { kind + "-" + RandomUUID.text() }
}
