import ArgumentParser
import EventStore
import Localization
import PageFormats
import TrunkKit
import TrunkModel

/// How the dates of an export are read if nothing in it shows the order.
enum DateOrder: String, CaseIterable, ExpressibleByArgument {
  case dayFirst = "day-first"
  case monthFirst = "month-first"

  var order: DayMonthOrder { self == .dayFirst ? .dayFirst : .monthFirst }
}

struct ImportPagesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: tr("Import a journal that another program has exported."),
    discussion: tr(
      "The format is found by the content. Importing a newer export of the same journal adds what is new and replaces what has changed; a page that you removed doesn’t come back."
    )
      + "\n\n"
      + Examples([
        ("trunkctl pages import --dry-run journal.txt", tr("show what would be imported")),
        ("trunkctl pages import journal.txt", tr("import it")),
        ("trunkctl pages import --date-order day-first journal.txt", tr("read 03.04.2023 as 3 April")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("The exported file or folder.")), completion: .file())
  var file: String

  @Flag(help: ArgumentHelp(tr("Only show what would be imported; nothing changes.")))
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      tr(
        "How to read dates such as 03.04.2023: day-first or month-first. Add it again if other dates, such as 03-04-2023, are asked about too."
      ), valueName: "order"))
  var dateOrder: [DateOrder] = []

  @Flag(help: ArgumentHelp(tr("Leave out entries that have only a mood or tags.")))
  var skipBareTags = false

  @MainActor
  func run() async throws {
    let needsGarden = try !dryRun || options.hasGarden
    let model = needsGarden ? try await options.open() : nil
    let preview = try await read(for: model)
    let plan = dryRun ? preview.plan : try await model?.importPages(preview.journal) ?? preview.plan
    if options.json { return Output.write(json(preview, plan)) }
    Output.write(lines(preview, plan))
  }

  private func read(for model: GardenModel?) async throws -> PagePreview {
    // Dates with each separator have an order of their own, so each question takes the next answer.
    var (orders, answers) = ([Character: DayMonthOrder](), dateOrder[...])
    var preview = try await preview(for: model, orders)
    while let question = preview.found.question, let answer = answers.popFirst() {
      orders[question.separator] = answer.order
      preview = try await self.preview(for: model, orders)
    }
    guard let question = preview.found.question else { return preview }
    throw Failure(
      .usage,
      tr(
        "“{date}” can be {first} or {second}. Add --date-order day-first or --date-order month-first.",
        [
          "date": Output.safe(question.example), "first": Formats.day(question.dayFirst.day),
          "second": Formats.day(question.monthFirst.day),
        ]))
  }

  private func preview(for model: GardenModel?, _ orders: [Character: DayMonthOrder]) async throws -> PagePreview {
    do {
      return try await GardenModel.pagePreview(
        of: file, for: model?.folder, orders: orders, skipsBareTags: skipBareTags, now: WallClock.system.now())
    } catch let error as PageReadError {
      throw Failure(.file, "“\(Output.safe(file))”: " + error.message)
    }
  }
}

extension ImportPagesCommand {
  /// The number of skipped and doubled entries that are listed.
  private static let listed = 20

  private func lines(_ preview: PagePreview, _ plan: PagePlan) -> [String] {
    let count = trn("{n} page", "{n} pages", preview.journal.pages.count)
    var lines = [
      dotted([preview.found.format.name, count] + (preview.days.map { [Formats.days($0)] } ?? []))
    ]
    lines.append(
      dryRun
        ? trn("{n} page would be new.", "{n} pages would be new.", plan.new.count)
        : trn("{n} page is new.", "{n} pages are new.", plan.new.count))
    if dryRun { lines += Table(rows: preview.examples.map(row), endsInExcerpt: true).lines() }
    if !plan.changed.isEmpty {
      lines.append(
        dryRun
          ? trn("{n} page would be replaced.", "{n} pages would be replaced.", plan.changed.count)
          : trn("{n} page was replaced.", "{n} pages were replaced.", plan.changed.count))
    }
    if plan.known > 0 { lines.append(trn("{n} page is here already.", "{n} pages are here already.", plan.known)) }
    if plan.removed > 0 {
      lines.append(
        trn("{n} page that you removed is left out.", "{n} pages that you removed are left out.", plan.removed))
    }
    return lines + doubled(plan) + skipped(preview) + preview.found.notes.map(\.text)
  }

  private func doubled(_ plan: PagePlan) -> [String] {
    if plan.doubled.isEmpty { return [] }
    let heading = trn(
      "{n} page is not imported, because another journal has the same words on the same day:",
      "{n} pages are not imported, because another journal has the same words on the same day:", plan.doubled.count)
    let rows = plan.doubled.prefix(Self.listed).map { [$0.other.name] + row($0.page) }
    return [heading] + Table(rows: rows, endsInExcerpt: true).lines() + rest(plan.doubled.count)
  }

  private func skipped(_ preview: PagePreview) -> [String] {
    var lines: [String] = []
    let skipped = preview.found.skipped
    if !skipped.isEmpty {
      lines.append(trn("{n} entry is skipped:", "{n} entries are skipped:", skipped.count))
      lines += Table(rows: skipped.prefix(Self.listed).map { [$0.what, $0.why.text] }).lines()
      lines += rest(skipped.count)
    }
    if !preview.leftOut.isEmpty {
      lines.append(tr("Left out: {list}.", ["list": preview.leftOut.joined(separator: ", ")]))
    }
    return lines
  }

  private func rest(_ count: Int) -> [String] {
    count > Self.listed ? ["  " + trn("… and {n} more", "… and {n} more", count - Self.listed)] : []
  }

  private func row(_ page: EarlierPage) -> [String] {
    [Formats.day(page.date.day), page.title, page.place, page.text]
  }

  private func json(_ preview: PagePreview, _ plan: PagePlan) -> JSON {
    let found = preview.found
    let doubled = plan.doubled.map { $0.page.json.adding(("other", $0.other.record)) }
    let skipped = found.skipped.map { skipped in
      JSON.record(("what", .string(skipped.what)), ("why", .string("\(skipped.why)")))
    }
    let leftOut = LeftOut.allCases.compactMap { kind in
      found.leftOut[kind].map { JSON.Member("\(kind)", .number($0)) }
    }
    return .record(
      ("format", .string(preview.journal.format)), ("name", .string(preview.journal.name)),
      ("pages", .number(preview.journal.pages.count)), ("first", .text(preview.days?.lowerBound.description)),
      ("last", .text(preview.days?.upperBound.description)), ("new", .number(plan.new.count)),
      ("changed", .number(plan.changed.count)), ("known", .number(plan.known)), ("removed", .number(plan.removed)),
      ("doubled", .array(doubled)), ("skipped", .array(skipped)), ("leftOut", .object(leftOut)),
      ("notes", .array(found.notes.map { .string($0.text) })), ("dryRun", .bool(dryRun)),
      ("examples", dryRun ? .array(preview.examples.map(\.json)) : nil))
  }
}
