import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct HarvestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "harvest",
    abstract: tr("Harvest a sprout whose season is over."),
    discussion: tr("Results: 1 withered, 2 wilted, 3 budded, 4 bloomed, 5 flourished.") + "\n\n"
      + Examples([
        (
          "trunkctl harvest kilometres --result 4 -m \"All ten, in the rain.\"",
          tr("its soil comes back, and your soil grows")
        )
      ]).text)

  @OptionGroup var options: WriteOptions

  @Argument(help: ArgumentHelp(tr("Part of the title, or the id.")), completion: .growingSprouts)
  var sprout: String

  @Option(help: ArgumentHelp(tr("The result, from 1 to 5."), valueName: "n"))
  var result: Int

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(tr("A reflection; - reads standard input."), valueName: "text"))
  var message = ""

  func validate() throws {
    guard (1...5).contains(result) else { throw ValidationError(tr("--result must be a number from 1 to 5.")) }
  }

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let sprout = try model.garden.sprout(named: sprout)
    // Before the user writes something that can't be saved.
    try model.checkHarvesting(sprout.id)
    let before = model.garden.capacity
    let reflection = try message == "-" ? String(Files.readText("-").trimmed) : message
    try await model.harvest(sprout.id, result: result, reflection: reflection)

    let (garden, now) = (model.garden, model.now)
    let gained = garden.capacity - before
    let harvested = garden.sprout(id: sprout.id).map { garden.record(of: $0, now: now) }
    await options.finish(
      model, garden.answer(now: now, ("sprout", harvested), ("capacityGained", .number(gained))),
      [
        tr(
          "Harvested “{title}”: {result}.",
          ["title": Output.safe(sprout.title), "result": Formats.result(result).lowercased()]),
        tr(
          "{cost} soil is free again, and your soil grew by {gained}.",
          ["cost": Formats.shortSoil(sprout.soilCost), "gained": Formats.shortSoil(gained)]),
      ])
  }
}
