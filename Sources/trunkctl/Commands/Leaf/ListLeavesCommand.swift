import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct ListLeavesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: tr("List the leaves, those with growing sprouts first."),
    discussion: Examples([
      ("trunkctl leaf list", tr("every leaf with the number of its sprouts")),
      ("trunkctl leaf list --twig voice/practice", tr("those that a sprout on this twig can continue")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Option(help: ArgumentHelp(tr("Only the leaves of this twig."), valueName: "branch/twig"), completion: .twigs)
  var twig: String?

  func run() async throws {
    let snapshot = try await options.snapshot()
    let garden = snapshot.garden
    let node = try twig.map { try garden.twig(named: $0) }
    let leaves = garden.leafSummaries.filter { node == nil || $0.leaf.twigID == node?.id }
    if options.json { return Output.write(.record(("leaves", .array(leaves.map { garden.record(of: $0) })))) }
    guard snapshot.model != nil else { return Output.write(CommonOptions.noGardenYet) }
    guard !leaves.isEmpty else { return Output.write(tr("There are no leaves.")) }
    let rows = leaves.map { summary in
      let progress = summary.progress
      return [
        summary.leaf.shortID, summary.leaf.name, garden.path(ofTwig: summary.leaf.twigID),
        trn("{n} sprout", "{n} sprouts", progress.total),
        progress.growing > 0 ? trn("{n} growing", "{n} growing", progress.growing) : "",
      ]
    }
    Output.write(Table(rows: rows).lines(indent: 0))
  }
}
