import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct ListSeedlingsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: tr("List the seedlings, newest first."),
    discussion: Examples([
      ("trunkctl seedling list", tr("ideas for later")),
      ("trunkctl seedling list --json", tr("the same for another program")),
    ]).text)

  @OptionGroup var options: CommonOptions

  func run() async throws {
    let snapshot = try await options.snapshot()
    let garden = snapshot.garden
    let seedlings = Array(garden.seedlings.reversed())
    if options.json { return Output.write(.record(("seedlings", garden.record(of: seedlings)))) }
    guard snapshot.model != nil else { return Output.write(CommonOptions.noGardenYet) }
    guard !seedlings.isEmpty else { return Output.write(tr("There are no seedlings.")) }
    let rows = seedlings.map { [$0.shortID, $0.title, garden.path(ofTwig: $0.twigID), $0.notes ?? ""] }
    Output.write(Table(rows: rows).lines(indent: 0))
  }
}
