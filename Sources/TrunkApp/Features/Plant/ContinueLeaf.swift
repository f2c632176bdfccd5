import TrunkKit
import TrunkModel

extension GardenModel.PlantForm {
  /// What the form was opened for: a seedling, a leaf or a twig. Each has a separate draft.
  var origin: String {
    if let seedlingID { return seedlingID }
    if case .existing(let id) = leaf { return id }
    return twig?.id ?? ""
  }

  /// A sprout that continues a leaf, prefilled from the one planted on it last.
  ///
  /// `nil` if the leaf has no sprout, or if its last sprout is on an unknown twig.
  init?(continuing leafID: String, in garden: Garden) {
    guard let latest = garden.latestSprout(onLeaf: leafID), let twig = latest.node, twig.isTwig else { return nil }
    self.init(twig: twig, leaf: .existing(id: leafID))
    title = latest.title
    season = latest.season
    ground = latest.ground
    bloomWither = latest.bloomWither ?? ""
    bloomBudding = latest.bloomBudding ?? ""
    bloomFlourish = latest.bloomFlourish ?? ""
  }
}

extension GardenModel {
  /// What the plant dialog starts with to continue a leaf; `nil` if the leaf can't be continued.
  func continuation(ofLeaf leafID: String) -> PlantForm? {
    PlantForm(continuing: leafID, in: garden)
  }
}
