extension Payload {
  /// A sprout was given up; part of its soil was returned.
  public final class SproutUprooted: PayloadCoding {
    static let type = "sprout_uprooted"

    public let sproutID: String
    public let soilReturned: Double

    public init(sproutID: String, soilReturned: Double) {
      self.sproutID = sproutID
      self.soilReturned = soilReturned
    }

    convenience init?(_ fields: PayloadFields) {
      guard let sproutID = fields.id("sproutId"), let soilReturned = fields.amount("soilReturned") else { return nil }
      self.init(sproutID: sproutID, soilReturned: soilReturned)
    }

    var asPayload: Payload { .sproutUprooted(self) }

    var entityID: String { sproutID }

    var fields: [(name: String, value: FieldValue)] {
      [("sproutId", .text(sproutID)), ("soilReturned", .number(soilReturned))]
    }
  }
}
