import ArgumentParser
import Localization
import TrunkKit

/// The ideas that were noted for later; `seed` notes one.
struct SeedlingCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "seedling",
    abstract: tr("List, edit and delete seedlings."),
    discussion: Examples([
      ("trunkctl seedling list", tr("ideas for later")),
      ("trunkctl seedling edit bird --notes \"for robins\"", tr("other notes; the title stays")),
      ("trunkctl seedling delete bird", tr("an idea that is no longer wanted")),
    ]).text,
    subcommands: [ListSeedlingsCommand.self, EditSeedlingCommand.self, DeleteSeedlingCommand.self],
    defaultSubcommand: ListSeedlingsCommand.self)
}
