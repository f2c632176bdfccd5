extension Payload {
  /// An idea was removed, or became a sprout.
  public final class SeedlingDeleted: PayloadCoding {
    static let type = "seedling_deleted"

    public let seedlingID: String

    public init(seedlingID: String) {
      self.seedlingID = seedlingID
    }

    convenience init?(_ fields: PayloadFields) {
      guard let seedlingID = fields.id("seedlingId") else { return nil }
      self.init(seedlingID: seedlingID)
    }

    var asPayload: Payload { .seedlingDeleted(self) }

    var entityID: String { seedlingID }

    var fields: [(name: String, value: FieldValue)] {
      [("seedlingId", .text(seedlingID))]
    }
  }
}
