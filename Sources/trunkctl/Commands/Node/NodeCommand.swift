import ArgumentParser
import Localization
import TrunkKit

/// The names and notes of branches and twigs.
struct NodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "node",
    abstract: tr("List and change the names and notes of branches and twigs."),
    discussion: tr("Other versions of Trunk don’t show your names.") + "\n\n"
      + Examples([
        ("trunkctl node list", tr("the whole tree")),
        ("trunkctl node rename voice/practice Cello", tr("give a twig your own name")),
        ("trunkctl node restore cello", tr("go back to the original name and note")),
      ]).text,
    subcommands: [ListNodesCommand.self, RenameNodeCommand.self, NoteNodeCommand.self, RestoreNodeCommand.self],
    defaultSubcommand: ListNodesCommand.self)
}
