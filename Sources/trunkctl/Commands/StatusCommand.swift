import ArgumentParser
import EventStore
import Localization
import TrunkKit
import TrunkModel

struct StatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: tr("Show the state of the garden."),
    discussion: Examples([
      ("trunkctl status", tr("soil, water, sun, and what is due")),
      ("trunkctl status --json | jq .water.left", tr("how much water is left today")),
    ]).text)

  @OptionGroup var options: CommonOptions

  func run() async throws {
    let snapshot = try await options.snapshot()
    var result: Result<SyncState, StoreError>?
    if let model = snapshot.model { result = try await options.syncState(model) }
    // An error of `result` is thrown at the end.
    let sync = try? result?.get()
    if let problem = await MainActor.run(body: { Settings().restProblem }) { Output.writeMessage(problem) }
    try await snapshot.model?.otherGardenNotices().forEach(Output.writeMessage)
    if options.json {
      Output.write(StatusCommand.json(snapshot, sync, try snapshot.model?.otherGardens() ?? []))
    } else if snapshot.model == nil {
      Output.write(CommonOptions.noGardenYet)
    } else {
      Output.write([Greeting.phrase(at: snapshot.now, in: snapshot.zone), ""] + TodayCommand.lines(snapshot))
      if let sync {
        Output.write(["", tr("Sync")] + sync.lines(now: snapshot.now, in: snapshot.zone).map { "  " + $0 })
      }
    }
    if let failure = try result?.get().failure, failure.code == .missing { throw failure }
  }
}

extension StatusCommand {
  private static func json(_ snapshot: GardenSnapshot, _ sync: SyncState?, _ others: [OtherGarden]) -> JSON {
    let (garden, now) = (snapshot.garden, snapshot.now)
    return garden.answer(
      now: now, ("now", .instant(now)), ("timeZone", .string(snapshot.zone.identifier)),
      ("events", .number(garden.eventCount)), ("ignored", .number(garden.ignoredCount)),
      ("growing", .number(garden.growing.count)), ("ready", garden.record(of: snapshot.today.ready, now: now)),
      ("due", garden.record(of: snapshot.today.due, now: now)),
      ("wateredToday", garden.record(of: garden.wateredToday(at: now), now: now)),
      ("rest", snapshot.rest.record(today: snapshot.zone.dayKey(now), streak: snapshot.streak)),
      ("nextHarvest", garden.upcoming(at: now).first.map { garden.record(of: $0, now: now) }),
      ("otherGardens", .array(others.map { .string($0.path) })), ("sync", sync.map { JSON.object($0.members) }))
  }
}
