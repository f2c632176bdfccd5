import EventStore

extension GardenModel {
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
}
