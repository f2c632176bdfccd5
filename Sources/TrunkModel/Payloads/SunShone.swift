extension Payload {
  /// A weekly reflection was written about a twig.
  public final class SunShone: PayloadCoding {
    static let type = "sun_shone"

    public let twigID: String
    public let twigLabel: String
    public let content: String
    public let prompt: String?

    public init(twigID: String, twigLabel: String, content: String, prompt: String?) {
      self.twigID = twigID
      self.twigLabel = twigLabel
      self.content = content
      self.prompt = prompt
    }

    convenience init?(_ fields: PayloadFields) {
      guard let twigID = fields.id("twigId"), let twigLabel = fields.text("twigLabel"),
        let content = fields.text("content")
      else { return nil }
      self.init(twigID: twigID, twigLabel: twigLabel, content: content, prompt: fields.text("prompt"))
    }

    var asPayload: Payload { .sunShone(self) }

    var entityID: String { twigID }

    var fields: [(name: String, value: FieldValue)] {
      [
        ("twigId", .text(twigID)), ("twigLabel", .text(twigLabel)), ("content", .words(content, .reflection)),
        ("prompt", .question(prompt)),
      ]
    }
  }
}
