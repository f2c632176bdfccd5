import ArgumentParser
import Localization

/// The stories that sprouts continue; `plant` and `edit` create them.
struct LeafCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "leaf",
    abstract: tr("List the leaves."),
    discussion: tr(
      "A leaf is the story that a sprout starts. “trunkctl plant --leaf” continues it, and “trunkctl edit --leaf” moves a sprout to it."
    ) + "\n\n" + Examples([("trunkctl leaf list", tr("every leaf with the number of its sprouts"))]).text,
    subcommands: [ListLeavesCommand.self],
    defaultSubcommand: ListLeavesCommand.self)
}
