import CSQLite
import SQLiteKit
import TrunkModel

/// The events and earlier pages that a search found, by their numbers.
public struct TextMatches: Sendable, Equatable {
  /// The events whose text contains everything that was searched for.
  public var texts: Set<Int64> = []
  /// The events for which some of the words were found only in the question.
  public var questions: Set<Int64> = []
  /// The earlier pages that contain everything that was searched for, by their numbers.
  public var pages: Set<Int64> = []

  public init(texts: Set<Int64> = [], questions: Set<Int64> = [], pages: Set<Int64> = []) {
    (self.texts, self.questions, self.pages) = (texts, questions, pages)
  }

  /// - Parameter rows: of the index.
  fileprivate init(rows: Set<Int64>, questions: Set<Int64> = []) {
    texts = rows.filter { $0 > 0 }
    self.questions = questions
    if texts.count < rows.count { pages = Set(rows.lazy.filter { $0 < 0 }.map { -$0 }) }
  }
}

/// The full-text index of journal texts, of the questions that they answer, and of earlier pages. A page's row has its
/// negative number.
struct SearchIndex {
  let database: Database

  func add(_ event: Event, seq: Int64) throws {
    guard let row = SearchIndex.row(of: event) else { return }
    try database.execute(
      "INSERT INTO journal (rowid, text, question) VALUES (?, ?, ?)", .integer(seq), .text(row.text),
      .text(row.question))
  }

  func add(_ page: EarlierPage, id: Int64) throws {
    guard let text = SearchIndex.text(of: page) else { return }
    try database.execute("INSERT INTO journal (rowid, text, question) VALUES (?, ?, '')", .integer(-id), .text(text))
  }

  func remove(page id: Int64) throws { try remove(seq: -id) }

  /// Marks pages from this number on as not yet indexed.
  func postpone(fromPage id: Int64) throws {
    let meta = MetaTable(database: database)
    try meta.set(String(min(firstPostponed(.firstUnsearchablePage) ?? id, id)), for: .firstUnsearchablePage)
  }

  /// Marks events from `seq` onward as not yet indexed. Indexing is a large part of the cost of storing an event, and a
  /// download that is still running doesn't need to be searchable.
  func postpone(from seq: Int64) throws {
    let meta = MetaTable(database: database)
    let first = min(try firstPostponed() ?? seq, seq)
    try meta.set(String(first), for: .firstUnsearchable)
  }

  /// Indexes some of the postponed events or pages.
  /// - Returns: whether the index is complete.
  func addPostponed() throws -> Bool { try addPostponedEvents() && addPostponedPages() }

  private func addPostponedPages() throws -> Bool {
    guard let first = try firstPostponed(.firstUnsearchablePage) else { return true }
    // What FTS5 discards when it merges its parts would keep words of pages that the user may remove later.
    try database.run("PRAGMA secure_delete = ON")
    let table = PageTable(database: database)
    let pages = try database.all(
      """
      SELECT \(PageTable.columns), EXISTS (SELECT 1 FROM journal WHERE journal.rowid = -pages.id) FROM pages
      WHERE id >= ? AND removed = 0 ORDER BY id LIMIT ?
      """, .integer(first), .integer(SearchIndex.batchSize)
    ) { (entry: table.entry($0), isThere: $0.integer(12) != 0) }
    for (entry, isThere) in pages where !isThere { try add(entry.page, id: entry.id) }
    let isDone = pages.count < SearchIndex.batchSize
    try MetaTable(database: database).set(
      isDone ? nil : pages.last.map { String($0.entry.id + 1) }, for: .firstUnsearchablePage)
    try database.run("PRAGMA secure_delete = OFF")
    return isDone
  }

  private func addPostponedEvents() throws -> Bool {
    let meta = MetaTable(database: database)
    guard let first = try firstPostponed() else { return true }
    // Some of them may have been indexed on arrival.
    let events = try database.all(
      """
      SELECT seq, raw, EXISTS (SELECT 1 FROM journal WHERE journal.rowid = events.seq) FROM events
      WHERE seq >= ? ORDER BY seq LIMIT ?
      """, .integer(first), .integer(SearchIndex.batchSize)
    ) { (seq: $0.integer(0), event: try Event(json: $0.text(1)), isThere: $0.integer(2) != 0) }
    for (seq, event, isThere) in events where !isThere { try add(event, seq: seq) }
    let isDone = events.count < SearchIndex.batchSize
    try meta.set(isDone ? nil : events.last.map { String($0.seq + 1) }, for: .firstUnsearchable)
    return isDone
  }

