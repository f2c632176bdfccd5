extension Payload {
  /// A leaf was created on a twig.
  public final class LeafCreated: PayloadCoding {
    static let type = "leaf_created"

    public let leafID: String
    public let twigID: String
    public let name: String

    public init(leafID: String, twigID: String, name: String) {
      self.leafID = leafID
      self.twigID = twigID
      self.name = name
    }

    convenience init?(_ fields: PayloadFields) {
      guard let leafID = fields.id("leafId"), let twigID = fields.id("twigId"), let name = fields.text("name") else {
        return nil
      }
      self.init(leafID: leafID, twigID: twigID, name: name)
    }

    var asPayload: Payload { .leafCreated(self) }

    var entityID: String { leafID }

    var fields: [(name: String, value: FieldValue)] {
      [("leafId", .text(leafID)), ("twigId", .text(twigID)), ("name", .words(name, .leafName))]
    }
  }
}
