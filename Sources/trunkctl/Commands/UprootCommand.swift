import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct UprootCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "uproot",
    abstract: tr("Give up a growing sprout."),
    discussion: tr("A quarter of its soil comes back.") + "\n\n"
      + Examples([("trunkctl uproot cello --keep-idea", tr("keep the idea as a seedling"))]).text)

  @OptionGroup var options: WriteOptions

  @Argument(help: ArgumentHelp(tr("Part of the title, or the id.")), completion: .growingSprouts)
  var sprout: String

  @Flag(help: ArgumentHelp(tr("Keep the idea as a seedling.")))
  var keepIdea = false

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let sprout = try model.garden.sprout(named: sprout)
    try await model.uproot(sprout.id, creatingSeedling: keepIdea)

    let (garden, now) = (model.garden, model.now)
    let returned = Soil.returned(uprooting: sprout.soilCost)
    let uprooted = garden.sprout(id: sprout.id).map { garden.record(of: $0, now: now) }
    await options.finish(
      model, garden.answer(now: now, ("sprout", uprooted), ("soilReturned", .number(returned))),
      [
        tr(
          "Uprooted “{title}”. {soil} soil came back.",
          ["title": Output.safe(sprout.title), "soil": Formats.shortSoil(returned)])
      ])
  }
}
