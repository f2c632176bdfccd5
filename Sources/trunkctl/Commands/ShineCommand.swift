import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct ShineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shine",
    abstract: tr("Write this week’s reflection on a twig."),
    discussion: tr("At a terminal, Trunk asks a question, and without --twig it chooses the twig.") + "\n\n"
      + Examples([
        ("trunkctl shine", tr("answer a question at the terminal")),
        ("trunkctl shine --twig heart/joy -m \"Two evenings by the stove.\"", tr("write about a twig of your choice")),
      ]).text)

  @OptionGroup var options: WriteOptions
  @OptionGroup var text: TextOptions

  @Option(help: ArgumentHelp(tr("The twig to write about."), valueName: "branch/twig"), completion: .twigs)
  var twig: String?

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let chosen = try twig.map { try model.garden.twig(named: $0) }
    try model.checkShining()
    let (twig, question) = try await choose(chosen, model)
    let path = model.garden.path(ofTwig: twig.id)
    if text.isInteractive { Output.writeMessage(Output.safe(path)) }
    let reflection = try text.read(asking: question)
    // A text given on the command line answers no question.
    let asked = question.map { GardenModel.AskedQuestion($0, on: twig) }
    try await text.keep(DraftContent(reflection, .sun, about: "", asked: asked), in: model) {
      try await model.shine(twig, text: reflection, question: question)
    }

    let (garden, now) = (model.garden, model.now)
    await options.finish(
      model,
      garden.answer(
        now: now, ("twigId", .string(twig.id)), ("twig", .text(twig.path)), ("question", .string(question ?? ""))),
      [tr("The sun has shone on {twig}.", ["twig": Output.safe(path)])])
  }

  /// Chooses a twig and a question, but only if the user sees them before they write.
  /// - Parameter twig: the twig that the user has named.
  /// - Returns: the twig, and the question to ask; `nil` if the text isn't typed at a terminal.
  @MainActor
  private func choose(_ twig: Node?, _ model: GardenModel) async throws -> (twig: Node, question: String?) {
    guard text.isInteractive else {
      guard let twig else {
        throw Failure(.usage, tr("Name a twig with --twig. Trunk chooses one only if you type the text at a terminal."))
      }
      return (twig, nil)
    }
    var questions = try await model.questions()
    let label = model.garden.label(of:)
    guard let twig else { return questions.sun(SunDraw(model.garden, at: model.now), label: label) }
    var random = SystemRandomNumberGenerator()
    return (twig, questions.sun(about: twig, label: label, using: &random))
  }
}
