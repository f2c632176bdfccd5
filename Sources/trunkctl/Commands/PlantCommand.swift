import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct PlantCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plant",
    abstract: tr("Plant a sprout on a twig."),
    discussion: Examples([
      ("trunkctl plant \"Learn the cello prelude\" --twig voice/practice", tr("a month on fertile ground")),
      (
        "trunkctl plant \"Ten kilometres\" --twig core/movement --season 3m \\\n--ground firm --leaf Running",
        tr("a longer, harder one, on a leaf that is created if it is missing")
      ),
      ("trunkctl plant --seedling bird", tr("an idea that becomes a sprout")),
    ]).text)

  @OptionGroup var options: WriteOptions

  @Argument(help: ArgumentHelp(tr("The title, up to {n} characters.", ["n": "\(LimitedText.title.limit)"])))
  var title: String?

  @Option(
    help: ArgumentHelp(tr("Where it grows. “trunkctl node list” lists all twigs."), valueName: "branch/twig"),
    completion: .twigs)
  var twig: String?

  @Option(
    help: ArgumentHelp(
      tr("The seedling that becomes a sprout: a part of its title, or its id. Its title and twig are the default.")),
    completion: .seedlings)
  var seedling: String?

  @Option(help: ArgumentHelp(tr("How long it grows: two weeks, or 1, 3, 6 or 12 months.")))
  var season = Season.oneMonth

  @Option(help: ArgumentHelp(tr("How hard it is.")))
  var ground = Ground.fertile

  /// The name of `--ground` in version 0.1.
  @Option(help: .hidden)
  var environment: Ground?

  @Option(help: ArgumentHelp(tr("The name or id of its leaf; by default a new leaf named after the sprout.")))
  var leaf: String?

  @Option(help: ArgumentHelp(tr("What a poor harvest looks like."), valueName: "text"))
  var withering = ""

  @Option(help: ArgumentHelp(tr("What a fair harvest looks like."), valueName: "text"))
  var budding = ""

  @Option(help: ArgumentHelp(tr("What a rich harvest looks like."), valueName: "text"))
  var flourishing = ""

  func validate() throws {
    guard seedling == nil else { return }
    if title == nil { throw ValidationError(tr("Give a title, or a seedling with --seedling.")) }
    if twig == nil { throw ValidationError(tr("Name the twig with --twig.")) }
  }

  @MainActor
  func run() async throws {
    // Look up the names before creating a garden.
    var form = try form(in: await options.snapshot().garden)
    form.season = season
    form.ground = environment ?? ground
    form.bloomWither = withering
    form.bloomBudding = budding
    form.bloomFlourish = flourishing
    let model = try await options.open()
    let id = try await model.plant(form)

    let (garden, now) = (model.garden, model.now)
    guard let sprout = garden.sprout(id: id) else { throw IntentError.unknownSprout }
    let lines = [
      tr(
        "Planted “{title}” on {twig}.",
        ["title": Output.safe(sprout.title), "twig": Output.safe(garden.path(ofTwig: sprout.twigID))]),
      tr(
        "It can be harvested from {date}. Its id is {id}.",
        ["date": Formats.date(sprout.harvestDue, in: garden.zone), "id": sprout.shortID]),
      tr(
        "{cost} soil planted, {available} free.",
        ["cost": Formats.shortSoil(sprout.soilCost), "available": Formats.soil(garden.available)]),
    ]
    await options.finish(model, garden.answer(now: now, ("sprout", garden.record(of: sprout, now: now))), lines)
  }

  /// The title, twig, leaf and seedling that the user has named.
  private func form(in garden: Garden) throws -> GardenModel.PlantForm {
    let idea = try seedling.map { try garden.seedling(named: $0) }
    let planned = idea.flatMap { GardenModel.PlantForm(from: $0) }
    guard let node = try twig.map({ try garden.twig(named: $0) }) ?? planned?.twig else {
      throw Failure(.usage, tr("This version doesn’t know the twig of this seedling. Name another one with --twig."))
    }
    var form = GardenModel.PlantForm(twig: node, leaf: try garden.leafChoice(leaf ?? "", onTwig: node.id))
    form.title = title ?? idea?.title ?? ""
    form.seedlingID = idea?.id
    return form
  }
}
