import Garden
import GardenStore

extension Gardener {
  /// Where a new sprout belongs.
  public enum LeafChoice: Sendable, Equatable {
    case existing(id: String)
    /// Created together with the sprout, in one transaction.
    case new(name: String)
  }

  /// What the plant dialog asks for.
  public struct Planting: Sendable, Equatable {
    public var twig: Node
    public var title = ""
    public var leaf: LeafChoice
    public var season = Season.oneMonth
    public var environment = Environment.fertile
    public var bloomWither = ""
    public var bloomBudding = ""
    public var bloomFlourish = ""
    /// The idea that it grows from, deleted together with the planting.
    public var seedlingID: String?

    public init(twig: Node, leaf: LeafChoice = .new(name: "")) {
      self.twig = twig
      self.leaf = leaf
    }
  }

  /// Plants a sprout. A new leaf without a name takes the sprout's.
  /// - Parameter slot: where the form was kept as a draft; planting clears it, undoing restores it.
  /// - Returns: the id of the new sprout.
  @discardableResult
  public func plant(_ planting: Planting, from slot: PlantingSlot = .init(origin: "")) async throws -> String {
    try await serially { [self] in
      let title = try Gardener.title(planting.title, limit: Limits.title)
      let cost = Soil.cost(planting.season, planting.environment)
      guard cost <= garden.available else { throw GardeningError.soilMissing(cost: cost, available: garden.available) }
      let (leafID, leafCreated) = try leaf(for: planting, title: title)
      let sproutID = Gardener.newID("sprout")
      let planted = Content.SproutPlanted(
        sproutID: sproutID, twigID: planting.twig.id, title: title, season: planting.season,
        environment: planting.environment, soilCost: cost, leafID: leafID,
        bloomWither: try Gardener.bloom(planting.bloomWither), bloomBudding: try Gardener.bloom(planting.bloomBudding),
        bloomFlourish: try Gardener.bloom(planting.bloomFlourish))
      let deleted = planting.seedlingID.map { Content.seedlingDeleted(.init(seedlingID: $0)) }
      try await commit(
        [leafCreated, .sproutPlanted(planted), deleted].compactMap(\.self), undo: .plant, about: sproutID,
        draft: Draft(key: slot.key, text: planting.draftText, updated: now))
      return sproutID
    }
  }

  /// The leaf of a new sprout, and the event that creates it if it is new.
  private func leaf(for planting: Planting, title: String) throws -> (id: String, created: Content?) {
    switch planting.leaf {
    case .existing(let id): return (id, nil)
    case .new(let typed):
      let name = typed.trimmed.isEmpty ? String(title.prefix(Limits.leafName)) : String(typed.trimmed)
      try Gardener.check(name, limit: Limits.leafName)
      let id = Gardener.newID("leaf")
      return (id, .leafCreated(.init(leafID: id, twigID: planting.twig.id, name: name)))
    }
  }

  private nonisolated static func bloom(_ text: String) throws -> String? {
    try check(text, limit: Limits.bloom)
    return text.trimmed.isEmpty ? nil : String(text.trimmed)
  }

  /// Another program may have watered the sprout or continued its leaf: removing it would hide those entries.
  /// - Throws: `plantedInUse`.
  func checkUnused(_ undoable: Undoable) throws {
    guard let sprout = undoable.entityID.flatMap({ garden.sprout(id: $0) }) else { return }
    let isLatest = garden.latestSprout(onLeaf: sprout.leafID)?.id == sprout.id
    guard sprout.isActive, sprout.waterings.isEmpty, isLatest else {
      throw GardeningError.plantedInUse(title: sprout.title)
    }
  }
}
