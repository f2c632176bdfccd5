extension Payload {
  /// A journal entry was written about a sprout.
  public final class SproutWatered: PayloadCoding {
    static let type = "sprout_watered"

    public let sproutID: String
    public let content: String
    public let prompt: String?

    public init(sproutID: String, content: String, prompt: String?) {
      self.sproutID = sproutID
      self.content = content
      self.prompt = prompt
    }

    convenience init?(_ fields: PayloadFields) {
      guard let sproutID = fields.id("sproutId"), let content = fields.text("content") else { return nil }
      self.init(sproutID: sproutID, content: content, prompt: fields.text("prompt"))
    }

    var asPayload: Payload { .sproutWatered(self) }

    var entityID: String { sproutID }

    var fields: [(name: String, value: FieldValue)] {
      [("sproutId", .text(sproutID)), ("content", .words(content, .entry)), ("prompt", .question(prompt))]
    }
  }
}
