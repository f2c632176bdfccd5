import SQLiteKit
import TrunkModel

/// Pages of earlier journals. They belong to no event, so they are never sent to a server and don't change the garden.
extension EventStore {
  /// Returns what `importPages` would do. Nothing changes.
  public func pagePlan(_ journal: EarlierJournal) throws(StoreError) -> PagePlan {
    try read { database in
      let table = PageTable(database: database)
      return try table.exists() ? table.plan(journal) : PagePlan(intoEmptyGarden: journal)
    }
  }

  /// Imports an earlier journal: all of it or nothing. Pages with other contents are replaced, and pages that are
  /// missing in the journal stay.
  /// - Parameters:
  ///   - clears: as for `append`.
  ///   - progress: called during the import with the number of pages that are done and of all pages. It returns whether
  ///     to continue.
  /// - Returns: what was done; `nil` if `progress` has stopped the import.
  public func importPages(
    _ journal: EarlierJournal, unlessClearedSince clears: Int64? = nil,
    progress: @Sendable (_ done: Int, _ all: Int) -> Bool = { _, _ in true }
  ) throws(StoreError) -> PagePlan? {
    var isStopped = false
    do throws(StoreError) {
      return try changePages { table in
        try MetaTable(database: table.database).check(clears: clears)
        let plan = try table.plan(journal)
        if plan.isEmpty { return plan }
        let finished = try table.apply(plan, of: journal) { done, all in
          isStopped = !progress(done, all)
          return !isStopped
        }
        if !finished { throw Stopped() }
        return plan
      }
    } catch {
      if isStopped { return nil }
      throw error
    }
  }

  private struct Stopped: Error {}

  /// Removes a page: its words are overwritten. An import doesn't bring it back.
  /// - Returns: false if there is no such page.
  @discardableResult
  public func removePage(_ id: Int64) throws(StoreError) -> Bool {
    try changePages { table in
      let removed = try table.database.first(
        "SELECT source_id, sha256 FROM pages WHERE id = ? AND removed = 0", .integer(id)
      ) { EarlierPage(removed: $0.text(0), digest: $0.blob(1).hexadecimal) }
      guard let removed else { return false }
      try table.replace(id, by: removed, isRemoved: true)
      try SearchIndex(database: table.database).remove(page: id)
      try table.growRevision()
      return true
    }
  }

  /// Removes a source with all its pages and overwrites them. A later import brings them back.
  /// - Returns: the number of pages that were removed.
  @discardableResult
  public func removePages(of source: Int64) throws(StoreError) -> Int {
    try changePages { table in
      let database = table.database
      let removed = try database.first("SELECT id, format, name FROM sources WHERE id = ?", .integer(source)) {
        PageSource(id: $0.integer(0), format: $0.text(1), name: $0.text(2))
      }
      if let removed { try table.record(removed, isRemoved: true) }
      let count = try database.integer(
        "SELECT count(*) FROM pages WHERE source = ? AND removed = 0", .integer(source))
      try database.execute("DELETE FROM pages WHERE source = ?", .integer(source))
      try database.execute("DELETE FROM sources WHERE id = ?", .integer(source))
      // The index keeps the words of deleted rows until it is made again.
      try SearchIndex(database: database).empty()
      try table.growRevision()
      return Int(count)
    }
  }

  /// Writes with the old contents of changed places overwritten, so that they can't be found in the file.
  private func changePages<Value>(_ body: (PageTable) throws -> Value) throws(StoreError) -> Value {
    defer { truncate() }
    return try write { database in
      try database.run("PRAGMA secure_delete = ON")
      return try body(PageTable(database: database))
    }
  }
}

extension EventStore {
  /// The sources of pages, by format, then by name.
  public func pageSources() throws(StoreError) -> [PageSourceSummary] {
    try readPages(otherwise: []) { table in
      try table.database.all(
        """
        SELECT sources.id, format, name, imported_at, sum(removed = 0), sum(removed = 1),
          min(iif(removed = 0, day, NULL)), max(iif(removed = 0, day, NULL))
        FROM sources LEFT JOIN pages ON source = sources.id GROUP BY sources.id ORDER BY format, name
        """
      ) { row in
        func day(_ column: Int32) -> Day? { row.optionalInteger(column).map { Day(number: Int32(clamping: $0)) } }
        let source = PageSource(id: row.integer(0), format: row.text(1), name: row.text(2))
        let days = day(6).flatMap { first in day(7).map { first...$0 } }
        return PageSourceSummary(
          source: source, importedAt: Instant(milliseconds: row.integer(3)), pages: Int(row.integer(4)),
          removed: Int(row.integer(5)), days: days)
      }
    }
  }

  /// The number of pages.
  public func countPages() throws(StoreError) -> Int {
    try readPages(otherwise: 0) { Int(try $0.database.integer("SELECT count(*) FROM pages WHERE removed = 0")) }
  }

  /// Returns the pages with these numbers, in this order, without those that aren't there.
  public func pages(ids: [Int64]) throws(StoreError) -> [StoredPage] {
    try readPages(otherwise: []) { table in
      let sources = Dictionary(uniqueKeysWithValues: try table.sources().map { ($0.id, $0) })
      return try ids.compactMap { id in
        let entry = try table.database.first(
          "SELECT \(PageTable.columns) FROM pages WHERE id = ? AND removed = 0", .integer(id), map: table.entry)
        guard let entry, let source = sources[entry.source] else { return nil }
        return StoredPage(id: id, source: source, page: entry.page)
      }
    }
  }

