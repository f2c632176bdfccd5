import ArgumentParser
import Localization
import TrunkKit

/// Pages of journals that other programs have exported.
struct PagesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pages",
    abstract: tr("Import, list and remove pages of earlier journals."),
    discussion: tr(
      "Earlier pages appear beside the garden. They are never sent to a server: import the same file on each computer."
    )
      + "\n\n"
      + Examples([
        ("trunkctl pages import --dry-run journal.txt", tr("show what would be imported")),
        ("trunkctl pages import journal.txt", tr("import it")),
        ("trunkctl pages list", tr("what was imported")),
      ]).text,
    subcommands: [ListPagesCommand.self, ImportPagesCommand.self, RemovePagesCommand.self],
    defaultSubcommand: ListPagesCommand.self)
}
