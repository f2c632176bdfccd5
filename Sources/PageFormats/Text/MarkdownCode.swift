/// Tells which lines of Markdown are code, in which signs mean nothing. The lines must come in order.
/// Source: CommonMark 0.31, sections 4.4 "Indented code blocks", 4.5 "Fenced code blocks" and 6.1 "Code spans".
struct MarkdownCode {
  /// The sign and length of the fence that is open.
  private var fence: (sign: UInt8, count: Int)?
  private var isInList = false
  /// Whether an indented line would be code: after an empty line, or after such code.
  private var canBeIndented = true

  mutating func isCode(_ line: some Collection<UInt8>) -> Bool { isFenced(line) || isIndented(line) }

  /// Without indented code, for texts that are nothing but a list.
  mutating func isFenced(_ line: some Collection<UInt8>) -> Bool {
    let content = line.drop { $0 == 0x20 || $0 == 0x09 }
    if let fence {
      let count = content.prefix { $0 == fence.sign }.count
      if count >= fence.count, content.dropFirst(count).isBlank { self.fence = nil }
      return true
    }
    fence = Self.item(content).map { Self.fence($0) } ?? Self.fence(content)
    if fence != nil { canBeIndented = true }
    return fence != nil
  }

  private mutating func isIndented(_ line: some Collection<UInt8>) -> Bool {
    let content = line.drop { $0 == 0x20 || $0 == 0x09 }
    if content.isEmpty {
      canBeIndented = true
      return false
    }
    let isIndented = line.first == 0x09 || line.prefix(4).elementsEqual([0x20, 0x20, 0x20, 0x20])
    if Self.item(content) != nil, isInList || !isIndented {
      isInList = true
    } else if line.first != 0x20, line.first != 0x09 {
      isInList = false
    }
    // Below an item of a list, indented lines are its text.
    canBeIndented = isIndented && canBeIndented && !isInList
    return canBeIndented
  }

  /// The text of an item of a list; `nil` for other lines.
  private static func item<Line: Collection<UInt8>>(_ content: Line) -> Line.SubSequence? {
    let digits = content.prefix { (0x30...0x39).contains($0) }.count
    let mark = content.dropFirst(digits)
    guard let sign = mark.first, (digits > 0 ? ".)" : "-*+").utf8.contains(sign), mark.dropFirst().first == 0x20
    else { return nil }
    return mark.dropFirst(2)
  }

  /// Three or more backticks or tildes. Backticks further on in the line would make it a span.
  private static func fence(_ content: some Collection<UInt8>) -> (sign: UInt8, count: Int)? {
    guard let sign = content.first, sign == 0x60 || sign == 0x7E else { return nil }
    let count = content.prefix { $0 == sign }.count
    guard count >= 3, sign == 0x7E || !content.dropFirst(count).contains(0x60) else { return nil }
    return (sign, count)
  }

  /// Where the backticks at `start` and the code behind them end. Without a closing fence of the same length, they are
  /// text.
  static func span(_ line: [UInt8], from start: Int) -> Int {
    let count = line[start...].prefix { $0 == 0x60 }.count
    // A text with runs of every length would take quadratic time.
    var index = count > 10 ? line.count : start + count
    while let open = line[index...].firstIndex(of: 0x60) {
      let run = line[open...].prefix { $0 == 0x60 }.count
      index = open + run
      if run == count { return index }
    }
    return start + count
  }

  /// A text without its code.
  static func removed(from text: String) -> String {
    var (code, out) = (MarkdownCode(), [UInt8]())
    for line in PageText.normalized(text).split(separator: 0x0A, omittingEmptySubsequences: false)
    where !code.isCode(line) {
      out += withoutSpans(Array(line)) + [0x0A]
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// A line that has a backtick in place of each code span, so that the words beside it don't meet.
  static func withoutSpans(_ line: [UInt8]) -> [UInt8] {
    var (out, index) = ([UInt8](), 0)
    while let sign = line[index...].firstIndex(of: 0x60) {
      out += line[index..<sign] + [0x60]
      index = span(line, from: sign)
    }
    return out + line[index...]
  }
}
