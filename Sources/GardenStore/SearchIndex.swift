import Garden

/// An event that a search found.
public struct SearchResult: Sendable, Equatable {
  public let seq: Int64
  public let instant: Instant?
  /// A piece of the text around what was found, with `…` where the text goes on.
  public let snippet: String
  /// What was found in the snippet, as ranges of its UTF-8 bytes, in order.
  public let marks: [Range<Int>]
}

/// The full-text index over what people wrote.
struct SearchIndex {
  let database: Database

  func add(_ event: Event, seq: Int64) throws {
    guard let text = SearchIndex.text(of: event) else { return }
    try database.execute("INSERT INTO journal (rowid, text) VALUES (?, ?)", .integer(seq), .text(text))
  }

  func remove(seq: Int64) throws {
    try database.execute("DELETE FROM journal WHERE rowid = ?", .integer(seq))
  }

  /// Newest first; of the same instant the one that arrived last.
  func search(_ query: String, types: Set<String>?, seqs: Set<Int64>?, limit: Int) throws -> [SearchResult] {
    guard limit > 0, let query = SearchQuery.fts(query) else { return [] }
    var found: [(seq: Int64, instant: Int64?)] = []
    // The snippets only of what is shown: they cost more than all the rest.
    try database.rows(
      """
      SELECT events.seq, events.instant, events.type FROM journal JOIN events ON events.seq = journal.rowid
      WHERE journal MATCH ? ORDER BY events.instant DESC, events.seq DESC
      """, .text(query)
    ) { row in
      let seq = row.integer(0)
      if seqs?.contains(seq) ?? true, types?.contains(row.text(2)) ?? true {
        found.append((seq, row.optionalInteger(1)))
      }
      return found.count < limit
    }
    return try found.map { hit in
      let marked = try database.first(
        "SELECT snippet(journal, 0, char(2), char(3), '…', 24) FROM journal WHERE journal MATCH ? AND rowid = ?",
        .text(query), .integer(hit.seq)
      ) { $0.text(0) }
      return SearchResult(seq: hit.seq, instant: hit.instant.map { Instant(milliseconds: $0) }, marked: marked ?? "")
    }
  }

  /// Numbers of events that the index lacks, has too many, or has with another text.
  func differences() throws -> [Int64] {
    var differences: [Int64] = []
    try database.rows(
      "SELECT events.seq, events.raw, journal.text FROM events LEFT JOIN journal ON journal.rowid = events.seq"
    ) { row in
      let text = try SearchIndex.text(of: Event(json: row.text(1)))
      if text != row.optionalText(2) { differences.append(row.integer(0)) }
      return true
    }
    return try differences
      + database.all("SELECT rowid FROM journal WHERE rowid NOT IN (SELECT seq FROM events)") { $0.integer(0) }
  }

  /// Makes the index anew from the log.
  func rebuild() throws {
    try database.run("DROP TABLE IF EXISTS journal")
    try database.run(Schema.search)
    try database.rows("SELECT seq, raw FROM events") { row in
      try add(Event(json: row.text(1)), seq: row.integer(0))
      return true
    }
  }
}

extension SearchIndex {
  /// Two control characters mark what was found, so they can't be part of the text.
  private static let reserved: [Unicode.Scalar] = ["\u{2}", "\u{3}", "\u{0}"]

  private static func text(of event: Event) -> String? {
    let texts = event.journalText
    guard !texts.isEmpty else { return nil }
    let text = texts.joined(separator: "\n")
    guard text.unicodeScalars.contains(where: reserved.contains) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(reserved.contains(scalar) ? " " : scalar) }
    return String(result)
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
