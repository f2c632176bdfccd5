import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

extension SproutFilter: ExpressibleByArgument {
  public init?(argument: String) {
    guard let filter = SproutFilter.allCases.first(where: { "\($0)" == argument }) else { return nil }
    self = filter
  }

  public static var allValueStrings: [String] { allCases.map { "\($0)" } }

  public static var allValueDescriptions: [String: String] { [:] }
}

struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: tr("List the sprouts, most recently planted first."),
    discussion: Examples([
      ("trunkctl list --state growing", tr("growing sprouts")),
      ("trunkctl list --seedlings", tr("ideas for later")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Option(help: ArgumentHelp(tr("Only sprouts in this state.")))
  var state: SproutFilter?

  @Flag(help: ArgumentHelp(tr("List seedlings instead of sprouts.")))
  var seedlings = false

  func run() async throws {
    let snapshot = try await options.snapshot()
    let (garden, now) = (snapshot.garden, snapshot.now)
    var index = SproutIndex()
    index.update(to: garden)
    let sprouts = index.find("", state ?? .all, by: .planted, at: now).entries.map(\.sprout)
    if options.json {
      return Output.write(
        seedlings
          ? .record(("seedlings", garden.record(of: garden.seedlings.reversed())))
          : .record(("sprouts", garden.record(of: sprouts, now: now, hidden: snapshot.hidden))))
    }
    guard snapshot.model != nil else { return Output.write(CommonOptions.noGardenYet) }
    let table =
      seedlings
      ? garden.seedlings.reversed().map { [$0.title, garden.path(ofTwig: $0.twigID), $0.notes ?? ""] }
      : sprouts.map { [$0.shortID, $0.title, garden.path(ofTwig: $0.twigID), ListCommand.state(of: $0, snapshot)] }
    guard !table.isEmpty else {
      return Output.write(seedlings ? tr("There are no seedlings.") : tr("No sprouts found."))
    }
    Output.write(Table(rows: table).lines(indent: 0))
  }

  /// `34 days`, `ready`, `bloomed 3 months ago`.
  static func state(of sprout: Sprout, _ snapshot: GardenSnapshot) -> String {
    switch sprout.state {
    case .active: snapshot.garden.timeLeft(of: sprout, at: snapshot.now)
    case .completed(let harvest):
      Formats.result(harvest.result).lowercased() + ", " + Formats.ago(harvest.at.day, today: snapshot.day)
    case .uprooted(let at, _): tr("uprooted") + ", " + Formats.ago(at.day, today: snapshot.day)
    }
  }
}
