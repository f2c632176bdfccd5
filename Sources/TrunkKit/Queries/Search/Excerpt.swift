import EventStore

/// A part of a text with the places that a search has found.
public struct Excerpt: Sendable, Equatable {
  /// One line, with `…` where the text continues.
  public let text: String
  /// Ranges of bytes of UTF-8 in `text`, in order and without overlaps.
  public let marks: [Range<Int>]

  /// The preferred and the maximum length in Unicode scalars.
  private static let (preferred, maximum) = (90, 180)

  /// The sentence with the first match, and its neighbours if it is short. Without a match, the beginning of the text.
  public init(of text: String, finding terms: [TextQuery.Term]) {
    self.init(of: text, marks: Words(text).marks(of: terms))
  }

  /// The whole text, as one line.
  init(whole text: String, finding terms: [TextQuery.Term]) {
    let scalars = Array(text.unicodeScalars)
    self.init(scalars, 0..<scalars.count, marks: Words(text).marks(of: terms))
  }

  private init(of text: String, marks: [Range<Int>]) {
    let scalars = Array(text.unicodeScalars)
    var offset = 0
    let offsets = scalars.map { scalar in
      defer { offset += UTF8.width(scalar) }
      return offset
    }
    let match = marks.first.map { mark in
      (offsets.firstIndex { $0 >= mark.lowerBound } ?? 0)..<(offsets.firstIndex { $0 >= mark.upperBound }
        ?? scalars.count)
    }
    self.init(scalars, Excerpt.part(of: scalars, around: match ?? 0..<0), marks: marks)
  }

  private init(_ scalars: [Unicode.Scalar], _ part: Range<Int>, marks: [Range<Int>]) {
    var part = part
    while let first = part.first, scalars[first].properties.isWhitespace { part.removeFirst() }
    while let last = part.last, scalars[last].properties.isWhitespace { part.removeLast() }
    var text = String.UnicodeScalarView()
    if !scalars[..<part.lowerBound].allSatisfy(\.properties.isWhitespace) {
      text.append(contentsOf: "… ".unicodeScalars)
    }
    let before = String(text).utf8.count
    for scalar in scalars[part] { text.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar) }
    if !scalars[part.upperBound...].allSatisfy(\.properties.isWhitespace) {
      text.append(contentsOf: " …".unicodeScalars)
    }
    self.text = String(text)
    let start = scalars[..<part.lowerBound].reduce(0) { $0 + UTF8.width($1) }
    let end = start + scalars[part].reduce(0) { $0 + UTF8.width($1) }
    self.marks = marks.filter { $0.lowerBound >= start && $0.upperBound <= end }.map {
      ($0.lowerBound - start + before)..<($0.upperBound - start + before)
    }
  }

  private static func part(of scalars: [Unicode.Scalar], around match: Range<Int>) -> Range<Int> {
    var sentences: [Range<Int>] = []
    var start = 0
    for index in scalars.indices where endsSentence(scalars, at: index) || index == scalars.count - 1 {
      sentences.append(start..<(index + 1))
      start = index + 1
    }
    guard var last = sentences.firstIndex(where: { $0.upperBound > match.lowerBound }) else { return 0..<0 }
    var part = sentences[last].lowerBound..<max(sentences[last].upperBound, match.upperBound)
    while part.count < preferred, last + 1 < sentences.count {
      last += 1
      guard sentences[last].upperBound - part.lowerBound <= maximum else { break }
      part = part.lowerBound..<max(part.upperBound, sentences[last].upperBound)
    }
    return part.count <= maximum ? part : cut(part, of: scalars, around: match)
  }

  /// Cuts a long sentence at words. A third of the space left is before the match.
  private static func cut(_ part: Range<Int>, of scalars: [Unicode.Scalar], around match: Range<Int>) -> Range<Int> {
    let before = max(0, (maximum - match.count) / 3)
    var start = max(part.lowerBound, match.lowerBound - before)
    var end = min(part.upperBound, start + maximum)
    func isSpace(_ index: Int) -> Bool { scalars[index].properties.isWhitespace }
    if start > part.lowerBound, let space = (start..<match.lowerBound).first(where: isSpace) { start = space }
    if end < part.upperBound, match.upperBound < end, let space = (match.upperBound..<end).last(where: isSpace) {
      end = space
    }
    return start..<max(start, end)
  }

  private static func endsSentence(_ scalars: [Unicode.Scalar], at index: Int) -> Bool {
    switch scalars[index] {
    case "\n", "\r", "\u{2028}", "\u{2029}", "。", "！", "？": true
    case ".", "!", "?", "…": index + 1 < scalars.count && scalars[index + 1].properties.isWhitespace
    default: false
    }
  }
}
