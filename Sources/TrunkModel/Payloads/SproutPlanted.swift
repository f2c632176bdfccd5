extension Payload {
  /// A sprout was planted on a twig, for a season, at a price in soil.
  public final class SproutPlanted: PayloadCoding {
    static let type = "sprout_planted"

    public let sproutID: String
    public let twigID: String
    public let title: String
    public let season: Season
    public let environment: Ground
    public let soilCost: Double
    public let leafID: String
    public let bloomWither: String?
    public let bloomBudding: String?
    public let bloomFlourish: String?

    public init(
      sproutID: String, twigID: String, title: String, season: Season, environment: Ground, soilCost: Double,
      leafID: String, bloomWither: String? = nil, bloomBudding: String? = nil, bloomFlourish: String? = nil
    ) {
      self.sproutID = sproutID
      self.twigID = twigID
      self.title = title
      self.season = season
      self.environment = environment
      self.soilCost = soilCost
      self.leafID = leafID
      self.bloomWither = bloomWither
      self.bloomBudding = bloomBudding
      self.bloomFlourish = bloomFlourish
    }

    convenience init?(_ fields: PayloadFields) {
      guard let sproutID = fields.id("sproutId"), let twigID = fields.id("twigId"), let title = fields.text("title"),
        let season = fields.text("season").flatMap(Season.init(rawValue:)),
        let environment = fields.text("environment").flatMap(Ground.init(rawValue:)),
        let soilCost = fields.amount("soilCost"), let leafID = fields.text("leafId")
      else { return nil }
      self.init(
        sproutID: sproutID, twigID: twigID, title: title, season: season, environment: environment, soilCost: soilCost,
        leafID: leafID, bloomWither: fields.text("bloomWither"), bloomBudding: fields.text("bloomBudding"),
        bloomFlourish: fields.text("bloomFlourish"))
    }

    var asPayload: Payload { .sproutPlanted(self) }

    var entityID: String { sproutID }

    var fields: [(name: String, value: FieldValue)] {
      [
        ("sproutId", .text(sproutID)), ("twigId", .text(twigID)), ("title", .words(title, .title)),
        ("season", .text(season.rawValue)), ("environment", .text(environment.rawValue)),
        ("soilCost", .number(soilCost)), ("leafId", .text(leafID)),
        ("bloomWither", .words(bloomWither, .withering)),
        ("bloomBudding", .words(bloomBudding, .budding)),
        ("bloomFlourish", .words(bloomFlourish, .flourishing)),
      ]
    }
  }
}
