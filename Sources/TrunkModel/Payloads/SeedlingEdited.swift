extension Payload {
  /// The title or notes of an idea changed. Missing fields stay as they were.
  public final class SeedlingEdited: PayloadCoding {
    static let type = "seedling_edited"

    public let seedlingID: String
    public let title: String?
    public let notes: String?

    public init(seedlingID: String, title: String? = nil, notes: String? = nil) {
      self.seedlingID = seedlingID
      self.title = title
      self.notes = notes
    }

    convenience init?(_ fields: PayloadFields) {
      guard let seedlingID = fields.id("seedlingId") else { return nil }
      self.init(seedlingID: seedlingID, title: fields.text("title"), notes: fields.text("notes"))
    }

    var asPayload: Payload { .seedlingEdited(self) }

    var entityID: String { seedlingID }

    var fields: [(name: String, value: FieldValue)] {
      [
        ("seedlingId", .text(seedlingID)), ("title", .words(title, .title)),
        ("notes", .words(notes, .seedlingNotes)),
      ]
    }
  }
}
