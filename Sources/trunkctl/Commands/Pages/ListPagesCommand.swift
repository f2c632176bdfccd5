import ArgumentParser
import EventStore
import Localization
import TrunkKit
import TrunkModel

struct ListPagesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: tr("List the earlier journals."),
    discussion: Examples([
      ("trunkctl pages list", tr("what was imported")),
      ("trunkctl pages list --json", tr("the same for another program")),
    ]).text)

  @OptionGroup var options: CommonOptions

  func run() async throws {
    let sources = try await options.snapshot().model?.pageSources() ?? []
    if options.json { return Output.write(.record(("sources", .array(sources.map(\.record))))) }
    guard !sources.isEmpty else { return Output.write(tr("There are no earlier pages.")) }
    Output.write(Table(rows: sources.map(\.row)).lines(indent: 0))
  }
}

extension PageSourceSummary {
  /// The number, the program, the name, the number of pages and their days.
  var row: [String] {
    [
      "\(source.id)", source.program, source.name, trn("{n} page", "{n} pages", pages),
      days.map { Formats.days($0) } ?? "",
    ]
  }

  var record: JSON {
    source.record.adding(
      ("pages", .number(pages)), ("removed", .number(removed)), ("first", .text(days?.lowerBound.description)),
      ("last", .text(days?.upperBound.description)), ("importedAt", .instant(importedAt)))
  }
}
