extension Payload {
  /// A sprout was given up; part of its soil was returned.
  public struct SproutUprooted: PayloadCoding {
    static let type = "sprout_uprooted"

    public var sproutID: String
    public var soilReturned: Double

    public init(sproutID: String, soilReturned: Double) {
      self.sproutID = sproutID
      self.soilReturned = soilReturned
    }

    init?(_ fields: PayloadFields) {
      guard let sproutID = fields.id("sproutId"), let soilReturned = fields.amount("soilReturned") else { return nil }
      self.init(sproutID: sproutID, soilReturned: soilReturned)
    }

    var asPayload: Payload { .sproutUprooted(self) }

    var entityID: String { sproutID }

    var fields: [(name: String, value: JSON?)] {
      [("sproutId", .text(sproutID)), ("soilReturned", .number(soilReturned))]
    }
  }
}
