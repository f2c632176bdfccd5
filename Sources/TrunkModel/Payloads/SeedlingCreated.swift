extension Payload {
  /// An idea was noted on a twig.
  public final class SeedlingCreated: PayloadCoding {
    static let type = "seedling_created"

    public let seedlingID: String
    public let twigID: String
    public let title: String
    public let notes: String?

    public init(seedlingID: String, twigID: String, title: String, notes: String? = nil) {
      self.seedlingID = seedlingID
      self.twigID = twigID
      self.title = title
      self.notes = notes
    }

    convenience init?(_ fields: PayloadFields) {
      guard let seedlingID = fields.id("seedlingId"), let twigID = fields.id("twigId"), let title = fields.text("title")
      else { return nil }
      self.init(seedlingID: seedlingID, twigID: twigID, title: title, notes: fields.text("notes"))
    }

    var asPayload: Payload { .seedlingCreated(self) }

    var entityID: String { seedlingID }

    var fields: [(name: String, value: FieldValue)] {
      [
        ("seedlingId", .text(seedlingID)), ("twigId", .text(twigID)),
        ("title", .words(title, .title)), ("notes", .words(notes, .seedlingNotes)),
      ]
    }
  }
}
