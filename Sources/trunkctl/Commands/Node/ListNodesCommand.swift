import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

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
