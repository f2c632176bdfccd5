import EventStore
import TrunkModel

/// Pages of earlier journals, beside the garden.
extension GardenModel {
  /// Returns the pages of these days, newest first. Of one day, pages without a time come last.
  /// - Parameter days: `nil` for all.
  public func pageLines(in days: ClosedRange<Day>? = nil) async throws(StoreError) -> [PageLine] {
    try await GardenModel.pageLines(in: days, store, garden.zone)
  }

  nonisolated static func pageLines(
    in days: ClosedRange<Day>?, _ store: EventStore, _ zone: Zone
  ) async throws(StoreError) -> [PageLine] {
    // The day of an instant in the garden's zone may be one beside that of UTC.
    let wide = days.map { $0.lowerBound.adding(days: -1)...$0.upperBound.adding(days: 1) }
    let lines = try await store.pageDates(in: wide).map { PageLine(id: $0.id, date: $0.date, in: zone) }
      .filter { days?.contains($0.day) ?? true }
    // Only instants may be out of order.
    guard lines.contains(where: { $0.date.zoning == .utc }) else { return lines }
    return lines.sorted { ($0.day, $0.second ?? -1, $0.id) > ($1.day, $1.second ?? -1, $1.id) }
  }

  /// Returns the pages with these numbers, in this order, without those that aren't there.
  public func pages(ids: [Int64]) async throws(StoreError) -> [StoredPage] { try await store.pages(ids: ids) }

  /// Reads the texts of journal lines, in the same order. What has left the log or was removed is left out.
  public func texts(of lines: [JournalLine]) async throws -> [JournalText] {
    let items = lines.compactMap { if case .item(let item) = $0 { item } else { nil } }
    let ids = lines.compactMap { if case .page(let page) = $0 { page.id } else { nil } }
    let entries = Dictionary(uniqueKeysWithValues: try await entries(items).map { ($0.item.seq, $0) })
    let pages = ids.isEmpty ? [:] : Dictionary(uniqueKeysWithValues: try await pages(ids: ids).map { ($0.id, $0) })
    return lines.compactMap { line in
      switch line {
      case .item(let item): entries[item.seq].map { .entry($0) }
      case .page(let line): pages[line.id].map { .page(line, $0) }
      }
    }
  }

  /// The number of pages.
  public func countPages() async throws(StoreError) -> Int { try await store.countPages() }

  /// The number of pages of these journals that are not here.
  public func missingPages(_ journals: [EarlierJournal]) async throws(StoreError) -> Int {
    try await store.missingPages(journals)
  }

  /// Returns the pages from today's date in earlier years, the latest year first.
  public func pagesOnThisDay() async throws(StoreError) -> [(years: Int32, pages: [PageLine])] {
    let today = garden.zone.dayKey(now)
    guard let first = try await store.pageSources().compactMap(\.days?.lowerBound).min() else { return [] }
    var found: [(years: Int32, pages: [PageLine])] = []
    var years: Int32 = 1
    while case let day = today.adding(months: -12 * years), day >= first.adding(days: -1) {
      let pages = try await pageLines(in: day...day)
      if !pages.isEmpty { found.append((years, pages)) }
      years += 1
    }
    return found
  }

  /// The sources of pages, by format, then by name.
  public func pageSources() async throws(StoreError) -> [PageSourceSummary] { try await store.pageSources() }

  /// Returns what an import would do. Nothing changes.
  public nonisolated func pagePlan(_ journal: EarlierJournal) async throws(StoreError) -> PagePlan {
    try await EventStore.open(folder: store.folder).pagePlan(journal)
  }

  /// Imports an earlier journal: all of it or nothing. A separate store writes it, so that this one can be read.
  /// - Parameter progress: as for `EventStore.importPages`.
  /// - Returns: what was done; `nil` if `progress` has stopped the import.
  public func importPages(
    _ journal: EarlierJournal, progress: @escaping @Sendable (_ done: Int, _ all: Int) -> Bool = { _, _ in true }
  ) async throws -> PagePlan? {
    let clears = expectedClears
    let plan = try await EventStore.open(folder: store.folder)
      .importPages(journal, unlessClearedSince: clears, progress: progress)
    try await refresh()
    return plan
  }

  /// Removes a source with all its pages after a backup. A later import brings them back.
  /// - Returns: the number of pages, and the path of the backup.
  public func removePages(of source: PageSource) async throws -> (pages: Int, backup: String) {
    let backup = try await backUpHere()
    let count = try await store.removePages(of: source.id)
    try await refresh()
    return (count, backup)
  }

  /// Removes a page. An import doesn't bring it back.
  public func removePage(_ id: Int64) async throws {
    try await store.removePage(id)
    try await refresh()
  }
}
