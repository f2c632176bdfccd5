import ArgumentParser
import Garden
import Gardening
import Localization

struct Derive: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Print the garden that follows from a file of events."),
    discussion: tr("It needs no store: the answer depends on nothing but the file, the instant and the zone.") + "\n\n"
      + Examples([
        (
          "trunkctl derive --events log.json --now 2026-11-21T08:00:00Z --time-zone Europe/Berlin",
          tr("the garden of an export file on a morning in Berlin")
        )
      ]).text)

  @OptionGroup var options: CommonOptions

  @Option(
    help: ArgumentHelp(
      tr("A JSON array of events, or an object with “events”; - for standard input."), valueName: "file"))
  var events: String

  @Option(help: ArgumentHelp(tr("An ISO 8601 instant, such as 2026-11-21T08:00:00Z."), valueName: "instant"))
  var now: Instant

  @Option(help: ArgumentHelp(tr("A zone of the tz database, such as Europe/Berlin."), valueName: "zone"))
  var timeZone: String

  func run() async throws {
    guard let zone = Zone.named(timeZone) else {
      throw Failure(.usage, tr("“{zone}” is not a time zone. Write it as in “Europe/Berlin”.", ["zone": timeZone]))
    }
    let text = try Files.readText(events)
    do {
      let events = try ExportFile.decodeEvents(text).withoutDuplicates()
      let report = Garden(events, zone: zone).report(now: now) { events[Int($0)] }
      Output.write(report.canonicalText)
    } catch {
      throw Failure(.file, error.message(path: events))
    }
  }
}
