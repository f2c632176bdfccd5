import Localization

/// The words of an entry where there is room for a line or two.
public enum OwnWords {
  /// The most characters.
  public static let limit = 90

  /// The first sentences of a text in quotation marks, or the title of a sprout or the name of a twig if there are no
  /// words.
  public static func quoted(_ text: String?, orTitle title: String) -> String {
    let sentences = firstSentences(of: text ?? "")
    return sentences.isEmpty ? title : tr("“{text}”", ["text": sentences])
  }

  /// The first sentence of a text and those after it in the same line that fit into 90 characters, without the spaces
  /// around them. A first sentence with more is cut between two words, and ends with “…”. Empty without words.
  public static func firstSentences(of text: String) -> String {
    // What follows can't be seen, however long it is.
    let start = Array(text.drop { $0.isWhitespace }.prefix(limit + 2))
    let line = start.prefix { !$0.isNewline }
    let ends = line.indices.filter { isEnd($0, of: start) }.map { end in
      end + 1 + line[(end + 1)...].prefix { closing.contains($0) }.count
    }
    let last = (ends + [line.count]).last { line[..<$0].trimmed.count <= limit } ?? ends.first ?? line.count
    let sentences = line[..<last].trimmed
    guard sentences.count > limit else { return String(sentences) }
    let cut = sentences.prefix(limit)
    // Without a space in it, for example in Chinese, it is cut anywhere.
    let word = cut.lastIndex { $0.isWhitespace }.map { cut[..<$0] } ?? cut
    return String(word.trimmed) + "…"
  }

  private static let closing: Set<Character> = ["”", "“", "\"", "’", "'", "»", "«", ")", "]", "」", "』"]
  private static let wideEnds: Set<Character> = ["。", "！", "？"]

  /// Whether a sentence ends with the character at this place.
  private static func isEnd(_ index: Int, of text: [Character]) -> Bool {
    let character = text[index]
    if wideEnds.contains(character) { return true }
    guard [".", "!", "?", "…"].contains(character) else { return false }
    let rest = text[(index + 1)...].drop { closing.contains($0) }
    guard let next = rest.first else { return true }
    guard next.isWhitespace else { return false }
    // “z. B.”, “Dr. Frei”, “the 3. time” and “Well… no” go on.
    let word = text[..<index].reversed().prefix { !$0.isWhitespace }
    if character == ".", isAbbreviation(word) { return false }
    return rest.first { !$0.isWhitespace }?.isLowercase != true
  }

  /// Whether a word before a full stop is a number, a letter or has no vowel.
  private static func isAbbreviation(_ word: some Sequence<Character>) -> Bool {
    let letters = Array(word)
    return letters.count == 1 || letters.allSatisfy(\.isNumber)
      || letters.allSatisfy { $0.isASCII && $0.isLetter && !"aeiouyAEIOUY".contains($0) }
  }
}

extension ArraySlice<Character> {
  fileprivate var trimmed: ArraySlice<Character> {
    var rest = drop { $0.isWhitespace }
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return rest
  }
}
