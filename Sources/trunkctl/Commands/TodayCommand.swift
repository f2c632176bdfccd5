import ArgumentParser
import Localization
import TrunkKit
import TrunkModel

struct TodayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "today",
    abstract: tr("Show today: water left, what is due, and what is ready."),
    discussion: Examples([
      ("trunkctl today", tr("the day, without the greeting and without syncing")),
      ("trunkctl today --short", tr("water left, sprouts due and days in a row in one line, for a status bar")),
      ("trunkctl today --short --json", tr("the same as one line of JSON")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Flag(help: ArgumentHelp(tr("Print only one line: water left, sprouts due and days in a row.")))
  var short = false

  func run() async throws {
    let snapshot = try await options.snapshot()
    if options.json {
      let json = TodayCommand.json(snapshot)
      return short ? Output.writeLine(json) : Output.write(json)
    }
    if short { return Output.write(TodayCommand.line(snapshot)) }
    Output.write(
      snapshot.model == nil ? CommonOptions.noGardenYet : TodayCommand.lines(snapshot).joined(separator: "\n"))
  }
}

extension TodayCommand {
  private static func json(_ snapshot: GardenSnapshot) -> JSON {
    let (garden, now) = (snapshot.garden, snapshot.now)
    let due = snapshot.today.due.count
    let canWater = due > 0 && garden.waterLeft(at: now) > 0
    return garden.answer(
      now: now, ("text", .string(line(snapshot))), ("class", .string(canWater ? "due" : "done")),
      ("due", .number(due)), ("ready", .number(snapshot.today.ready.count)))
  }

  /// `3 of 3 drops · 2 due · 12 days in a row`. Titles are left out, because others may see the screen.
  private static func line(_ snapshot: GardenSnapshot) -> String {
    let (garden, now) = (snapshot.garden, snapshot.now)
    guard !garden.growing.isEmpty else { return tr("Nothing is growing") }
    let water = tr("{n} of {all} drops", ["n": "\(garden.waterLeft(at: now))", "all": "\(Soil.waterings)"])
    let (due, ready, streak) = (snapshot.today.due.count, snapshot.today.ready.count, snapshot.streak.current)
    return dotted([
      water, due > 0 ? trn("{n} due", "{n} due", due) : "",
      ready > 0 ? trn("{n} ready", "{n} ready", ready) : "",
      snapshot.resting != nil
        ? trc("garden", "resting") : streak > 0 ? trn("{n} day in a row", "{n} days in a row", streak) : "",
    ])
  }

  /// Soil, water and sun, what is ready and due, and the next harvest.
  static func lines(_ snapshot: GardenSnapshot) -> [String] {
    let (garden, now) = (snapshot.garden, snapshot.now)
    var lines = Table(rows: meters(snapshot)).lines(indent: 0)
    let ready = snapshot.today.ready
    if !ready.isEmpty {
      lines += ["", tr("Ready to harvest")]
      lines += Table(
        rows: ready.map { sprout in
          let waterings = trn("{n} watering", "{n} waterings", sprout.waterings.count)
          let planted = tr("planted {date}", ["date": Formats.date(sprout.plantedAt)])
          return [sprout.title, garden.path(ofTwig: sprout.twigID), planted, waterings]
        }
      ).lines()
    }
    let due = snapshot.today.due
    if !due.isEmpty {
      lines += ["", tr("To water")]
      lines += DueCommand.table(due, snapshot).lines()
    }
    if let next = garden.upcoming(at: now).first {
      lines += ["", tr("Next harvest")]
      let left = tr("in {time}", ["time": garden.timeLeft(of: next, at: now)])
      lines += Table(rows: [[next.title, garden.path(ofTwig: next.twigID), left]]).lines()
    }
    if garden.growing.isEmpty {
      lines += ["", tr("Nothing is growing. Plant a sprout with “trunkctl plant”.")]
    }
    return lines
  }

  private static func meters(_ snapshot: GardenSnapshot) -> [[String]] {
    let (garden, now, zone) = (snapshot.garden, snapshot.now, snapshot.zone)
    let (water, streak) = (garden.waterLeft(at: now), snapshot.streak.current)
    let soil = tr(
      "{available} of {capacity} free",
      ["available": Formats.soil(garden.available), "capacity": Formats.soil(garden.capacity)])
    let left = tr("{n} of {all} left", ["n": "\(water)", "all": "\(Soil.waterings)"])
    let run = streak > 0 ? trn("{n} day in a row", "{n} days in a row", streak) : ""
    let refill =
      water < Soil.waterings
      ? tr("full again {time}", ["time": Formats.moment(zone.nextReset(after: now), now: now, in: zone)]) : ""
    let sun =
      garden.sunLeft(at: now) > 0
      ? tr("ready to shine")
      : tr("back {time}", ["time": Formats.moment(zone.nextWeek(after: now), now: now, in: zone)])
    return [
      [tr("Soil"), soil],
      [trc("noun", "Water"), dotted([left, run, refill])],
      [tr("Sun"), sun],
    ]
      + (snapshot.resting.map {
        [[tr("Rest"), tr("until {date}", ["date": Formats.dayAndYear($0.last, today: zone.dayKey(now))])]]
      } ?? [])
  }
}
