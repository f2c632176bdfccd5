import ArgumentParser
import Localization
import TrunkKit
import TrunkModel
import TrunkPrint

/// The formats of an export: the whole log for other programs, the journal for reading, or the upcoming harvests for
/// calendars.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
  case json, markdown, html, pdf, ics

  /// `nil` for the whole log and the harvests.
  var book: BookFormat? { BookFormat(rawValue: rawValue) }
}

extension PaperSize: ExpressibleByArgument {}

/// Which part of the journal to export.
struct BookOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(tr("Only entries about this sprout: a part of its title, or its id.")), completion: .allSprouts)
  var sprout: String?

  @Option(help: ArgumentHelp(tr("Only entries about the sprouts of this leaf: a part of its name, or its id.")))
  var leaf: String?

  @Option(help: ArgumentHelp(tr("Only entries of this year.")))
  var year: Int32?

  @Option(help: ArgumentHelp(tr("Only entries with these words, as for “trunkctl search”."), valueName: "words"))
  var search: String?

  @Flag(help: ArgumentHelp(tr("With the pages of earlier journals.")))
  var earlierPages = false

  var isGiven: Bool { earlierPages || sprout != nil || leaf != nil || year != nil || search != nil }

  /// Whether all entries of a year are selected.
  var isWholeYear: Bool { year != nil && sprout == nil && leaf == nil && search == nil }

  @MainActor
  func selection(_ model: GardenModel) async throws -> BookSelection {
    var selection = BookSelection(
      sprout: try sprout.map { try model.garden.sprout(named: $0, preferGrowing: false).id },
      leaf: try leaf.map { try model.garden.leaf(named: $0).id }, years: year.map { $0...$0 },
      filter: TimelineFilter(found: try await found(in: model)))
    selection.includesPages = earlierPages
    if earlierPages, let search { selection.foundPages = try await model.findPages(search) }
    return selection
  }

  /// - Returns: `nil` without a search.
  @MainActor
  private func found(in model: GardenModel) async throws -> Set<Int64>? {
    guard let search else { return nil }
    let query = SearchQuery(search, in: model.garden, today: model.garden.zone.dayKey(model.now))
    if let problem = query.problems.first { throw Failure(.usage, Output.safe(problem)) }
    return try await model.find(search) ?? []
  }
}
