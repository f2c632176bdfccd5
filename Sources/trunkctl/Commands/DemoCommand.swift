import ArgumentParser
import Localization
import TrunkDemo
import TrunkKit
import TrunkModel

struct DemoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: tr("Write a realistic garden that covers several years."),
    discussion: Examples([
      ("trunkctl demo --years 3 --into-store", tr("fill an empty garden")),
      ("trunkctl demo --years 20 --to demo.json", tr("write an export file")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Option(help: ArgumentHelp(tr("The number of years, from 1 to 60."), valueName: "n"))
  var years: Int

  @Option(
    name: .customLong("to"), help: ArgumentHelp(tr("Write an export file; - for standard output."), valueName: "file"))
  var file: String?

  @Flag(help: Files.forceHelp)
  var force = false

  @Flag(help: ArgumentHelp(tr("Write into this computer’s garden, which must be empty.")))
  var intoStore = false

  @Option(
    help: ArgumentHelp(tr("The seed of the random generator. Each number makes a different garden."), valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp(tr("The approximate number of events, for measurements."), valueName: "n"))
  var events: Int?

  @Option(help: ArgumentHelp(tr("The instant at which the garden ends, by default now."), valueName: "instant"))
  var now: Instant?

  func validate() throws {
    guard (1...60).contains(years) else { throw ValidationError(tr("--years must be a number from 1 to 60.")) }
    guard (1...1_000_000).contains(events ?? 1) else {
      throw ValidationError(tr("--events must be a number from 1 to 1000000."))
    }
    guard (file != nil) != intoStore else {
      throw ValidationError(tr("Use either --to or --into-store."))
    }
  }

  @MainActor
  func run() async throws {
    let now = now ?? WallClock.system.now()
    let demo = DemoGarden(years: years, now: now, zone: WallClock.system.zone(), seed: seed, eventCount: events)
    if let file {
      let events = demo.events()
      try Files.write(ExportFile.encode(events, exportedAt: now), to: file, replacing: force)
      return file == "-" ? () : report(events.count)
    }
    let model = try await options.open()
    guard try await model.countEvents() == 0 else {
      throw Failure(
        .notAllowed, tr("This computer’s garden is not empty. To write the demo into a file, use --to."))
    }
    let events = demo.events()
    _ = try await model.importEvents(events)
    report(events.count)
  }

  private func report(_ count: Int) {
    if options.json { return Output.write(.record(("events", .number(count)), ("years", .number(years)))) }
    Output.write(trn("Wrote a garden of {n} event.", "Wrote a garden of {n} events.", count))
  }
}
