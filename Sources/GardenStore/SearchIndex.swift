import Garden

/// The full-text index over what people wrote.
struct SearchIndex {
  let database: Database

  func add(_ event: Event, seq: Int64) throws {
    let texts = event.journalText
    guard !texts.isEmpty else { return }
    try database.execute(
      "INSERT INTO journal (rowid, text) VALUES (?, ?)", .integer(seq), .text(indexed(texts.joined(separator: "\n"))))
  }

  func remove(seq: Int64) throws {
    try database.execute("DELETE FROM journal WHERE rowid = ?", .integer(seq))
  }
}

extension SearchIndex {
  /// Two control characters mark what was found, so they can't be part of the text.
  static let markStart: Unicode.Scalar = "\u{2}"
  static let markEnd: Unicode.Scalar = "\u{3}"

  private func indexed(_ text: String) -> String {
    let isReserved = { (scalar: Unicode.Scalar) in
      scalar == SearchIndex.markStart || scalar == SearchIndex.markEnd || scalar.value == 0
    }
    guard text.unicodeScalars.contains(where: isReserved) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isReserved(scalar) ? " " : scalar) }
    return String(result)
  }
}
