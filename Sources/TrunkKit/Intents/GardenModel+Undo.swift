import EventStore
import TrunkModel

extension GardenModel {
  /// Undoes the last action within its undo window; another call undoes the one before it.
  /// - Parameter offered: the action to undo. If it is not the last one, as at the second press of a double click,
  ///   nothing happens.
  /// - Returns: the action that was undone.
  @discardableResult
  public func undo(_ offered: Undoable? = nil) async throws -> Undoable? {
    try await serially { [self] in
      // Compare only the ids: `isPast` may have just changed.
      if let offered, offered.clientIDs != undoables.last?.clientIDs { return nil }
      guard let undoable = undoables.last else { throw IntentError.nothingToUndo }
      if undoable.action == .plant { try checkUnused(undoable.entityID) }
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
      return undoable
    }
  }

  /// Stops offering to undo what another program has undone or replaced.
  func dropUndoneElsewhere() async throws {
    for undoable in undoables where try await !store.hasUnsent(clientIDs: undoable.clientIDs) {
      undoables.removeAll { $0.clientIDs == undoable.clientIDs }
    }
  }
}

/// Undoing what any program has written, for a terminal: each of its commands is a program that has ended.
extension GardenModel {
  /// An action that was undone.
  public struct Undone: Sendable {
    /// The events that were removed, oldest first.
    public let events: [Event]
    /// The event that names the action: a planting rather than its new leaf.
    public let main: Event
    /// Whether the text of the action is a draft again.
    public let hasDraft: Bool
  }

  /// Undoes the last action of any program if its undo window isn't over and it isn't sent yet.
  /// - Throws: `nothingToUndo`, `tooLateToUndo`, `plantedInUse`, `StoreError`.
  public func undoLast() async throws -> Undone {
    try await serially { [self] in
      let events = try await store.undoableEvents(now: now)
      guard let main = events.first(where: { $0.type != EventKind.leafCreated.name }) else {
        throw IntentError.nothingToUndo
      }
      if case .sproutPlanted(let planted) = main.payload { try checkUnused(planted.sproutID) }
      let draft = draft(undoing: main, events)
      do {
        try await store.undo(clientIDs: events.compactMap(\.clientID), now: now, restoring: draft)
      } catch StoreError.undoWindowOver {
        throw IntentError.tooLateToUndo
      }
      try await applyNewEvents()
      return Undone(events: events, main: main, hasDraft: draft?.text.trimmed.isEmpty == false)
    }
  }

  /// Ends the undo windows of a terminal, which are longer than those of a window, so that its events can be sent. One
  /// that ends as soon as a window's ends by itself.
  public func endTerminalUndoWindows() async throws {
    try await store.endUndoWindows(openAt: clock.now().adding(seconds: GardenModel.undoSeconds))
  }

  /// The text of an action as a draft; `nil` if it has none.
  private func draft(undoing main: Event, _ events: [Event]) -> Draft? {
    func asked(_ prompt: String?, on twig: Node? = nil) -> AskedQuestion? {
      prompt.flatMap { $0.isEmpty ? nil : AskedQuestion($0, on: twig) }
    }
    let draft: Draft? =
      switch main.payload {
      case .sproutPlanted(let it): planted(it, events)
      case .sproutWatered(let it): draft(it.content, .water, it.sproutID, asked: asked(it.prompt))
      case .sunShone(let it): draft(it.content, .sun, "", asked: asked(it.prompt, on: Node(id: it.twigID)))
      case .sproutHarvested(let it): harvestDraft(it.reflection ?? "", result: it.result, of: it.sproutID)
      default: nil
      }
    return draft.flatMap { $0.text.isEmpty ? nil : $0 }
  }

  /// The form from which a sprout was planted.
  private func planted(_ it: Payload.SproutPlanted, _ events: [Event]) -> Draft? {
    guard let twig = Node(id: it.twigID) else { return nil }
    var form = PlantForm(twig: twig, leaf: .existing(id: it.leafID))
    for event in events {
      switch event.payload {
      case .leafCreated(let leaf): form.leaf = .new(name: leaf.name)
      case .seedlingDeleted(let seedling): form.seedlingID = seedling.seedlingID
      default: break
      }
    }
    (form.title, form.season, form.ground) = (it.title, it.season, it.environment)
    form.bloomWither = it.bloomWither ?? ""
    form.bloomBudding = it.bloomBudding ?? ""
    form.bloomFlourish = it.bloomFlourish ?? ""
    return DraftContent(form, in: .plantForm()).draft(at: now)
  }
}
