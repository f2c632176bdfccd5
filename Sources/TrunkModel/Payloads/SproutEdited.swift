extension Payload {
  /// The title, blooms or leaf of a sprout changed. Missing fields stay as they were; an empty bloom clears it.
  public final class SproutEdited: PayloadCoding {
    static let type = "sprout_edited"

    public let sproutID: String
    public let title: String?
    public let bloomWither: String?
    public let bloomBudding: String?
    public let bloomFlourish: String?
    public let leafID: String?

    public init(
      sproutID: String, title: String? = nil, bloomWither: String? = nil, bloomBudding: String? = nil,
      bloomFlourish: String? = nil, leafID: String? = nil
    ) {
      self.sproutID = sproutID
      self.title = title
      self.bloomWither = bloomWither
      self.bloomBudding = bloomBudding
      self.bloomFlourish = bloomFlourish
      self.leafID = leafID
    }

    convenience init?(_ fields: PayloadFields) {
      guard let sproutID = fields.id("sproutId") else { return nil }
      self.init(
        sproutID: sproutID, title: fields.text("title"), bloomWither: fields.text("bloomWither"),
        bloomBudding: fields.text("bloomBudding"), bloomFlourish: fields.text("bloomFlourish"),
        leafID: fields.text("leafId"))
    }

    var asPayload: Payload { .sproutEdited(self) }

    var entityID: String { sproutID }

    var fields: [(name: String, value: FieldValue)] {
      [
        ("sproutId", .text(sproutID)), ("title", .words(title, .title)),
        ("bloomWither", .words(bloomWither, .withering)),
        ("bloomBudding", .words(bloomBudding, .budding)),
        ("bloomFlourish", .words(bloomFlourish, .flourishing)), ("leafId", .text(leafID)),
      ]
    }
  }
}
