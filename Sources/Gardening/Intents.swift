import Garden
import GardenStore

/// What the user can do. Each either happens completely, and is on the disk when it returns, or throws and changes nothing.
extension Gardener {
  /// Writes a journal entry on a growing sprout: once per sprout and day, three a day. The text may be empty.
  public func water(_ sproutID: String, text: String, prompt: String?) async throws {
    try await serially { [self] in
      try checkWatering(sproutID)
      try Gardener.check(text, limit: Limits.journal)
      try await commit(
        [.sproutWatered(.init(sproutID: sproutID, content: text, prompt: prompt))], undo: .water,
        draft: draft(text, .water, sproutID, asked: prompt.map { Asked($0) }))
    }
  }

  /// Whether a sprout could be watered now; to be asked before somebody writes a text for it.
  /// - Throws: the reason why not.
  public func checkWatering(_ sproutID: String) throws {
    let sprout = try growing(sproutID)
    guard !garden.wasWatered(sprout, onDayOf: now) else { throw GardeningError.alreadyWatered(title: sprout.title) }
    guard garden.waterLeft(at: now) > 0 else {
      throw GardeningError.noWaterLeft(
        returns: Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone))
    }
  }

  /// Whether the sun could shine now.
  /// - Throws: the reason why not.
  public func checkShining() throws {
    guard garden.sunLeft(at: now) > 0 else {
      throw GardeningError.noSunLeft(
        returns: Formats.moment(garden.zone.nextWeek(after: now), now: now, in: garden.zone))
    }
  }

  /// Writes the reflection of the week.
  public func shine(_ twig: Node, text: String, prompt: String?) async throws {
    try await serially { [self] in
      try checkShining()
      guard !text.trimmed.isEmpty else { throw GardeningError.textMissing }
      try Gardener.check(text, limit: Limits.journal)
      try await commit(
        [.sunShone(.init(twigID: twig.id, twigLabel: garden.label(of: twig), content: text, prompt: prompt))],
        undo: .shine, draft: draft(text, .sun, "", asked: prompt.map { Asked($0, on: twig) }))
    }
  }

  /// Harvests a sprout whose season is over.
  /// - Parameter result: 1…5.
  public func harvest(_ sproutID: String, result: Int, reflection: String) async throws {
    try await serially { [self] in
      try checkWhole()
      let sprout = try growing(sproutID)
      guard sprout.isReady(at: now) else {
        throw GardeningError.notReady(title: sprout.title, due: Formats.date(sprout.harvestDue, in: garden.zone))
      }
      try Gardener.check(reflection, limit: Limits.journal)
      let gained = Soil.capacityGained(
        sprout.season, sprout.environment, result: result, capacity: garden.capacity)
      try await commit(
        [
          .sproutHarvested(
            .init(
              sproutID: sproutID, result: result, capacityGained: gained,
              reflection: reflection.trimmed.isEmpty ? nil : reflection))
        ], undo: .harvest, draft: draft(reflection, .harvest, sproutID))
    }
  }

  /// Gives a sprout up; a quarter of its soil comes back.
  /// - Parameter keepingIdea: also make a seedling of it.
  public func uproot(_ sproutID: String, keepingIdea: Bool) async throws {
    try await serially { [self] in
      try checkWhole()
      let sprout = try growing(sproutID)
      var contents: [Content] = [
        .sproutUprooted(.init(sproutID: sproutID, soilReturned: Soil.returned(uprooting: sprout.soilCost)))
      ]
      if keepingIdea {
        contents.append(
          .seedlingCreated(
            .init(
              seedlingID: Gardener.newID("seedling"), twigID: sprout.twigID,
              title: String(sprout.title.prefix(Limits.seedlingTitle)))))
      }
      try await commit(contents, undo: .uproot)
    }
  }

  /// Changes what can be changed of a sprout, in any state. `nil` leaves a field as it is, an empty bloom clears it.
  public func edit(
    _ sproutID: String, title: String? = nil, bloomWither: String? = nil, bloomBudding: String? = nil,
    bloomFlourish: String? = nil, leafID: String? = nil
  ) async throws {
    try await serially { [self] in
      guard let sprout = garden.sprout(id: sproutID) else { throw GardeningError.unknownSprout }
      let title = try title.map { try Gardener.title($0, limit: Limits.title) }
      for bloom in [bloomWither, bloomBudding, bloomFlourish].compactMap({ $0 }) {
        try Gardener.check(bloom, limit: Limits.bloom)
      }
      func changed(_ new: String?, _ old: String?) -> String? { new == old ?? "" ? nil : new }
      let edit = Content.SproutEdited(
        sproutID: sproutID, title: changed(title, sprout.title),
        bloomWither: changed(bloomWither, sprout.bloomWither), bloomBudding: changed(bloomBudding, sprout.bloomBudding),
        bloomFlourish: changed(bloomFlourish, sprout.bloomFlourish), leafID: changed(leafID, sprout.leafID))
      let fields = [edit.title, edit.bloomWither, edit.bloomBudding, edit.bloomFlourish, edit.leafID]
      guard fields.contains(where: { $0 != nil }) else { return }
      try await commit([.sproutEdited(edit)])
    }
  }

  /// Notes an idea on a twig; it costs nothing.
  /// - Returns: the id of the new seedling.
  @discardableResult
  public func seed(_ twig: Node, title: String, notes: String = "") async throws -> String {
    try await serially { [self] in
      let title = try Gardener.title(title, limit: Limits.seedlingTitle)
      try Gardener.check(notes, limit: Limits.seedlingNotes)
      let id = Gardener.newID("seedling")
      let notes = notes.trimmed.isEmpty ? nil : String(notes.trimmed)
      try await commit([.seedlingCreated(.init(seedlingID: id, twigID: twig.id, title: title, notes: notes))])
      return id
    }
  }

  public func deleteSeedling(_ seedlingID: String) async throws {
    try await serially { [self] in
      guard garden.seedling(id: seedlingID) != nil else { throw GardeningError.unknownSeedling }
      try await commit([.seedlingDeleted(.init(seedlingID: seedlingID))], undo: .deleteSeedling)
    }
  }

  /// Takes the last action back, while that is possible; called again, the one before it.
  /// - Parameter offered: what somebody wants to take back; if that is not the last action any more, as at the second
  ///   press of a double click, nothing happens.
  /// - Returns: what was taken back.
  @discardableResult
  public func undo(_ offered: Undoable? = nil) async throws -> Undoable.Action? {
    try await serially { [self] in
      // Not the values as a whole: the offer may just have ended.
      if let offered, offered.clientIDs != undoables.last?.clientIDs { return nil }
      guard let undoable = undoables.last else { throw GardeningError.nothingToUndo }
      if undoable.action == .plant { try checkUnused(undoable) }
      // Restored drafts count as written now, so that the form that was just undone is the first to come back.
      let draft = undoable.draft.map { Draft(key: $0.key, text: $0.text, asked: $0.asked, updated: now) }
      do {
        try await store.removeHeld(clientIDs: undoable.clientIDs, now: now, restoring: draft)
      } catch StoreError.holdOver {
        undoables.removeLast()
        throw GardeningError.tooLateToUndo
      }
      undoables.removeLast()
      try await takeIn()
      return undoable.action
    }
  }

  /// Takes in events of a file: see `GardenStore.importEvents`.
  public func importEvents(_ events: [Event], superseded: [Event] = []) async throws -> AppendResult {
    try await serially { [self] in
      let result = try await store.importEvents(events, superseded: superseded)
      try await takeIn()
      return result
    }
  }

  /// Runs an intent in its turn, so that it sees what the one before it did, and what other programs wrote until now.
  func serially<Value: Sendable>(_ intent: @escaping @MainActor () async throws -> Value) async throws -> Value {
    try await inTurn { [self] in
      now = clock.now()
      try await takeIn()
      return try await intent()
    }
  }

  /// - Parameter entityID: what the action is about, if not what the first event is about.
  func commit(
    _ contents: [Content], undo action: Undoable.Action? = nil, about entityID: String? = nil, draft: Draft? = nil
  ) async throws {
    let now = now
    let events = contents.map { Event($0, at: now, clientID: Event.clientID(at: now, random: .random(in: 0 ... .max))) }
    let until = now.adding(seconds: Gardener.undoSeconds)
    let action = offersUndo ? action : nil
    _ = try await store.append(events, heldUntil: action == nil ? nil : until, clearing: draft)
    try await takeIn()
    guard let action else {
      // Taking back what came before it would come as a surprise.
      undoables = []
      return
    }
    undoables.removeAll { $0.until <= now }
    let undoable = Undoable(
      action: action, entityID: entityID ?? events.first?.entityID, clientIDs: events.compactMap(\.clientID),
      until: until,
      draft: draft.flatMap { $0.text.isEmpty ? nil : $0 })
    undoables.append(undoable)
    // The hold counts from before the store was written, however long that took.
    let left = Gardener.offerSeconds - max(0, Int64(clock.now().seconds(since: now)))
    Task { [weak self, clock] in
      // Only ended too early if the task is cancelled, which nobody does: then the offer would end with it.
      if left > 0 { try? await clock.pause(left) }
      guard let self, let position = undoables.firstIndex(of: undoable) else { return }
      undoables[position].isPast = true
    }
  }

  /// The draft that becomes an entry.
  private func draft(_ text: String, _ form: Form, _ entity: String, asked: Asked? = nil) -> Draft {
    Draft(key: draftKey(form, entity), text: text, asked: asked?.text, updated: now)
  }

  /// Of a part of a garden nobody knows what still grows.
  /// - Throws: `stillComing`.
  public func checkWhole() throws {
    if isPartial { throw GardeningError.stillComing }
  }

  private func growing(_ sproutID: String) throws -> Sprout {
    guard let sprout = garden.sprout(id: sproutID) else { throw GardeningError.unknownSprout }
    guard sprout.isActive else { throw GardeningError.notGrowing(title: sprout.title) }
    return sprout
  }

  nonisolated static func title(_ text: String, limit: Int) throws -> String {
    let title = String(text.trimmed)
    guard !title.isEmpty else { throw GardeningError.titleMissing }
    try check(title, limit: limit)
    return title
  }

  nonisolated static func check(_ text: String, limit: Int) throws {
    if text.count > limit { throw GardeningError.tooLong(count: text.count, limit: limit) }
  }

  /// `kind-<uuid>`, a random UUID of version 4, lower case.
  nonisolated static func newID(_ kind: String, using random: inout some RandomNumberGenerator) -> String {
    // The highest bit makes sure of 32 digits.
    var digits = Array(String(UInt128.random(in: 0 ... .max, using: &random) | 1 << 127, radix: 16))
    digits[12] = "4"
    digits[16] = ["8", "9", "a", "b"].randomElement(using: &random) ?? "8"
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }
    return kind + "-" + groups.joined(separator: "-")
  }

  nonisolated static func newID(_ kind: String) -> String {
    var random = SystemRandomNumberGenerator()
    return newID(kind, using: &random)
  }
}
