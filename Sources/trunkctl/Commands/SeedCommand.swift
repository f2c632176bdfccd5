import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct SeedCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seed",
    abstract: tr("Save an idea as a seedling. It costs no soil."),
    discussion: Examples([
      ("trunkctl seed \"Build a bird table\" --twig hands/fabrication", tr("an idea for later"))
    ]).text)

  @OptionGroup var options: WriteOptions

  @Argument(help: ArgumentHelp(tr("The idea, up to {n} characters.", ["n": "\(LimitedText.title.limit)"])))
  var title: String

  @Option(
    help: ArgumentHelp(tr("Where it belongs. “trunkctl node list” lists all twigs."), valueName: "branch/twig"),
    completion: .twigs)
  var twig: String

  @Option(
    help: ArgumentHelp(
      tr("Notes, up to {n} characters.", ["n": "\(LimitedText.seedlingNotes.limit)"]), valueName: "text"))
  var notes = ""

  @MainActor
  func run() async throws {
    let node = try await options.snapshot().garden.twig(named: twig)
    let model = try await options.open()
    let id = try await model.createSeedling(on: node, title: title, notes: notes)

    guard let seedling = model.garden.seedling(id: id) else { throw IntentError.unknownSeedling }
    await options.finish(
      model, .record(("seedling", model.garden.record(of: seedling))),
      [
        tr(
          "Saved “{title}” as a seedling on {twig}.",
          ["title": Output.safe(seedling.title), "twig": Output.safe(model.garden.path(ofTwig: seedling.twigID))])
      ])
  }
}