  /// Returns the numbers and dates of the pages whose date names one of these days, newest first. Of one day, pages
  /// without a time come last.
  /// - Parameter days: `nil` for all.
  public func pageDates(in days: ClosedRange<Day>? = nil) throws(StoreError) -> [(id: Int64, date: PageDate)] {
    try readPages(otherwise: []) { table in
      try table.database.all(
        """
        SELECT id, date FROM pages WHERE removed = 0 AND day BETWEEN ? AND ? ORDER BY day DESC, date DESC, id DESC
        """, .integer(Int64(days?.lowerBound.number ?? .min)), .integer(Int64(days?.upperBound.number ?? .max))
      ) { row in PageDate(row.text(1)).map { (id: row.integer(0), date: $0) } }.compactMap(\.self)
    }
  }

  /// Changes whenever a page or source does.
  public func pageState() throws(StoreError) -> String {
    try readPages(otherwise: "") { table in
      let digests = try table.database.all("SELECT sha256 FROM pages ORDER BY id") { $0.blob(0).hexadecimal }
      return digests.isEmpty ? "" : SHA256().digest(of: digests.joined()).hexadecimal
    }
  }

  /// All earlier journals with their pages.
  public func journals() throws(StoreError) -> [EarlierJournal] { try read { try PageTable(database: $0).journals() } }

  /// The number of pages of these journals that are not here.
  public func missingPages(_ journals: [EarlierJournal]) throws(StoreError) -> Int {
    if journals.isEmpty { return 0 }
    return try readPages(otherwise: journals.reduce(0) { $0 + $1.pages.count }) { table in
      try table.missing(journals).reduce(0) { $0 + $1.pages.count }
    }
  }

  private func readPages<Value>(
    otherwise none: Value, _ body: (PageTable) throws -> Value
  ) throws(StoreError) -> Value {
    try read { database in
      let table = PageTable(database: database)
      return try table.exists() ? body(table) : none
    }
  }
}

extension PageTable {
  /// The number of pages after which progress is reported.
  private static let batchSize = 64

  /// The number of pages above which the next search makes their index, because that takes as long as the import.
  private static let indexedAtOnce = 1000

  /// Writes what a plan says.
  /// - Parameter goesOn: called with the number of pages that are done and of all pages; returns whether to continue.
  /// - Returns: whether all was written.
  fileprivate func apply(
    _ plan: PagePlan, of journal: EarlierJournal, _ goesOn: (Int, Int) -> Bool
  ) throws -> Bool {
    let source = try plan.source ?? addSource(journal)
    try database.execute(
      "UPDATE sources SET imported_at = ? WHERE id = ?", .integer(journal.importedAt.milliseconds), .integer(source.id))
    let (index, all) = (SearchIndex(database: database), plan.new.count + plan.changed.count)
    let isIndexed = all <= PageTable.indexedAtOnce
    var done = 0
    func mayGoOn() -> Bool {
      done += 1
      return done % PageTable.batchSize != 0 || goesOn(done, all)
    }
    var first = plan.changed.map(\.id).min()
    for changed in plan.changed {
      try replace(changed.id, by: changed.page)
      try index.remove(page: changed.id)
      if isIndexed { try index.add(changed.page, id: changed.id) }
      if !mayGoOn() { return false }
    }
    for page in plan.new {
      let id = try insert(page, into: source.id)
      if isIndexed { try index.add(page, id: id) }
      first = first ?? id
      if !mayGoOn() { return false }
    }
    if let first, !isIndexed { try index.postpone(fromPage: first) }
    try growRevision()
    return goesOn(all, all)
  }

  /// Adds the pages that are missing here, from a backup, a copy or another garden. What is here stays.
  /// - Returns: the number of pages that were added.
  @discardableResult
  func add(_ journals: [EarlierJournal]) throws -> Int {
    var (count, first): (Int, Int64?) = (0, nil)
    for journal in journals {
      // A recovery may have found pages without their source.
      guard let source = try source(of: journal), source.name.isEmpty else { continue }
      try database.execute(
        "UPDATE OR IGNORE sources SET name = ?, imported_at = ? WHERE id = ?", .text(journal.name),
        .integer(journal.importedAt.milliseconds), .integer(source.id))
    }
    for journal in try missing(journals) {
      let source = try source(of: journal) ?? addSource(journal)
      for page in journal.pages {
        let id = try insert(page, into: source.id)
        first = first ?? id
        count += 1
      }
      for id in journal.removed { _ = try insert(EarlierPage(removed: id), into: source.id, isRemoved: true) }
    }
    if let first { try SearchIndex(database: database).postpone(fromPage: first) }
    if count > 0 { try growRevision() }
    return count
  }

  /// Returns what of these journals is not here, neither as a page nor as a removed one.
  func missing(_ journals: [EarlierJournal]) throws -> [EarlierJournal] {
    try journals.compactMap { journal in
      guard let source = try source(of: journal) else { return journal }
      var missing = journal
      func isKnown(_ id: String) throws -> Bool {
        try database.integer(
          "SELECT EXISTS (SELECT 1 FROM pages WHERE source = ? AND source_id = ?)", .integer(source.id), .text(id)) == 1
      }
      missing.pages = try journal.pages.filter { try !isKnown($0.sourceID) }
      missing.removed = try journal.removed.filter { try !isKnown($0) }
      return missing.pages.isEmpty && missing.removed.isEmpty ? nil : missing
    }
  }
}

extension EarlierPage {
  /// What is left of a page that the user has removed: its ID, and as its text the digest of its contents, by which an
  /// import recognises it.
  fileprivate init(removed sourceID: String, digest: String = "") {
    self.init(date: PageDate(day: Day(number: 0)), text: digest, sourceID: sourceID)
  }
}
