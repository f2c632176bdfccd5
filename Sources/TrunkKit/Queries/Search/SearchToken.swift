import EventStore
import TrunkModel

/// A piece of a typed search: a word, a phrase or a filter, as written.
struct SearchToken {
  /// The filter's key; `nil` for a word or a phrase.
  let key: SearchKey?
  /// The word, the words of the phrase, or the filter's value.
  let value: String
  /// Whether it follows a minus sign.
  let isExcluded: Bool
  /// Whether it ends with `*`.
  let hasStar: Bool
  /// Whether its last word may still be typed: it ends with a letter, and not with a quotation mark.
  let isOpen: Bool
  /// Its place in the text.
  let range: Range<String.Index>

  /// Divides a text. No text is an error.
  static func tokens(of text: String) -> [SearchToken] {
    var scanner = Scanner(scalars: text.unicodeScalars, index: text.startIndex)
    var tokens: [SearchToken] = []
    while let token = scanner.next() { tokens.append(token) }
    return tokens
  }
}

private struct Scanner {
  let scalars: String.UnicodeScalarView
  var index: String.Index

  private var current: Unicode.Scalar? { index < scalars.endIndex ? scalars[index] : nil }

  mutating func next() -> SearchToken? {
    while let scalar = current, isSpace(scalar) { skip() }
    guard let first = current else { return nil }
    let start = index
    // A minus sign alone, or before another one, is not a word.
    let isExcluded = first == "-" || first == "\u{2212}"
    if isExcluded { skip() }
    if let scalar = current, isQuotationMark(scalar) { return phrase(nil, isExcluded, from: start) }
    var word = String.UnicodeScalarView()
    while let scalar = current, !isSpace(scalar), !isQuotationMark(scalar) {
      skip()
      if scalar == ":", let key = SearchKey(String(word)) { return filter(key, isExcluded, from: start) }
      word.append(scalar)
    }
    return token(nil, (String(word), word.last?.isWordPart == true), isExcluded, from: start)
  }

  private mutating func filter(_ key: SearchKey, _ isExcluded: Bool, from start: String.Index) -> SearchToken {
    if let scalar = current, isQuotationMark(scalar) { return phrase(key, isExcluded, from: start) }
    let begin = index
    while let scalar = current, !isSpace(scalar) { skip() }
    return token(key, (String(scalars[begin..<index]), false), isExcluded, from: start)
  }

  /// Reads up to the closing quotation mark, or to the end of the text.
  private mutating func phrase(_ key: SearchKey?, _ isExcluded: Bool, from start: String.Index) -> SearchToken {
    skip()
    let begin = index
    while let scalar = current, !isQuotationMark(scalar) { skip() }
    let phrase = scalars[begin..<index]
    let isOpen = current == nil
    skip()
    return token(key, (String(phrase), isOpen && phrase.last?.isWordPart == true), isExcluded, from: start)
  }

  private func token(
    _ key: SearchKey?, _ read: (text: String, isOpen: Bool), _ isExcluded: Bool, from start: String.Index
  ) -> SearchToken {
    let hasStar = key == nil && read.text.hasSuffix("*")
    return SearchToken(
      key: key, value: hasStar ? String(read.text.dropLast()) : read.text, isExcluded: isExcluded,
      hasStar: hasStar, isOpen: read.isOpen, range: start..<index)
  }

  private mutating func skip() {
    if index < scalars.endIndex { index = scalars.index(after: index) }
  }

  private func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace || scalar.value < 0x20 }
}

/// Whether this sign begins or ends a phrase.
func isQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "\"", "“", "”", "„", "«", "»": true
  default: false
  }
}
