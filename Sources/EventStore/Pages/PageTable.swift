import SQLiteKit
import TrunkModel

/// The tables `sources` and `pages`. Call writing methods in a transaction.
struct PageTable {
  let database: Database
  private let sha256 = SHA256()

  init(database: Database) { self.database = database }

  /// A row of `pages`.
  struct Entry {
    let id, source: Int64
    let page: EarlierPage
    let isRemoved: Bool
    /// Whether the row is as it was written.
    let isSound: Bool
  }

  static let columns = "id, source, source_id, date, day, title, tags, place, pictures, removed, sha256, text"

  /// Whether the file has the tables. One of an older version that can only be read lacks them.
  func exists() throws(DatabaseError) -> Bool {
    try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'pages'") == 1
  }

  func entry(_ row: Row) -> Entry {
    let date = PageDate(row.text(3))
    let page = EarlierPage(
      date: date ?? PageDate(day: Day(number: Int32(clamping: row.integer(4)))), title: row.text(5), text: row.text(11),
      tags: PageTable.tags(row.text(6)), place: row.text(7), pictures: Int(row.integer(8)), sourceID: row.text(2))
    let isRemoved = row.integer(9) != 0
    let isSound =
      date.map { Int64($0.day.number) } == row.integer(4) && row.blob(10) == digest(of: page, isRemoved: isRemoved)
    return Entry(id: row.integer(0), source: row.integer(1), page: page, isRemoved: isRemoved, isSound: isSound)
  }

  /// SHA-256 of everything in the row but its numbers.
  func digest(of page: EarlierPage, isRemoved: Bool = false) -> [UInt8] {
    // The lengths keep the texts apart, whatever they contain.
    let texts = [page.sourceID, "\(page.date)", page.title, page.text, page.place] + page.tags
    let text = texts.reduce(into: "\(isRemoved ? 1 : 0) \(page.pictures)") { $0 += "\n\($1.utf8.count) \($1)" }
    return sha256.digest(of: text)
  }

  private static func tags(_ text: String) -> [String] {
    if text.isEmpty { return [] }
    // What doesn't parse is damaged: its digest differs.
    return (try? JSON(text))?.elements?.compactMap(\.text) ?? []
  }

  private static func text(of tags: [String]) -> String {
    tags.isEmpty ? "" : JSON.array(tags.map { .string($0) }).compactText
  }
}

extension PageTable {
  /// By format, then by name.
  func sources() throws -> [PageSource] {
    try database.all("SELECT id, format, name FROM sources ORDER BY format, name") {
      PageSource(id: $0.integer(0), format: $0.text(1), name: $0.text(2))
    }
  }

  /// Adds a source. Another journal may have its name: `Diary` is then called `Diary (2)`.
  func addSource(_ journal: EarlierJournal) throws -> PageSource {
    let taken = Set(try sources().lazy.filter { $0.format.hasSameBytes(as: journal.format) }.map { ExactID($0.name) })
    let names = sequence(first: 1) { $0 + 1 }.lazy.map { $0 == 1 ? journal.name : "\(journal.name) (\($0))" }
    let name = names.first { !taken.contains(ExactID($0)) } ?? journal.name
    try database.execute(
      "INSERT INTO sources (format, name, imported_at) VALUES (?, ?, ?)", .text(journal.format), .text(name),
      .integer(journal.importedAt.milliseconds))
    let source = PageSource(id: try database.integer("SELECT last_insert_rowid()"), format: journal.format, name: name)
    try record(source, isRemoved: false)
    return source
  }

  /// Records that the user has removed a source, so that a recovery doesn't take it from an older backup, or that it is
  /// here again. Only a digest of its name is kept, so that nothing of it can be read.
  func record(_ source: PageSource, isRemoved: Bool) throws {
    let (meta, digest) = (MetaTable(database: database), digest(of: source.format, source.name))
    var removed = Set(try meta.value(.removedSources)?.split(separator: " ").map(String.init) ?? [])
    guard isRemoved ? removed.insert(digest).inserted : removed.remove(digest) != nil else { return }
    try meta.set(removed.isEmpty ? nil : removed.sorted().joined(separator: " "), for: .removedSources)
  }

  /// Whether the user has removed the source of a journal.
  func wasRemoved(_ journal: EarlierJournal) throws -> Bool {
    let removed = try MetaTable(database: database).value(.removedSources) ?? ""
    return removed.split(separator: " ").contains { $0 == digest(of: journal.format, journal.name) }
  }

  private func digest(of format: String, _ name: String) -> String {
    sha256.digest(of: "\(format)\n\(name)").hexadecimal
  }

  /// - Returns: the number of the new page.
  func insert(_ page: EarlierPage, into source: Int64, isRemoved: Bool = false) throws(DatabaseError) -> Int64 {
    try database.execute(
      """
      INSERT INTO pages (source, source_id, date, day, title, tags, place, pictures, removed, sha256, text)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, [.integer(source), .text(page.sourceID)] + values(of: page, isRemoved: isRemoved))
    return try database.integer("SELECT last_insert_rowid()")
  }

  func replace(_ id: Int64, by page: EarlierPage, isRemoved: Bool = false) throws(DatabaseError) {
    try database.execute(
      """
      UPDATE pages SET date = ?, day = ?, title = ?, tags = ?, place = ?, pictures = ?, removed = ?, sha256 = ?,
        text = ? WHERE id = ?
      """, values(of: page, isRemoved: isRemoved) + [.integer(id)])
  }

  private func values(of page: EarlierPage, isRemoved: Bool) -> [SQLValue] {
    [
      .text("\(page.date)"), .integer(Int64(page.date.day.number)), .text(page.title),
      .text(PageTable.text(of: page.tags)), .text(page.place), .integer(page.pictures), .integer(isRemoved ? 1 : 0),
      .blob(digest(of: page, isRemoved: isRemoved)), .text(page.text),
    ]
  }

  /// Calls `body` for each row, by source, then in the order of the source.
  func each(_ body: (Entry) throws -> Void) throws {
    try database.rows("SELECT \(PageTable.columns) FROM pages ORDER BY source, date, source_id") { row in
      try body(entry(row))
      return true
    }
  }

  /// Returns all sources with their pages; none if the file lacks the tables.
  func journals() throws -> [EarlierJournal] {
    guard try exists() else { return [] }
    let sources = try database.all("SELECT id, imported_at, format, name FROM sources ORDER BY format, name") { row in
      let made = Instant(milliseconds: row.integer(1))
      return (id: row.integer(0), journal: EarlierJournal(format: row.text(2), name: row.text(3), importedAt: made))
    }
    var journals = Dictionary(uniqueKeysWithValues: sources)
    try each { entry in
      if entry.isRemoved {
        journals[entry.source]?.removed.append(entry.page.sourceID)
      } else {
        journals[entry.source]?.pages.append(entry.page)
      }
    }
    return sources.compactMap { journals[$0.id] }
  }

  /// Records that pages have changed, for programs that show them.
  func growRevision() throws {
    try MetaTable(database: database).growPageRevision()
    try database.useUpNumber()
  }
}

extension MetaTable {
  /// Returns how often pages have changed.
  func pageRevision() throws -> Int64 { Int64(try value(.pageRevision) ?? "") ?? 0 }

  func growPageRevision() throws { try set(String(pageRevision() &+ 1), for: .pageRevision) }
}
