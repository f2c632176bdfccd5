import EventStore
import PageFormats
import TrunkModel

/// What an export of another program contains, and what its import would do.
public struct PagePreview: Sendable {
  /// What was read, with what was skipped and left out.
  public let found: PageImport
  /// What is imported.
  public let journal: EarlierJournal
  public let plan: PagePlan

  /// The days of its pages; `nil` without pages.
  public var days: ClosedRange<Day>? {
    let days = journal.pages.map(\.date.day)
    return days.min().flatMap { first in days.max().map { first...$0 } }
  }

  /// Some of the pages that would be new or changed, as examples: the first, the middle and the last one.
  public var examples: [EarlierPage] {
    let pages = plan.new + plan.changed.map(\.page)
    return Set([0, pages.count / 2, pages.count - 1]).sorted().filter(pages.indices.contains).map { pages[$0] }
  }

  /// What has no place in a page, by kind: `3 pictures`.
  public var leftOut: [String] {
    LeftOut.allCases.compactMap { kind in found.leftOut[kind].flatMap { $0 > 0 ? kind.text($0) : nil } }
  }
}

extension GardenModel {
  /// Reads an export of another program and compares it with what is here. Nothing changes.
  /// - Parameters:
  ///   - folder: the folder of the garden; `nil` if there is none yet.
  ///   - orders: the answers to `PageImport.question`, by its separator.
  ///   - progress: called with the number of entries that were found so far.
  /// - Throws: `PageReadError`, `StoreError`.
  public nonisolated static func pagePreview(
    of path: String, for folder: String?, orders: [Character: DayMonthOrder] = [:], skipsBareTags: Bool = false,
    now: Instant,
    isCancelled: @escaping @Sendable () -> Bool = { false }, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> PagePreview {
    var options = PageOptions(dayMonthOrders: orders) { Zone.named($0) }
    options.skipsBareTags = skipsBareTags
    let found = try PageReader.read(path, options: options, isCancelled: isCancelled) { progress($0.entries) }
    let journal = EarlierJournal(
      format: found.format.rawValue, name: sourceName(path), importedAt: now, pages: found.pages)
    let plan =
      if let folder {
        try await EventStore.open(folder: folder).pagePlan(journal)
      } else {
        PagePlan(intoEmptyGarden: journal)
      }
    return PagePreview(found: found, journal: journal, plan: plan)
  }

  /// The name of a file or folder without its extension.
  nonisolated static func sourceName(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}
