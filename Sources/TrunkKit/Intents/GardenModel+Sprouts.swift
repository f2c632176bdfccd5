import EventStore
import TrunkModel

/// What happens to a sprout after it was planted, apart from watering.
extension GardenModel {
  /// Checks whether a sprout can be harvested now.
  /// - Returns: the sprout.
  /// - Throws: the reason why not.
  @discardableResult
  public func checkHarvesting(_ sproutID: String) throws -> Sprout {
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
        ], undo: .harvest, draft: harvestDraft(reflection, result: result, of: sproutID))
    }
  }

  /// What a harvest replaces, and what undoing it brings back: its last step.
  func harvestDraft(_ reflection: String, result: Int, of sproutID: String) -> Draft {
    let progress = HarvestProgress(.write, result: result)
    return DraftContent(reflection, .harvest, about: sproutID, asked: progress.asked).draft(at: now)
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
              title: LimitedText.title.beginning(of: sprout.title))))
      }
      try await commit(payloads, undo: .uproot)
    }
  }

  /// Edits a sprout in any state. `nil` leaves a field unchanged; an empty bloom line clears it.
  /// - Parameters:
  ///   - leaf: the leaf that it moves to. A new one is created in the same transaction; without a name it gets the
  ///     sprout's title.
  ///   - draft: the draft of its form, which is removed.
  public func edit(
    _ sproutID: String, title: String? = nil, bloomWither: String? = nil, bloomBudding: String? = nil,
    bloomFlourish: String? = nil, leaf: LeafChoice? = nil, clearing draft: DraftContent? = nil
  ) async throws {
    try await serially { [self] in
      guard let sprout = garden.sprout(id: sproutID) else { throw IntentError.unknownSprout }
      let title = try title.map { try GardenModel.title($0) }
      func changed(_ new: String?, _ old: String?) -> String? { new == old ?? "" ? nil : new }
      let chosen = leaf.map { GardenModel.leaf($0, onTwig: sprout.twigID, title: title ?? sprout.title) }
      let edit = Payload.SproutEdited(
        sproutID: sproutID, title: changed(title, sprout.title),
        bloomWither: changed(bloomWither, sprout.bloomWither), bloomBudding: changed(bloomBudding, sprout.bloomBudding),
        bloomFlourish: changed(bloomFlourish, sprout.bloomFlourish), leafID: changed(chosen?.id, sprout.leafID))
      let fields = [edit.title, edit.bloomWither, edit.bloomBudding, edit.bloomFlourish, edit.leafID]
      let isChange = fields.contains { $0 != nil }
      try await commit(
        isChange ? [chosen?.created, .sproutEdited(edit)].compactMap(\.self) : [], draft: draft?.draft(at: now))
    }
  }
}
