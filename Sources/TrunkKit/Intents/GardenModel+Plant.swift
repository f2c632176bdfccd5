import EventStore
import TrunkModel

extension GardenModel {
  /// The leaf of a new sprout.
  public enum LeafChoice: Sendable, Equatable {
    case existing(id: String)
    /// Created together with the sprout, in one transaction.
    case new(name: String)
  }

  /// The values of the plant form.
  public struct PlantForm: Sendable, Equatable {
    /// Where the sprout grows; `nil` until the user has chosen a place.
    public var twig: Node?
    public var title = ""
    public var leaf: LeafChoice
    public var season = Season.oneMonth
    public var ground = Ground.fertile
    public var bloomWither = ""
    public var bloomBudding = ""
    public var bloomFlourish = ""
    /// The seedling that it grows from, deleted when the form is planted.
    public var seedlingID: String?

    public init(twig: Node? = nil, leaf: LeafChoice = .new(name: "")) {
      self.twig = twig
      self.leaf = leaf
    }
  }

  /// Plants a sprout. A new leaf without a name gets the sprout's title.
  /// - Parameter slot: where the form was saved as a draft; planting clears it, undoing restores it.
  /// - Returns: the id of the new sprout.
  @discardableResult
  public func plant(_ form: PlantForm, from slot: DraftKey = .plantForm()) async throws -> String {
    try await serially { [self] in
      let title = try GardenModel.title(form.title)
      guard let twig = form.twig else { throw IntentError.placeMissing }
      let cost = Soil.cost(form.season, form.ground)
      guard cost <= garden.available else { throw IntentError.soilMissing(cost: cost, available: garden.available) }
      let (leafID, leafCreated) = GardenModel.leaf(form.leaf, onTwig: twig.id, title: title)
      let sproutID = GardenModel.newID("sprout")
      let planted = Payload.SproutPlanted(
        sproutID: sproutID, twigID: twig.id, title: title, season: form.season,
        environment: form.ground, soilCost: cost, leafID: leafID,
        bloomWither: GardenModel.nonBlank(form.bloomWither), bloomBudding: GardenModel.nonBlank(form.bloomBudding),
        bloomFlourish: GardenModel.nonBlank(form.bloomFlourish))
      let deleted = form.seedlingID.map { Payload.seedlingDeleted(.init(seedlingID: $0)) }
      try await commit(
        [leafCreated, .sproutPlanted(planted), deleted].compactMap(\.self), undo: .plant, about: sproutID,
        draft: DraftContent(form, in: slot).draft(at: now))
      return sproutID
    }
  }

  /// The leaf of a sprout, and the event that creates it if it is new.
  /// - Parameter title: the sprout's, which names a new leaf without a name.
  nonisolated static func leaf(
    _ choice: LeafChoice, onTwig twigID: String, title: String
  ) -> (id: String, created: Payload?) {
    switch choice {
    case .existing(let id): return (id, nil)
    case .new(let typed):
      let name = nonBlank(typed) ?? LimitedText.leafName.beginning(of: title)
      let id = newID("leaf")
      return (id, .leafCreated(.init(leafID: id, twigID: twigID, name: name)))
    }
  }

  /// Checks that no other program has watered the sprout or continued its leaf: removing it would hide those entries.
  /// - Throws: `plantedInUse`.
  func checkUnused(_ sproutID: String?) throws {
    guard let sprout = sproutID.flatMap({ garden.sprout(id: $0) }) else { return }
    let isLatest = garden.latestSprout(onLeaf: sprout.leafID)?.id.hasSameBytes(as: sprout.id) == true
    guard sprout.isActive, sprout.waterings.isEmpty, isLatest else {
      throw IntentError.plantedInUse(title: sprout.title)
    }
  }
}

extension GardenModel.PlantForm {
  /// A sprout prefilled from a seedling, which is deleted in the same transaction as the planting.
  ///
  /// `nil` if the seedling is on an unknown twig, which a newer version may have written.
  public init?(from seedling: Seedling) {
    guard let twig = Node(id: seedling.twigID), twig.isTwig else { return nil }
    self.init(twig: twig)
    title = seedling.title
    seedlingID = seedling.id
  }
}

extension Node {
  /// Whether a sprout can be planted here.
  package var isTwig: Bool {
    if case .twig = self { true } else { false }
  }
}
