/// Words that begin with a sign, such as `#garden` or `@home`.
enum HashTags {
  /// The tags of a text, in order. A sign counts only at the start, after a space or after a round bracket: `[#A]` is a
  /// priority, `[[#name]]` and `[text](#name)` are links, and `{#name}` names a heading.
  /// - Parameters:
  ///   - sign: an ASCII character.
  ///   - extra: ASCII characters that a tag may contain beside letters and digits.
  ///   - isTag: whether a word without its sign is a tag.
  static func find(
    _ text: String, sign: UInt8, extra: StaticString, hasBrackets: Bool = false, isTag: (String) -> Bool
  ) -> [String] {
    let bytes = Array(text.utf8)
    let extra = extra.withUTF8Buffer(Array.init)
    var (tags, index, brackets) = ([String](), 0, RepeatedSearch("]]"))
    while let start = bytes[index...].firstIndex(of: sign) {
      index = start + 1
      guard start == 0 || " \t\n(".utf8.contains(bytes[start - 1]), !isTarget(bytes, start) else { continue }
      var end = index
      if hasBrackets, bytes.has("[[", at: index), let close = brackets.next(in: bytes, from: index) {
        tags.append(String(decoding: bytes[(index + 2)..<close], as: UTF8.self))
        index = close
        continue
      }
      while end < bytes.count, isLetter(bytes[end]) || extra.contains(bytes[end]) { end += 1 }
      // Signs at the end belong to the sentence.
      while end > index, bytes[end - 1] == 0x2F || bytes[end - 1] == 0x2D { end -= 1 }
      let word = String(decoding: bytes[index..<end], as: UTF8.self)
      if !word.isEmpty, isTag(word) { tags.append(word) }
      index = end
    }
    return tags
  }

  /// ASCII letters and digits, and everything beyond ASCII except U+2000…U+206F, which are spaces and punctuation.
  private static func isLetter(_ byte: UInt8) -> Bool {
    byte >= 0x80 || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
  }

  /// Whether a byte is one of a word in ASCII, or `_`.
  static func isWord(_ byte: UInt8) -> Bool { byte == 0x5F || byte < 0x80 && isLetter(byte) }

  /// Whether a sign begins what a link leads to, as in `[text](#name)` and `[text]: #name`.
  private static func isTarget(_ bytes: [UInt8], _ start: Int) -> Bool {
    bytes.has("](", at: start - 2) || bytes.has("]: ", at: start - 3)
  }

  /// Whether a word has only digits, as in `#1`.
  static func isNumber(_ word: String) -> Bool { word.utf8.allSatisfy { (0x30...0x39).contains($0) } }
}
