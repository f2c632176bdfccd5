import SQLiteKit
import TrunkModel

/// An event that a search found.
public struct SearchResult: Sendable, Equatable {
  public let seq: Int64
  public let instant: Instant?
  /// The text around the match, with `…` where the text continues.
  public let snippet: String
  /// The matches in the snippet, as ranges of its UTF-8 bytes, in order.
  public let marks: [Range<Int>]
}

/// The full-text index of journal texts.
struct SearchIndex {
  let database: Database

  func add(_ event: Event, seq: Int64) throws {
    guard let text = SearchIndex.text(of: event) else { return }
    try database.execute("INSERT INTO journal (rowid, text) VALUES (?, ?)", .integer(seq), .text(text))
  }

  /// Marks events from `seq` onward as not yet indexed. Indexing is a large part of the cost of storing an event, and a
  /// download that is still running doesn't need to be searchable.
  func postpone(from seq: Int64) throws {
    let meta = MetaTable(database: database)
    let first = min(try firstPostponed() ?? seq, seq)
    try meta.set(String(first), for: .firstUnsearchable)
  }

  ///   Indexes some of the postponed events.
  /// - Returns: whether the index is complete.
  func addPostponed() throws -> Bool {
    let meta = MetaTable(database: database)
    guard let first = try firstPostponed() else { return true }
    // Some of them may have been indexed on arrival.
    let events = try database.all(
      """
      SELECT seq, raw, EXISTS (SELECT 1 FROM journal WHERE journal.rowid = events.seq) FROM events
      WHERE seq >= ? ORDER BY seq LIMIT ?
      """, .integer(first), .integer(SearchIndex.some)
    ) { (seq: $0.integer(0), event: try Event(json: $0.text(1)), isThere: $0.integer(2) != 0) }
    for (seq, event, isThere) in events where !isThere { try add(event, seq: seq) }
    let isDone = events.count < SearchIndex.some
    try meta.set(isDone ? nil : events.last.map { String($0.seq + 1) }, for: .firstUnsearchable)
    return isDone
  }

  private func firstPostponed() throws -> Int64? {
    try MetaTable(database: database).value(.firstUnsearchable).flatMap { Int64($0) }
  }

  func remove(seq: Int64) throws {
    try database.execute("DELETE FROM journal WHERE rowid = ?", .integer(seq))
  }

  /// - Returns: the numbers of the events that match; `nil` if the query has no word.
  func matches(_ query: String) throws -> Set<Int64>? {
    guard let query = SearchQuery.fts(query) else { return nil }
    return Set(try database.all("SELECT rowid FROM journal WHERE journal MATCH ?", .text(query)) { $0.integer(0) })
  }

  /// Returns the matches in the reverse of the total order: newest first.
  func search(_ query: String, types: Set<String>?, seqs: Set<Int64>?, limit: Int) throws -> [SearchResult] {
    guard limit > 0, var hits = try matches(query), let query = SearchQuery.fts(query) else { return [] }
    if let seqs { hits.formIntersection(seqs) }
    let found = try newest(hits, types: types, limit: limit)
    // One query for all snippets, because each query with a prefix reads all of its hits. The unary plus keeps SQLite
    // from running one query per row.
    var snippets: [Int64: String] = [:]
    try database.rows(
      """
      SELECT rowid, snippet(journal, 0, char(2), char(3), '…', 24) FROM journal
      WHERE journal MATCH ? AND +rowid IN (SELECT value FROM json_each(?))
      """, .text(query), .text(SearchIndex.list(found.map(\.seq)))
    ) { row in
      snippets[row.integer(0)] = row.text(1)
      return snippets.count < found.count
    }
    return found.map { SearchResult(seq: $0.seq, instant: $0.instant, marked: snippets[$0.seq] ?? "") }
  }

  /// Finds the matches in the whole texts of some events, as ranges of UTF-8 bytes.
  func marks(of query: String, in seqs: [Int64]) throws -> [Int64: [Range<Int>]] {
    guard let query = SearchQuery.fts(query) else { return [:] }
    var marks: [Int64: [Range<Int>]] = [:]
    try database.rows(
      """
      SELECT rowid, highlight(journal, 0, char(2), char(3)) FROM journal
      WHERE journal MATCH ? AND +rowid IN (SELECT value FROM json_each(?))
      """, .text(query), .text(SearchIndex.list(seqs))
    ) { row in
      marks[row.integer(0)] = SearchResult(seq: row.integer(0), instant: nil, marked: row.text(1)).marks
      return true
    }
    return marks
  }

  /// Returns the numbers of events that are missing from the index, indexed with another text, or indexed but no longer
  /// in the log.
  func differences() throws -> [Int64] {
    var differences: [Int64] = []
    let firstPostponed = try firstPostponed() ?? .max
    try database.rows(
      "SELECT events.seq, events.raw, journal.text FROM events LEFT JOIN journal ON journal.rowid = events.seq"
    ) { row in
      let text = try SearchIndex.text(of: Event(json: row.text(1)))
      if row.integer(0) >= firstPostponed, row.isNull(2) { return true }
      if text != row.optionalText(2) { differences.append(row.integer(0)) }
      return true
    }
    return try differences
      + database.all("SELECT rowid FROM journal WHERE rowid NOT IN (SELECT seq FROM events)") { $0.integer(0) }
  }

