import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct ShineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shine",
    abstract: tr("Write the reflection of the week on a twig."),
    discussion: tr("Without --twig, Trunk chooses a twig and a question.") + "\n\n"
      + Examples([
        ("trunkctl shine", tr("answer a question at the terminal")),
        ("trunkctl shine --twig heart/joy -m \"Two evenings by the stove.\"", tr("write about a twig of your choice")),
      ]).text)

  @OptionGroup var options: CommonOptions
  @OptionGroup var text: TextOptions

  @Option(help: ArgumentHelp(tr("The twig to write about."), valueName: "branch/twig"), completion: .twigs)
  var twig: String?

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let chosen = try twig.map { try model.garden.twig(named: $0) }
    try model.checkShining()
    var questions = try await model.questions()
    var random = SystemRandomNumberGenerator()
    let label = model.garden.label(of:)
    let (twig, question) =
      if let chosen {
        (chosen, questions.sun(about: chosen, label: label, using: &random))
      } else { questions.sun(label: label, using: &random) }
    let path = model.garden.path(ofTwig: twig.id)
    if text.isInteractive { Output.writeMessage(Output.safe(path)) }
    let reflection = try text.read(asking: question)
    try await model.shine(twig, text: reflection, question: question)

    let (garden, now) = (model.garden, model.now)
    if options.json {
      return Output.write(
        garden.answer(
          now: now, ("twigId", .string(twig.id)), ("twig", .text(twig.path)), ("question", .string(question))))
    }
    Output.write(tr("The sun has shone on {twig}.", ["twig": Output.safe(path)]))
    if !text.isInteractive { Output.write(Output.paragraphs(question)) }
  }
}
