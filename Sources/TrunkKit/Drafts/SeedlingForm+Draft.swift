import TrunkModel

extension GardenModel {
  /// The values of the form for a new seedling.
  public struct SeedlingForm: Sendable, Equatable {
    public var twig: Node
    public var title: String
    public var notes: String

    public init(twig: Node, title: String = "", notes: String = "") {
      (self.twig, self.title, self.notes) = (twig, title, notes)
    }
  }

  /// The form of a seedling that was not saved; `nil` if there is none.
  public func unfinishedSeedling() async throws -> SeedlingForm? {
    try await unfinishedText(.seedling, about: "")?.seedlingForm
  }
}

extension DraftContent {
  /// The draft of a new seedling; `nil` if nothing was written.
  public init(_ form: GardenModel.SeedlingForm?) {
    // The first line is the title, the others are the notes. The twig's id is stored in place of a question.
    self.init(
      form.map { $0.title + "\n" + $0.notes } ?? "", .seedling, about: "",
      asked: form.map { GardenModel.AskedQuestion($0.twig.id) })
  }

  /// The form of a new seedling; `nil` if it is the draft of something else or empty.
  public var seedlingForm: GardenModel.SeedlingForm? {
    guard !text.isEmpty, let twig = asked(in: .seedling).flatMap({ Node(id: $0.question) }) else { return nil }
    let title = text.prefix { $0 != "\n" }
    return .init(twig: twig, title: String(title), notes: String(text.dropFirst(title.count + 1)))
  }
}
