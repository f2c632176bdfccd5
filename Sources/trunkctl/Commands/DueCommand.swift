import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct DueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "due",
    abstract: tr("List what needs water today."),
    discussion: tr("A sprout that is ready to harvest needs none, and during rest nothing does.") + "\n\n"
      + Examples([
        ("trunkctl due", tr("growing sprouts, least recently watered first")),
        ("trunkctl due --json | jq '.due | length'", tr("their number, for a script")),
      ]).text)

  @OptionGroup var options: CommonOptions

  func run() async throws {
    let snapshot = try await options.snapshot()
    let due = snapshot.today.due
    if options.json {
      return Output.write(
        snapshot.garden.answer(now: snapshot.now, ("due", snapshot.garden.record(of: due, now: snapshot.now))))
    }
    guard snapshot.model != nil else { return Output.write(CommonOptions.noGardenYet) }
    if due.isEmpty { return Output.write(DueCommand.nothing(snapshot)) }
    Output.write(DueCommand.table(due, snapshot).lines(indent: 0))
  }

  /// Why nothing is due.
  private static func nothing(_ snapshot: GardenSnapshot) -> String {
    if snapshot.garden.growing.isEmpty { return tr("Nothing is growing.") }
    if let rest = snapshot.resting {
      let until = Formats.dayAndYear(rest.last, today: snapshot.day)
      return tr("Nothing is due: the garden rests until {date}.", ["date": until])
    }
    return snapshot.today.watered.isEmpty
      ? tr("Nothing is due: everything that grows is ready to harvest.") : tr("Everything has been watered today.")
  }

  /// A table with the title, the twig and the last watering of each sprout.
  static func table(_ sprouts: [Sprout], _ snapshot: GardenSnapshot) -> Table {
    Table(
      rows: sprouts.map { sprout in
        let last =
          snapshot.garden.lastWatered(sprout, at: snapshot.now).map { Formats.ago($0.day, today: snapshot.day) }
          ?? tr("not watered yet")
        return [sprout.title, snapshot.garden.path(ofTwig: sprout.twigID), last]
      })
  }
}