  private func firstPostponed(_ key: MetaKey = .firstUnsearchable) throws -> Int64? {
    try MetaTable(database: database).value(key).flatMap { Int64($0) }
  }

  func remove(seq: Int64) throws {
    try database.execute("DELETE FROM journal WHERE rowid = ?", .integer(seq))
  }

  /// - Returns: the events and pages that match, without hidden ones; `nil` if the query has no word.
  func matches(_ query: TextQuery) throws -> TextMatches? {
    let forbidden = query.forbidden
    let hidden = try HiddenTable(database: database).seqs()
    guard let required = query.required else {
      guard let forbidden else { return nil }
      let all = Set(try database.all("SELECT rowid FROM journal") { $0.integer(0) })
      return TextMatches(rows: all.subtracting(try seqs(forbidden)).subtracting(hidden))
    }
    let without = forbidden.map { " NOT (\($0))" } ?? ""
    let texts = try seqs("({text} : (\(required)))\(without)").subtracting(hidden)
    // A single word that isn't in the text can only be in the question, and searching only the question is faster.
    let anywhere = query.terms.count == 1 ? "({question} : (\(required)))" : "(\(required))"
    return TextMatches(
      rows: texts, questions: try seqs(anywhere + without).subtracting(texts).subtracting(hidden))
  }

  private func seqs(_ query: String) throws -> Set<Int64> {
    Set(try database.all("SELECT rowid FROM journal WHERE journal MATCH ?", .text(query)) { $0.integer(0) })
  }

  /// Returns the words of the journal texts with a number of letters in this range, as the index has them, with the
  /// number of texts that have each.
  func vocabulary(lengths: ClosedRange<Int>) throws -> [String: Int] {
    // Each connection has its own view of the index, in memory.
    try database.run("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab (main, journal, col)")
    let words = try database.all(
      "SELECT term, doc FROM temp.vocabulary WHERE col = 'text' AND length(term) BETWEEN ? AND ?",
      .integer(Int64(lengths.lowerBound)), .integer(Int64(lengths.upperBound))
    ) { (word: $0.text(0), count: Int($0.integer(1))) }
    return words.reduce(into: [:]) { $0[$1.word, default: 0] += $1.count }
  }

  /// Returns the first of these events in the reverse of the total order: newest first.
  func newest(_ seqs: Set<Int64>, limit: Int) throws -> [Int64] {
    let order = "ORDER BY instant DESC, rank DESC, client_id DESC"
    guard limit > 0, !seqs.isEmpty else { return [] }
    guard seqs.count > SearchIndex.lookupLimit else {
      return try database.all(
        "SELECT seq FROM events WHERE seq IN (SELECT value FROM json_each(?)) \(order) LIMIT ?",
        .text("[" + seqs.map(String.init).joined(separator: ",") + "]"), .integer(Int64(limit))
      ) { $0.integer(0) }
    }
    var found: [Int64] = []
    try database.rows("SELECT seq FROM events \(order)") { row in
      if seqs.contains(row.integer(0)) { found.append(row.integer(0)) }
      return found.count < limit
    }
    return found
  }

  /// Returns the rows of events and pages that are missing from the index, or have another text there, or are no longer
  /// in the garden.
  func differences() throws -> [Int64] {
    var differences: [Int64] = []
    let firstPostponed = try firstPostponed() ?? .max
    try database.rows(
      """
      SELECT events.seq, events.raw, journal.text, journal.question
      FROM events LEFT JOIN journal ON journal.rowid = events.seq
      """
    ) { row in
      let expected = try SearchIndex.row(of: Event(json: row.text(1)))
      if row.integer(0) >= firstPostponed, row.isNull(2) { return true }
      if expected?.text != row.optionalText(2) || expected?.question != row.optionalText(3) {
        differences.append(row.integer(0))
      }
      return true
    }
    return try differences
      + database.all("SELECT rowid FROM journal WHERE rowid > 0 AND rowid NOT IN (SELECT seq FROM events)") {
        $0.integer(0)
      } + pageDifferences()
  }

