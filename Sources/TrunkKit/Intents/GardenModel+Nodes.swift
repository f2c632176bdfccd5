import TrunkModel

/// The user's own names and notes for the places on the tree.
extension GardenModel {
  /// Changes the name or the note of a place. `nil` leaves it unchanged; a blank text, or the preset itself, goes back
  /// to the preset.
  /// - Parameter draft: the draft of its form, which is removed.
  public func update(
    _ node: Node, label: String? = nil, note: String? = nil, clearing draft: DraftContent? = nil
  ) async throws {
    try await serially { [self] in
      let own = garden.nodes[ExactID(node.id)]
      try await commit(
        .init(
          nodeID: node.id, label: GardenModel.changed(label, from: own?.label, preset: node.presetLabel),
          note: GardenModel.changed(note, from: own?.note, preset: node.presetNote)), undo: .editNode, draft)
    }
  }

  /// Goes back to the preset name and note of a place.
  /// - Parameter draft: the draft of its form, which is removed.
  public func restoreOriginal(_ node: Node, clearing draft: DraftContent? = nil) async throws {
    try await serially { [self] in
      let own = garden.nodes[ExactID(node.id)]
      func cleared(_ text: String?) -> String? { text?.isEmpty == false ? "" : nil }
      try await commit(
        .init(nodeID: node.id, label: cleared(own?.label), note: cleared(own?.note)), undo: .restoreNode, draft)
    }
  }

  /// Writes an event only if something changes.
  private func commit(
    _ update: Payload.NodeUpdated, undo action: Undoable.Action, _ draft: DraftContent?
  ) async throws {
    let isChange = update.label != nil || update.note != nil
    try await commit(isChange ? [.nodeUpdated(update)] : [], undo: action, draft: draft?.draft(at: now))
  }

  /// The value for the event: `nil` if nothing changes, empty for the preset.
  private nonisolated static func changed(_ text: String?, from old: String?, preset: String) -> String? {
    guard let text = text.map({ String($0.trimmed) }) else { return nil }
    let new = text == preset ? "" : text
    return new == old ?? "" ? nil : new
  }
}
