import ArgumentParser
import Garden
import Gardening
import Localization

struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: tr("Write a believable garden of some years."),
    discussion: Examples([
      ("trunkctl demo --years 3 --into-store", tr("fill a store that is still empty")),
      ("trunkctl demo --years 20 --to demo.json", tr("write an export file")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Option(help: ArgumentHelp(tr("How many years, from 1 to 60."), valueName: "n"))
  var years: Int

  @Option(
    name: .customLong("to"), help: ArgumentHelp(tr("Write an export file; - for standard output."), valueName: "file"))
  var file: String?

  @Flag(help: ArgumentHelp(tr("Write into the store, which must be empty.")))
  var intoStore = false

  @Option(help: ArgumentHelp(tr("Another number makes another life."), valueName: "n"))
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp(tr("About how many events, for measurements."), valueName: "n"))
  var events: Int?

  @Option(help: ArgumentHelp(tr("The instant at which it ends; by default now."), valueName: "instant"))
  var now: Instant?

  func validate() throws {
    guard (1...60).contains(years) else { throw ValidationError(tr("The years are a number from 1 to 60.")) }
    guard (1...1_000_000).contains(events ?? 1) else {
      throw ValidationError(tr("The events are a number from 1 to 1000000."))
    }
    guard (file != nil) != intoStore else {
      throw ValidationError(tr("Say where it goes: either --to a file or --into-store."))
    }
  }

  @MainActor
  func run() async throws {
    let now = now ?? Clock.system.now()
    let demo = DemoGarden(years: years, now: now, zone: Clock.system.zone(), seed: seed, eventCount: events)
    if let file {
      let events = demo.events()
      try Files.write(ExportFile.encode(events, exportedAt: now), to: file)
      return file == "-" ? () : report(events.count)
    }
    let gardener = try await options.open()
    guard try await gardener.store.count() == 0 else {
      throw Failure(
        .refused, tr("There is a garden already. A demo goes into an empty store, or into a file with --to."))
    }
    let events = demo.events()
    _ = try await gardener.importEvents(events)
    report(events.count)
  }

  private func report(_ count: Int) {
    if options.json { return Output.write(.record(("events", .number(count)), ("years", .number(years)))) }
    Output.write(trn("A garden of {n} event is written.", "A garden of {n} events is written.", count))
  }
}
