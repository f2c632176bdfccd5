import EventStore
import TrunkModel

extension DraftKey {
  /// A new slot for a plant form. Every form has its own, so that undoing a planting can't overwrite a newer form.
  /// - Parameter origin: where the form was opened: the id of a seedling, a leaf or a twig; empty for the command.
  public static func plantForm(from origin: String = "") -> DraftKey {
    GardenModel.DraftForm.plant.draftKey(about: origin).newSlot()
  }
}

extension DraftContent {
  public init(_ form: GardenModel.PlantForm, in key: DraftKey) { self.init(form.fields, in: key) }

  /// The plant form; `nil` if this isn't a valid one. Then it stays in its slot, and new forms get other slots.
  public var plantForm: GardenModel.PlantForm? { .init(fields) }
}

extension GardenModel.PlantForm {
  fileprivate var fields: [String: String] {
    var fields = [
      "title": title, "season": season.rawValue, "ground": ground.rawValue, "withering": bloomWither,
      "budding": bloomBudding, "flourishing": bloomFlourish,
    ]
    (fields["twig"], fields["seedling"]) = (twig?.id, seedlingID)
    switch leaf {
    case .existing(let id): fields["leaf"] = id
    case .new(let name): fields["newLeaf"] = name
    }
    return fields
  }

  fileprivate init?(_ fields: [String: String]) {
    guard let title = fields["title"] else { return nil }
    let twig = fields["twig"].map(Node.init(id:))
    // A form whose place this version doesn't know stays in its slot.
    if case .some(nil) = twig { return nil }
    self.init(twig: twig ?? nil, leaf: fields["leaf"].map { .existing(id: $0) } ?? .new(name: fields["newLeaf"] ?? ""))
    self.title = title
    season = fields["season"].flatMap { Season(rawValue: $0) } ?? season
    ground = fields["ground"].flatMap { Ground(rawValue: $0) } ?? ground
    bloomWither = fields["withering"] ?? ""
    bloomBudding = fields["budding"] ?? ""
    bloomFlourish = fields["flourishing"] ?? ""
    seedlingID = fields["seedling"]
  }
}
