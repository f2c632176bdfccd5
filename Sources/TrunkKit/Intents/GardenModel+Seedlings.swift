import TrunkModel

extension GardenModel {
  /// Creates a seedling on a twig; it costs no soil.
  /// - Parameter draft: the draft of its form, which is removed.
  /// - Returns: its id.
  @discardableResult
  public func createSeedling(
    on twig: Node, title: String, notes: String = "", clearing draft: DraftContent? = nil
  ) async throws -> String {
    try await serially { [self] in
      let title = try GardenModel.title(title)
      let id = GardenModel.newID("seedling")
      let notes = GardenModel.nonBlank(notes)
      try await commit(
        [.seedlingCreated(.init(seedlingID: id, twigID: twig.id, title: title, notes: notes))],
        draft: draft?.draft(at: now))
      return id
    }
  }

  /// Edits a seedling. `nil` leaves a field unchanged; empty notes clear them.
  /// - Parameter draft: the draft of its form, which is removed.
  public func editSeedling(
    _ seedlingID: String, title: String? = nil, notes: String? = nil, clearing draft: DraftContent? = nil
  ) async throws {
    try await serially { [self] in
      guard let seedling = garden.seedling(id: seedlingID) else { throw IntentError.unknownSeedling }
      let newTitle = title == seedling.title ? nil : title
      let newNotes = notes.map { String($0.trimmed) }.flatMap { $0 == seedling.notes ?? "" ? nil : $0 }
      let edit = Payload.SeedlingEdited(
        seedlingID: seedlingID, title: try newTitle.map { try GardenModel.title($0) }, notes: newNotes)
      let isChange = edit.title != nil || edit.notes != nil
      try await commit(isChange ? [.seedlingEdited(edit)] : [], draft: draft?.draft(at: now))
    }
  }

  /// Deletes a seedling.
  public func deleteSeedling(_ seedlingID: String) async throws {
    try await serially { [self] in
      guard garden.seedling(id: seedlingID) != nil else { throw IntentError.unknownSeedling }
      try await commit([.seedlingDeleted(.init(seedlingID: seedlingID))], undo: .deleteSeedling)
    }
  }
}
