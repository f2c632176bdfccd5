import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct DeriveCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "derive",
    abstract: tr("Print the garden derived from a file of events."),
    discussion: tr("It doesn’t read your garden: the result depends only on the file, the instant and the time zone.")
      + "\n\n"
      + Examples([
        (
          "trunkctl derive --events log.json --now 2026-11-21T08:00:00Z \\\n--time-zone Europe/Berlin",
          tr("the garden of an export file, one morning in Berlin")
        )
      ]).text)

  @OptionGroup var options: CommonOptions

  @Option(
    help: ArgumentHelp(
      tr("A JSON array of events, or an object with “events”; - for standard input."), valueName: "file"))
  var events: String

  @Option(help: ArgumentHelp(tr("An ISO 8601 instant, such as 2026-11-21T08:00:00Z."), valueName: "instant"))
  var now: Instant

  @Option(help: ArgumentHelp(tr("A time zone of the tz database, such as Europe/Berlin."), valueName: "zone"))
  var timeZone: String

  func run() async throws {
    guard let zone = Zone.named(timeZone) else {
      throw Failure(.usage, tr("“{zone}” is not a time zone. Write it like “Europe/Berlin”.", ["zone": timeZone]))
    }
    let text = try Files.readText(events)
    do {
      let events = try ExportFile.decodeEvents(text).withoutDuplicates()
      let report = Garden(events, zones: Zones(zone) { Zone.named($0) }).report(now: now) { events[Int($0)] }
      Output.write(report.canonicalText)
    } catch {
      throw Failure(.file, error.message(path: events))
    }
  }
}
