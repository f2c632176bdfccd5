import ArgumentParser
import EventStore
import Localization
import TrunkKit
import TrunkModel

struct RemovePagesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: tr("Remove an earlier journal with all its pages."),
    discussion: tr("A backup is written and verified first. Importing the journal again brings its pages back.")
      + "\n\n"
      + Examples([
        ("trunkctl pages remove 1", tr("by its number, as “trunkctl pages list” shows it")),
        ("trunkctl pages remove journal", tr("by its name")),
      ]).text)

  @OptionGroup var options: CommonOptions

  @Argument(help: ArgumentHelp(tr("The number of the journal, or its name.")))
  var source: String

  @MainActor
  func run() async throws {
    let model = try await options.openExisting()
    let source = try RemovePagesCommand.source(self.source, in: try await model.pageSources())
    let (pages, backup) = try await model.removePages(of: source)
    if options.json {
      return Output.write(
        .record(("source", source.record), ("pages", .number(pages)), ("backup", .string(backup))))
    }
    Output.write(
      trn(
        "Removed {n} page of “{name}”. The backup “{path}” still has it.",
        "Removed {n} pages of “{name}”. The backup “{path}” still has them.", pages,
        ["name": Output.safe(source.name), "path": backup]))
  }

  private static func source(_ wanted: String, in sources: [PageSourceSummary]) throws -> PageSource {
    if let source = sources.first(where: { "\($0.source.id)" == wanted }) { return source.source }
    let named = sources.filter { $0.source.name.folded == wanted.folded }
    if named.count == 1 { return named[0].source }
    guard !named.isEmpty else {
      throw Failure(
        .notFound,
        tr(
          "No earlier journal is called “{name}”. “trunkctl pages list” shows all of them.",
          ["name": Output.safe(wanted)]))
    }
    throw Failure(
      .notFound,
      tr("Several earlier journals are called “{name}”. Give the number of one:", ["name": Output.safe(wanted)]) + "\n"
        + Table(rows: named.map(\.row)).lines().joined(separator: "\n"))
  }
}