  /// Rebuilds the index from the log.
  func rebuild() throws {
    try database.run("DROP TABLE IF EXISTS journal")
    try database.run(Schema.search)
    try MetaTable(database: database).set(nil, for: .firstUnsearchable)
    try database.rows("SELECT seq, raw FROM events") { row in
      try add(Event(json: row.text(1)), seq: row.integer(0))
      return true
    }
  }
}

extension SearchIndex {
  private typealias Hit = (seq: Int64, instant: Instant?)

  /// The maximum number of events to index in one transaction, so that other programs can write in between.
  private static let some = 4000

  /// The maximum number of events to look up one by one. For more, walking back through all events finds the newest
  /// sooner.
  private static let few = 1000

  private func newest(_ seqs: Set<Int64>, types: Set<String>?, limit: Int) throws -> [Hit] {
    let order = "ORDER BY instant DESC, rank DESC, client_id DESC"
    var found: [Hit] = []
    let take = { (row: Row) throws -> Bool in
      let seq = row.integer(0)
      guard seqs.contains(seq) else { return true }
      if let types {
        let type = try database.first("SELECT type FROM events WHERE seq = ?", .integer(seq)) { $0.text(0) }
        guard let type, types.contains(type) else { return true }
      }
      found.append((seq, row.optionalInteger(1).map { Instant(milliseconds: $0) }))
      return found.count < limit
    }
    if seqs.count > SearchIndex.few {
      try database.rows("SELECT seq, instant FROM events \(order)", body: take)
    } else {
      try database.rows(
        "SELECT seq, instant FROM events WHERE seq IN (SELECT value FROM json_each(?)) \(order)",
        .text(SearchIndex.list(seqs)),
        body: take)
    }
    return found
  }

  private static func list(_ seqs: some Sequence<Int64>) -> String {
    "[" + seqs.map(String.init).joined(separator: ",") + "]"
  }

  /// Two control characters mark the matches, so they can't be part of the text.
  private static func isReserved(_ byte: UInt8) -> Bool { byte == 2 || byte == 3 || byte == 0 }

  private static func text(of event: Event) -> String? {
    let texts = event.journalText
    guard !texts.isEmpty else { return nil }
    let text = texts.joined(separator: "\n")
    guard text.utf8.contains(where: isReserved) else { return text }
    return String(decoding: text.utf8.map { isReserved($0) ? 0x20 : $0 }, as: UTF8.self)
  }
}

extension SearchResult {
  fileprivate init(seq: Int64, instant: Instant?, marked: String) {
    var bytes: [UInt8] = []
    var marks: [Range<Int>] = []
    var start = 0
    for byte in marked.utf8 {
      switch byte {
      case 2: start = bytes.count
      case 3: marks.append(start..<bytes.count)
      default: bytes.append(byte)
      }
    }
    self.init(seq: seq, instant: instant, snippet: String(decoding: bytes, as: UTF8.self), marks: marks)
  }
}

extension EventStore {
  /// Searches the journal texts. All words must occur; the last one may be the beginning of a word; words in quotation
  /// marks must stand together. No input is an error.
  /// - Parameters:
  ///   - types: only events of these types; `nil` for all.
  ///   - seqs: only events with these numbers; `nil` for all.
  ///   - limit: the maximum number of results.
  /// - Returns: the results, newest first.
  public func search(
    _ query: String, types: Set<String>? = nil, seqs: Set<Int64>? = nil, limit: Int = 100
  ) async throws(StoreError) -> [SearchResult] {
    try await completeWholeSearchIndex()
    return try read { try SearchIndex(database: $0).search(query, types: types, seqs: seqs, limit: limit) }
  }

  /// Finds all events that match a search, without their texts.
  /// - Returns: the events' numbers; `nil` if the query has no word.
  public func matches(_ query: String) async throws(StoreError) -> Set<Int64>? {
    try await completeWholeSearchIndex()
    return try read { try SearchIndex(database: $0).matches(query) }
  }

  /// Finds where a search matches in the texts of some events. A text is what `Event.journalText` has, on one line each.
  /// - Returns: for each matching event the ranges of UTF-8 bytes, in order.
  public func marks(of query: String, in seqs: [Int64]) throws(StoreError) -> [Int64: [Range<Int>]] {
    try read { try SearchIndex(database: $0).marks(of: query, in: seqs) }
  }

  /// After a long download this takes a moment, in which others can write. In a read-only store, events that are not
  /// indexed aren't found.
  private func completeWholeSearchIndex() async throws(StoreError) {
    if access == .readWrite { while try !completeSearchIndex() { await Task.yield() } }
  }

  /// Indexes at most some thousand events that a download has postponed.
  /// - Returns: whether the index is complete.
  func completeSearchIndex() throws(StoreError) -> Bool {
    guard try value(.firstUnsearchable) != nil else { return true }
    return try write(durably: false) { try SearchIndex(database: $0).addPostponed() }
  }

  /// Rebuilds the search index from the log.
  public func rebuildSearchIndex() throws(StoreError) {
    try write { try SearchIndex(database: $0).rebuild() }
  }
}
