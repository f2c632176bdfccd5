import ArgumentParser
import Localization
import TrunkKit

struct DeleteSeedlingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: tr("Delete a seedling."),
    discussion: Examples([("trunkctl seedling delete bird", tr("an idea that is no longer wanted"))]).text)

  @OptionGroup var options: WriteOptions

  @Argument(help: ArgumentHelp(tr("Part of the title, or the id.")), completion: .seedlings)
  var seedling: String

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let seedling = try model.garden.seedling(named: seedling)
    try await model.deleteSeedling(seedling.id)

    await options.finish(
      model, .record(("seedling", model.garden.record(of: seedling))),
      [tr("Deleted the seedling “{title}”.", ["title": Output.safe(seedling.title)])])
  }
}
