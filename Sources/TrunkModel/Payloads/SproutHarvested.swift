extension Payload {
  /// A sprout was harvested with a result.
  public final class SproutHarvested: PayloadCoding {
    static let type = "sprout_harvested"

    public let sproutID: String
    /// 1…5.
    public let result: Int
    public let capacityGained: Double
    public let reflection: String?

    public init(sproutID: String, result: Int, capacityGained: Double, reflection: String?) {
      self.sproutID = sproutID
      self.result = result
      self.capacityGained = capacityGained
      self.reflection = reflection
    }

    convenience init?(_ fields: PayloadFields) {
      guard let sproutID = fields.id("sproutId"), let result = fields.amount("result").flatMap(Int.init(exactly:)),
        (1...5).contains(result), let capacityGained = fields.amount("capacityGained")
      else { return nil }
      self.init(
        sproutID: sproutID, result: result, capacityGained: capacityGained, reflection: fields.text("reflection"))
    }

    var asPayload: Payload { .sproutHarvested(self) }

    var entityID: String { sproutID }

    var fields: [(name: String, value: FieldValue)] {
      [
        ("sproutId", .text(sproutID)), ("result", .number(Double(result))), ("capacityGained", .number(capacityGained)),
        ("reflection", .words(reflection, .reflection)),
      ]
    }
  }
}