  private func pageDifferences() throws -> [Int64] {
    let table = PageTable(database: database)
    guard try table.exists() else { return [] }
    let firstPostponed = try firstPostponed(.firstUnsearchablePage) ?? .max
    var differences: [Int64] = []
    try database.rows(
      """
      SELECT \(PageTable.columns), (SELECT journal.text FROM journal WHERE journal.rowid = -pages.id) FROM pages
      WHERE removed = 0
      """
    ) { row in
      let entry = table.entry(row)
      let isPostponed = entry.id >= firstPostponed && row.isNull(12)
      if !isPostponed, SearchIndex.text(of: entry.page) != row.optionalText(12) { differences.append(-entry.id) }
      return true
    }
    return try differences
      + database.all(
        "SELECT rowid FROM journal WHERE rowid < 0 AND -rowid NOT IN (SELECT id FROM pages WHERE NOT removed)"
      ) { $0.integer(0) }
  }

  /// Returns the rows that are wrong: those of all events with a text and of all pages if the index can't be read.
  func allDifferences() throws -> [Int64] {
    do { return try differences() } catch let error as DatabaseError {
      guard error.isOfSearchIndex else { throw error }
    }
    return try indexedRows()
  }

  /// Returns the rows of all events with a text and of all pages if the index contradicts itself. Call it outside of a
  /// transaction.
  func brokenEntries() throws -> [Int64] {
    try isIntact() ? [] : indexedRows()
  }

  private func isIntact() throws(DatabaseError) -> Bool {
    // It writes nothing, but FTS5 asks for a write transaction.
    do { try database.execute("INSERT INTO journal (journal) VALUES ('integrity-check')") } catch {
      guard error.isOfSearchIndex else { throw error }
      return false
    }
    return true
  }

  /// Returns the rows of the events that have a text, and of all pages.
  private func indexedRows() throws -> [Int64] {
    var rows: [Int64] = []
    try database.rows("SELECT seq, raw FROM events") { row in
      if try SearchIndex.row(of: Event(json: row.text(1))) != nil { rows.append(row.integer(0)) }
      return true
    }
    guard try PageTable(database: database).exists() else { return rows }
    return try rows + database.all("SELECT -id FROM pages WHERE removed = 0") { $0.integer(0) }
  }

  /// Empties a damaged index, unless the file around it is damaged too: freeing its pages could then destroy events.
  /// - Returns: whether the index is empty.
  func emptyIfSafe() throws -> Bool {
    guard try Verification.structure(of: database).isEmpty else { return false }
    try empty()
    return true
  }

  /// Replaces the index, which may be damaged, by an empty one. The next search fills it. Call it in a transaction.
  func empty() throws {
    if try !drop() {
      // FTS5 can't open the index to remove it, so remove its entry in the schema and its tables.
      try database.run(
        """
        PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'journal'; PRAGMA writable_schema = RESET
        """)
      for part in ["data", "idx", "content", "docsize", "config"] {
        try database.run("DROP TABLE IF EXISTS journal_\(part)")
      }
    }
    try database.run(Schema.search)
    try postpone(from: 1)
    try postpone(fromPage: 1)
  }

  /// - Returns: false if the index is so damaged that FTS5 can't remove it.
  private func drop() throws(DatabaseError) -> Bool {
    do { try database.run("DROP TABLE IF EXISTS journal") } catch {
      guard error.isOfSearchIndex else { throw error }
      return false
    }
    return true
  }

  /// Rebuilds the index from the log.
  func rebuild() throws {
    try empty()
    while try !addPostponed() {}
  }
}

extension DatabaseError {
  /// Whether the search index is damaged or missing.
  var isOfSearchIndex: Bool {
    switch code {
    // FTS5 writes a part of the index only when the transaction is committed. The second code is `SQLITE_CORRUPT_VTAB`,
    // a macro that Swift doesn't import.
    case SQLITE_CORRUPT: namesSearchIndex || extendedCode == SQLITE_CORRUPT | 1 << 8
    // A damaged block may name a size for which there is no memory.
    case SQLITE_NOMEM: namesSearchIndex
    case SQLITE_CONSTRAINT: namesSearchIndex || sql == "COMMIT"
    // FTS5's own messages are about the syntax of a query.
    case SQLITE_ERROR: namesSearchIndex && !message.hasPrefix("fts5:")
    default: false
    }
  }

  private var namesSearchIndex: Bool {
    let words = sql.split { $0.isWhitespace }
    return zip(words, words.dropFirst()).contains { $1 == "journal" && ["INTO", "FROM", "EXISTS"].contains($0) }
  }
}

