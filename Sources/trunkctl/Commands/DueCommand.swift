import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct DueCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "due",
    abstract: tr("List what has not been watered today."),
    discussion: Examples([
      ("trunkctl due", tr("growing sprouts, least recently watered first")),
      ("trunkctl due --json | jq '.due | length'", tr("their number, for a script")),
    ]).text)

  @OptionGroup var options: CommonOptions

  func run() async throws {
    let snapshot = try await options.snapshot()
    let due = snapshot.garden.due(at: snapshot.now)
    if options.json {
      return Output.write(
        snapshot.garden.answer(now: snapshot.now, ("due", snapshot.garden.record(of: due, now: snapshot.now))))
    }
    guard snapshot.model != nil else { return Output.write(CommonOptions.noGardenYet) }
    if due.isEmpty {
      let isEmpty = snapshot.garden.growing.isEmpty
      return Output.write(isEmpty ? tr("Nothing is growing.") : tr("Everything has been watered today."))
    }
    Output.write(DueCommand.table(due, snapshot).lines(indent: 0))
  }

  /// A table with the title, the twig and the last watering of each sprout.
  static func table(_ sprouts: [Sprout], _ snapshot: GardenSnapshot) -> Table {
    Table(
      rows: sprouts.map { sprout in
        let last =
          sprout.lastWatered.map { Formats.ago($0, now: snapshot.now, in: snapshot.zone) } ?? tr("not watered yet")
        return [sprout.title, snapshot.garden.path(ofTwig: sprout.twigID), last]
      })
  }
}
