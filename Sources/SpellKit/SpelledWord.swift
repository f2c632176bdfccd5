/// A word of a text that a dictionary can know.
public struct SpelledWord: Equatable, Sendable {
  /// The word with plain apostrophes, as dictionaries write them.
  public let text: String
  /// Its place in the text, in Unicode scalars.
  public let range: Range<Int>

  /// The maximum length of a word, in characters. Dictionaries have no longer words, and checking takes longer with
  /// each letter.
  static let longest = 60

  /// The words of a text. Leaves out those that no dictionary has: words with digits, addresses, words joined by
  /// underscores, and scripts without spaces between words.
  public static func words(in text: String) -> [SpelledWord] {
    var words: [SpelledWord] = []
    var chunk: [Unicode.Scalar] = []
    var offset = 0
    func end() {
      if !chunk.isEmpty, !isAddress(chunk) { words += parts(of: chunk, at: offset - chunk.count) }
      chunk.removeAll(keepingCapacity: true)
    }
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace { end() } else { chunk.append(scalar) }
      offset += 1
    }
    end()
    return words
  }

  /// Whether text between spaces is an address of the web, of mail or of a file.
  private static func isAddress(_ chunk: [Unicode.Scalar]) -> Bool {
    let inner = chunk.dropFirst().dropLast()
    if chunk.contains("@") || chunk.contains("_") || chunk.contains("\\") { return true }
    if chunk.first == "/" || chunk.first == "~" { return true }
    // A dot between letters: `example.org`. A slash alone also joins words: `and/or`.
    return inner.indices.contains {
      (inner[$0] == "." && chunk[$0 - 1].isLetter && chunk[$0 + 1].isLetter)
        || (inner[$0] == ":" && chunk[$0 + 1] == "/")
    }
  }

  private static func parts(of chunk: [Unicode.Scalar], at start: Int) -> [SpelledWord] {
    var words: [SpelledWord] = []
    var position = 0
    while position < chunk.count {
      guard chunk[position].isWordPart else {
        position += 1
        continue
      }
      var end = position + 1
      while end < chunk.count, chunk[end].isWordPart || joins(chunk, at: end) { end += 1 }
      if let word = word(chunk[position..<end]) {
        words.append(SpelledWord(text: word, range: (start + position)..<(start + end)))
      }
      position = end
    }
    return words
  }

  /// Whether an apostrophe stands between two letters.
  private static func joins(_ chunk: [Unicode.Scalar], at position: Int) -> Bool {
    chunk[position].isApostrophe && position + 1 < chunk.count && chunk[position + 1].isLetter
  }

  /// Returns the word with plain apostrophes; `nil` if it is too long or has characters that no dictionary has.
  private static func word(_ scalars: ArraySlice<Unicode.Scalar>) -> String? {
    guard scalars.count <= longest, scalars.allSatisfy({ $0.isSpelled || $0.isApostrophe }) else { return nil }
    var word = String.UnicodeScalarView()
    word.append(contentsOf: scalars.lazy.map { $0.isApostrophe ? "'" : $0 })
    return String(word)
  }
}

extension Unicode.Scalar {
  fileprivate var isApostrophe: Bool { self == "'" || self == "’" }

  fileprivate var isLetter: Bool {
    if isASCII { return ("a"..."z").contains(self) || ("A"..."Z").contains(self) }
    return properties.isAlphabetic
  }

  /// Letters, the marks on them, and digits.
  fileprivate var isWordPart: Bool {
    if isLetter || ("0"..."9").contains(self) { return true }
    guard !isASCII else { return false }
    switch properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber: return true
    default: return false
    }
  }

  /// Whether a word with this character can be in a dictionary. Words with digits can't, nor words in scripts that
  /// write without spaces.
  fileprivate var isSpelled: Bool {
    if isASCII { return isLetter }
    if case .decimalNumber = properties.generalCategory { return false }
    switch value {
    case 0xE00...0xFFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x31FF, 0x3400...0x9FFF, 0xF900...0xFAFF,
      0xFF66...0xFF9D, 0x20000...0x3FFFF:
      return false
    default: return true
    }
  }
}