extension SearchIndex {
  /// The maximum number of events to index in one transaction, so that other programs can write in between.
  private static let batchSize = 4000

  /// The maximum number of events to look up one by one. For more, walking back through all events finds the newest
  /// sooner.
  private static let lookupLimit = 1000

  /// What the index has of an event; `nil` for an event without words.
  private static func row(of event: Event) -> (text: String, question: String)? {
    let text = event.journalText.joined(separator: "\n")
    let question = event.payload.question ?? ""
    guard !text.isEmpty || !question.isEmpty else { return nil }
    return (prepared(text), prepared(question))
  }

  /// What the index has of a page; `nil` for a page without words.
  private static func text(of page: EarlierPage) -> String? {
    let texts = [page.title, page.text, page.place, page.tags.joined(separator: " ")].filter { !$0.isEmpty }
    return texts.isEmpty ? nil : prepared(texts.joined(separator: "\n"))
  }

  /// A text or a query as the tokenizer gets it.
  static func prepared(_ text: String) -> String { separated(withoutReserved(text.withPlainLetters)) }

  /// Separates the letters of scripts without spaces, so that each of them is a word for the tokenizer.
  private static func separated(_ text: String) -> String {
    // The first such script begins at U+0E00, in three bytes of UTF-8.
    guard text.utf8.contains(where: { $0 >= 0xE0 }) else { return text }
    var result = String.UnicodeScalarView()
    var followsUnspaced = false
    for scalar in text.unicodeScalars {
      let isUnspaced = scalar.isUnspaced
      if isUnspaced || followsUnspaced { result.append(separator) }
      result.append(scalar)
      followsUnspaced = isUnspaced
    }
    return String(result)
  }

  /// SQLite would end the text at a NUL.
  private static func withoutReserved(_ text: String) -> String {
    guard text.utf8.contains(0) else { return text }
    return String(decoding: text.utf8.map { $0 == 0 ? 0x20 : $0 }, as: UTF8.self)
  }

  /// Not part of a word for the tokenizer.
  private static let separator: Unicode.Scalar = "\u{1}"
}

extension EventStore {
  /// Searches the journal texts, their questions and the earlier pages.
  /// - Returns: the events and pages that match, without hidden ones; `nil` if the query has no word.
  public func matches(_ query: TextQuery) async throws(StoreError) -> TextMatches? {
    try await completeWholeSearchIndex()
    let found = Result { try database.snapshot { try SearchIndex(database: database).matches(query) } }
    switch found {
    case .success(let matches): return matches
    case .failure(let error as DatabaseError) where error.isOfSearchIndex && access == .readWrite:
      guard try write({ try SearchIndex(database: $0).emptyIfSafe() }) else { throw failure(error) }
      try await completeWholeSearchIndex()
      return try read { try SearchIndex(database: $0).matches(query) }
    case .failure(let error): throw failure(error)
    }
  }

  /// Returns the words of the journal texts with a number of letters in this range, in lower case and without
  /// diacritics, with the number of texts that have each. A store that is not open for writing has none.
  public func vocabulary(lengths: ClosedRange<Int>) throws(StoreError) -> [String: Int] {
    guard access == .readWrite else { return [:] }
    return try read { try SearchIndex(database: $0).vocabulary(lengths: lengths) }
  }

  /// Returns the first of these events, newest first.
  public func newest(of seqs: Set<Int64>, limit: Int) throws(StoreError) -> [Int64] {
    try read { try SearchIndex(database: $0).newest(seqs, limit: limit) }
  }

  /// After a long download this takes a moment, and other programs can write between its transactions. In a read-only
  /// store, events that are not indexed aren't found.
  private func completeWholeSearchIndex() async throws(StoreError) {
    if access == .readWrite { while try !completeSearchIndex() { await Task.yield() } }
  }

  /// Indexes at most some thousand events that a download has postponed.
  /// - Returns: whether the index is complete.
  func completeSearchIndex() throws(StoreError) -> Bool {
    let first = try (value(.firstUnsearchable), value(.firstUnsearchablePage))
    if first.0 == nil, first.1 == nil { return true }
    return try write(durably: false) { try SearchIndex(database: $0).addPostponed() }
  }

  /// Rebuilds the search index from the log.
  public func rebuildSearchIndex() throws(StoreError) {
    try write { try SearchIndex(database: $0).rebuild() }
  }
}
