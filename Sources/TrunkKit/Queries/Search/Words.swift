import EventStore

/// The words of a text, folded for comparison, with their places.
///
/// A text is split into words as in the full-text index, so that titles and journal texts are found by the same rules.
struct Words {
  struct Word {
    let folded: String
    /// In bytes of UTF-8.
    let range: Range<Int>
  }

  let words: [Word]

  init(_ text: String) {
    var words: [Word] = []
    var word = String.UnicodeScalarView()
    var (start, offset) = (0, 0)
    func end() {
      if !word.isEmpty { words.append(Word(folded: String(word).folded, range: start..<offset)) }
      word.removeAll()
    }
    for scalar in text.unicodeScalars {
      let isUnspaced = scalar.isUnspaced
      // A combining mark belongs to the letter before it.
      let belongs = scalar.isWordPart || !word.isEmpty && scalar.properties.generalCategory == .nonspacingMark
      if isUnspaced || !belongs { end() }
      if belongs {
        if word.isEmpty { start = offset }
        word.append(scalar)
      }
      offset += UTF8.width(scalar)
      if isUnspaced { end() }
    }
    end()
    self.words = words
  }

  /// The places of these terms as ranges of bytes of UTF-8, in order and without overlaps.
  func marks(of terms: [TextQuery.Term]) -> [Range<Int>] {
    var places: [Range<Int>] = []
    for term in terms {
      let wanted = Words(term.text).words.map(\.folded)
      guard let last = wanted.last, wanted.count <= words.count else { continue }
      for first in 0...(words.count - wanted.count) {
        let found = words[first..<(first + wanted.count)]
        guard let end = found.last, found.dropLast().map(\.folded) == Array(wanted.dropLast()),
          term.isPrefix ? end.folded.hasPrefix(last) : end.folded == last
        else { continue }
        places.append(words[first].range.lowerBound..<end.range.upperBound)
      }
    }
    return places.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { marks, place in
      if let end = marks.last?.upperBound, place.lowerBound < end {
        marks[marks.count - 1] = marks[marks.count - 1].lowerBound..<max(end, place.upperBound)
      } else {
        marks.append(place)
      }
    }
  }
}

/// The words of a text, prepared for many searches.
struct FoldedWords: Sendable {
  private let text: FoldedText

  init(_ text: String) {
    let folded = Words(text).words.reduce(into: " ") { $0 += $1.folded + " " }
    self.text = FoldedText(folded: Array(folded.utf8CString))
  }

  func contains(_ term: FoldedTerm) -> Bool { text.contains(term.text) }
}

/// A term of a search, prepared for many texts.
struct FoldedTerm {
  fileprivate let text: FoldedText

  /// - Returns: `nil` if the term has no word.
  init?(_ term: TextQuery.Term) {
    let words = Words(term.text).words.map(\.folded)
    guard !words.isEmpty else { return nil }
    let folded = " " + words.joined(separator: " ") + (term.isPrefix ? "" : " ")
    text = FoldedText(folded: Array(folded.utf8CString))
  }
}
