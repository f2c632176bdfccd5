import ArgumentParser
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The days on which the garden rests.
struct RestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rest",
    abstract: tr("Let the garden rest for a few days."),
    discussion: tr(
      "While it rests, your days in a row are kept and nothing reminds you. Other devices don’t know about it.")
      + "\n\n"
      + Examples([
        ("trunkctl rest", tr("the times of rest")),
        ("trunkctl rest --to 2027-01-03", tr("rest from today on")),
        ("trunkctl rest --from 2026-12-20 --to 2027-01-03", tr("rest later")),
        ("trunkctl rest --end", tr("end the current rest today")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Option(help: ArgumentHelp(tr("The first day, like 2026-12-20; today by default."), valueName: "day"))
  var from: String?

  @Option(help: ArgumentHelp(tr("The last day."), valueName: "day"))
  var to: String?

  @Flag(help: ArgumentHelp(tr("End the current rest: today is no longer a day of rest.")))
  var end = false

  func validate() throws {
    if end, from != nil || to != nil { throw ValidationError(tr("Use --end without --from and --to.")) }
    if from != nil, to == nil { throw ValidationError(tr("Give the last day with --to.")) }
  }

  @MainActor
  func run() async throws {
    let snapshot = try await options.snapshot()
    let (settings, today) = (Settings(), snapshot.zone.dayKey(snapshot.now))
    if let problem = settings.problem { throw problem }
    if end {
      guard settings.restDays.contains(today) else {
        throw Failure(.notAllowed, tr("The garden doesn’t rest today."))
      }
      try settings.changeRestDays { $0.end(on: today) }
    } else if let to {
      let period = try period(to: to, today: today)
      try settings.changeRestDays { $0.add(period) }
    }
    if let problem = settings.restProblem { Output.writeMessage(problem) }
    let days = settings.restDays
    if options.json { return Output.write(.record(("rest", days.record(today: today)))) }
    guard !days.periods.isEmpty else { return Output.write(tr("There are no times of rest.")) }
    let rows = days.periods.map { period in
      [period.text, trn("{n} day", "{n} days", period.count), period.contains(today) ? tr("resting now") : ""]
    }
    Output.write(Table(rows: rows).lines(indent: 0))
  }

  private func period(to: String, today: Day) throws -> RestPeriod {
    func read(_ text: String) throws -> Period {
      guard let period = Period(text, today: today) else {
        throw Failure(
          .usage, tr("“{text}” is not a date. Write it like 2026-12-20.", ["text": Output.safe(text)]))
      }
      return period
    }
    guard let period = RestPeriod(first: try from.map(read)?.first ?? today, last: try read(to).last) else {
      throw Failure(.usage, tr("The last day is before the first."))
    }
    return period
  }
}

extension RestDays {
  /// The format of `rest` in `--json`, documented in the manual page.
  func record(today: Day, streak: (current: Int, longest: Int)? = nil) -> JSON {
    func text(_ day: Day) -> JSON { .string(day.description) }
    return .record(
      ("resting", .bool(contains(today))), ("until", period(on: today).map { text($0.last) }),
      (
        "streak",
        streak.map { .record(("current", .number($0.current)), ("longest", .number($0.longest))) }
      ),
      ("periods", .array(periods.map { .record(("from", text($0.first)), ("to", text($0.last))) })))
  }
}
