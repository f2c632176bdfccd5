import ArgumentParser
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

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

struct ListNodesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: tr("List the branches and twigs with their names and notes."),
    discussion: Examples([
      ("trunkctl node list", tr("the whole tree")),
      ("trunkctl node list --json", tr("the same for another program")),
    ]).text)

  @OptionGroup var options: CommonOptions

  func run() async throws {
    let garden = try await options.snapshot().garden
    if options.json {
      return Output.write(.record(("nodes", .array(Node.places.map { garden.record(of: $0) }))))
    }
    // The twigs of a branch are indented below it.
    let rows = Node.places.map { node in
      let isTwig = if case .twig = node { true } else { false }
      return [(isTwig ? "  " : "") + (node.place ?? ""), garden.label(of: node), garden.note(of: node)]
    }
    Output.write(Table(rows: rows).lines(indent: 0))
  }
}

struct RenameNodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: tr("Rename a branch or twig."),
    discussion: Examples([
      ("trunkctl node rename voice/practice Cello", tr("give a twig your own name")),
      ("trunkctl node rename voice/practice \"\"", tr("go back to the original name")),
    ]).text)

  @OptionGroup var options: CommonOptions
  @OptionGroup var place: PlaceArgument

  @Argument(help: ArgumentHelp(tr("The name, up to 40 characters; an empty one restores the original.")))
  var name: String

  func run() async throws {
    try await place.change(options) { try await $0.update($1, label: name) }
  }
}

struct NoteNodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note",
    abstract: tr("Change the note of a branch or twig."),
    discussion: Examples([
      ("trunkctl node note voice \"Everything that sounds\"", tr("your own note")),
      ("trunkctl node note voice \"\"", tr("go back to the original note")),
    ]).text)

  @OptionGroup var options: CommonOptions
  @OptionGroup var place: PlaceArgument

  @Argument(help: ArgumentHelp(tr("The note; an empty one restores the original.")))
  var text: String

  func run() async throws {
    try await place.change(options) { try await $0.update($1, note: text) }
  }
}

struct RestoreNodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: tr("Restore the original name and note of a branch or twig."),
    discussion: Examples([("trunkctl node restore cello", tr("go back to the original name and note"))]).text)

  @OptionGroup var options: CommonOptions
  @OptionGroup var place: PlaceArgument

  func run() async throws {
    try await place.change(options) { try await $0.restoreOriginal($1) }
  }
}

/// The branch or twig that a command changes.
struct PlaceArgument: ParsableArguments {
  @Argument(help: ArgumentHelp(tr("A branch or twig, like “voice” or “voice/practice”.")), completion: .places)
  var place: String

  /// Changes the place and shows it.
  @MainActor
  fileprivate func change(
    _ options: CommonOptions, _ intent: @MainActor (GardenModel, Node) async throws -> Void
  ) async throws {
    // Look up the name before creating a garden.
    let node = try await options.snapshot().garden.place(named: place)
    let model = try await options.open()
    try await intent(model, node)

    let garden = model.garden
    if options.json { return Output.write(.record(("node", garden.record(of: node)))) }
    Output.write([Output.safe(garden.path(ofTwig: node.id))] + Output.paragraphs(garden.note(of: node)))
  }
}
