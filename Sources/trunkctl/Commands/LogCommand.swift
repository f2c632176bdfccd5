import ArgumentParser
import EventStore
import Localization
import TrunkKit
import TrunkModel

struct LogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: tr("List what happened, newest first."),
    discussion: Examples([
      ("trunkctl log --limit 5", tr("the last five events")),
      ("trunkctl log --since 2026-11-01 --json", tr("all events since a day, for another program")),
      ("trunkctl log --superseded", tr("the superseded versions of entries")),
    ]).text)

  @OptionGroup var options: CommonOptions

  @Option(help: ArgumentHelp(tr("The maximum number of events; 20 unless --since is given."), valueName: "n"))
  var limit: Int?

  @Option(help: ArgumentHelp(tr("Only events since this day (like 2026-11-01) or instant."), valueName: "day"))
  var since: Since?

  @Flag(help: ArgumentHelp(tr("List superseded versions of entries.")))
  var superseded = false

  func validate() throws {
    try limit.map(Limit.check)
    if superseded, limit != nil || since != nil {
      throw ValidationError(tr("--superseded can’t be combined with --limit or --since."))
    }
  }

  func run() async throws {
    let snapshot = try await options.snapshot()
    guard let model = snapshot.model else {
      return Output.write(options.json ? Output.text(.record(("log", .array([])))) : CommonOptions.noGardenYet)
    }
    if superseded { return LogCommand.write(try await model.superseded(), snapshot, json: options.json) }
    var events = try await model.newestEvents(
      limit: limit ?? (since == nil ? 20 : Int(Int32.max)), since: since?.earliest)
    if let since { events.removeAll { snapshot.garden.time(of: $0.event).map(since.includes) == false } }
    let pages = try await pages(model, snapshot.zone)
    if options.json {
      return Output.write(
        .record(
          ("log", .array(events.map { record(of: $0, snapshot) })),
          ("pages", .array(pages.map(\.page.record)))))
    }
    let rows = LogCommand.rows(events, pages, snapshot).prefix(limit ?? (since == nil ? 20 : .max))
    guard !rows.isEmpty else { return Output.write(tr("Nothing has happened since then.")) }
    Output.write(Table(rows: Array(rows), endsInExcerpt: true).lines(indent: 0))
  }
}

extension LogCommand {
  /// An event as stored, and whether it is hidden on this computer.
  private func record(of logged: LoggedEvent, _ snapshot: GardenSnapshot) -> JSON {
    snapshot.garden.record(of: logged.event, ("hidden", snapshot.hidden.contains(logged.seq) ? .bool(true) : nil))
  }

  /// The newest earlier pages, newest first.
  private func pages(_ model: GardenModel, _ zone: Zone) async throws -> [(line: PageLine, page: StoredPage)] {
    let first = since.map { zone.local($0.earliest).day }
    let lines = try await model.pageLines(in: first.map { $0...Day(number: .max - 1) })
      .prefix(limit ?? (since == nil ? 20 : .max))
    let pages = Dictionary(uniqueKeysWithValues: try await model.pages(ids: lines.map(\.id)).map { ($0.id, $0) })
    return lines.compactMap { line in pages[line.id].map { (line, $0) } }
  }
  /// Prints each superseded version with the version that replaced it.
  private static func write(_ superseded: [SupersededEvent], _ snapshot: GardenSnapshot, json: Bool) {
    if json {
      let records = superseded.map { version in
        snapshot.garden.record(of: version.event, ("current", version.current?.json))
      }
      return Output.write(.record(("superseded", .array(records))))
    }
    guard !superseded.isEmpty else { return Output.write(tr("No entry has a superseded version.")) }
    Output.write(
      superseded.flatMap { version in
        let title = line(version.event, snapshot).filter { !$0.isEmpty }.joined(separator: "  ")
        let current = version.current.map(\.shownText) ?? tr("no longer in the garden")
        return [Output.safe(title)]
          + Table(rows: [[tr("superseded"), version.event.shownText], [tr("in the garden"), current]]).lines()
      })
  }

  /// Events and earlier pages together, newest first.
  private static func rows(
    _ events: [LoggedEvent], _ pages: [(line: PageLine, page: StoredPage)], _ snapshot: GardenSnapshot
  ) -> [[String]] {
    var (rows, next) = ([[String]](), pages.startIndex)
    func addPages(after day: Day?) {
      while next < pages.endIndex, day.map({ pages[next].line.day > $0 }) ?? true {
        rows.append(row(pages[next].line, pages[next].page))
        next += 1
      }
    }
    for logged in events {
      if let day = snapshot.garden.time(of: logged.event)?.day { addPages(after: day) }
      let isHidden = snapshot.hidden.contains(logged.seq)
      rows.append(line(logged.event, snapshot) + [isHidden ? ShowCommand.hiddenText : text(logged.event, snapshot)])
    }
    addPages(after: nil)
    return rows
  }

  private static func row(_ line: PageLine, _ page: StoredPage) -> [String] {
    [Formats.dateAndTime(line), page.about, Output.safe(page.page.title).clipped(to: 40), page.page.text]
  }

  /// The time, the kind and the subject of an event.
  static func line(_ event: Event, _ snapshot: GardenSnapshot) -> [String] {
    let time = snapshot.garden.time(of: event).map(Formats.dateAndTime) ?? ""
    let texts = event.texts(in: snapshot.garden)
    let object = texts.title ?? texts.nodeID.map { snapshot.garden.path(ofTwig: $0) } ?? ""
    return [time, texts.verb, Output.safe(object).clipped(to: 40)]
  }

  /// The text that the user wrote, without the title, which has a column; the table cuts it to fit a line.
  private static func text(_ event: Event, _ snapshot: GardenSnapshot) -> String {
    let title = event.texts(in: snapshot.garden).title
    let titles: [LimitedText] = [.title, .leafName, .nodeLabel]
    let words = event.payload.words.filter { !$0.text.isEmpty && !(titles.contains($0.kind) && $0.text == title) }
    let result: String? = if case .sproutHarvested(let it) = event.payload { Formats.result(it.result) } else { nil }
    return ([result].compactMap(\.self) + words.map(\.text)).joined(separator: ": ")
  }
}
