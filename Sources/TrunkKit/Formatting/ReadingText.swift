/// A text with simple Markdown as it is read: its signs are gone, and their words have a style. The store keeps the
/// text as it was written.
///
///     ReadingText("The **last** ferry").runs  // The, last (strong), ferry
///
/// Knows headings, lists, quotes, rules, fences, `**`, `__`, `*`, `_`, `~~`, Obsidian's `==`, backticks, links and
/// escapes, each within a line. A sign that could as well be meant, as in `2 * 3` or `snake_case`, stays.
public struct ReadingText: Sendable, Equatable {
  public struct Style: OptionSet, Sendable, Hashable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let strong = Style(rawValue: 1)
    public static let emphasized = Style(rawValue: 2)
    public static let struck = Style(rawValue: 4)
    public static let code = Style(rawValue: 8)
    public static let heading = Style(rawValue: 16)
  }

  public struct Run: Sendable, Equatable {
    public var text: String
    public let style: Style
  }

  /// The text in order; neighbours have different styles.
  public private(set) var runs: [Run] = []

  /// The text without signs.
  public var plain: String { runs.reduce(into: "") { $0 += $1.text } }

  /// Signs within others are read up to this depth, and longer lines, in characters, not at all.
  private static let (depth, longestLine) = (4, 4000)

  private static let signs = Set("*_`~=#>[\\+-".utf8)

  public init(_ text: String) {
    guard text.utf8.contains(where: ReadingText.signs.contains) else {
      runs = [Run(text: text, style: [])]
      return
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var fenceEnd = -1
    for (index, line) in lines.enumerated() {
      if ReadingText.isFence(line) {
        if index == fenceEnd { continue }
        if index > fenceEnd, let end = lines[(index + 1)...].firstIndex(where: ReadingText.isFence) {
          fenceEnd = end
          continue
        }
      }
      if !runs.isEmpty { append("\n", []) }
      if index < fenceEnd { append(line, .code) } else { addLine(line) }
    }
    // A text of nothing but signs is shown as it was written.
    if plain.allSatisfy(\.isWhitespace) { runs = [Run(text: text, style: [])] }
  }

  private init(_ lines: ArraySlice<[Run]>) {
    for (number, line) in lines.enumerated() {
      if number > 0 { append("\n", []) }
      for run in line { append(run.text, run.style) }
    }
  }

  /// Its paragraphs, which blank lines separate, without spaces at the ends of their lines.
  public var paragraphs: [ReadingText] {
    var lines: [[Run]] = [[]]
    for run in runs {
      for (number, part) in run.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if number > 0 { lines.append([]) }
        if !part.isEmpty { lines[lines.count - 1].append(Run(text: String(part), style: run.style)) }
      }
    }
    return lines.map(ReadingText.withoutTrailingSpace).split(whereSeparator: \.isEmpty).map(ReadingText.init)
  }

  private static func withoutTrailingSpace(_ line: [Run]) -> [Run] {
    var line = line
    while let last = line.last?.text {
      let end = last.lastIndex { !$0.isWhitespace }.map { last.index(after: $0) } ?? last.startIndex
      line[line.count - 1].text = String(last[..<end])
      if end > last.startIndex { break }
      line.removeLast()
    }
    return line
  }

  private static func isFence(_ line: Substring) -> Bool { line.hasPrefix("```") }

  private mutating func append(_ text: some StringProtocol, _ style: Style) {
    if text.isEmpty { return }
    if let last = runs.indices.last, runs[last].style == style {
      runs[last].text += text
    } else {
      runs.append(Run(text: String(text), style: style))
    }
  }

  private mutating func addLine(_ line: Substring) {
    guard line.count <= ReadingText.longestLine else { return append(line, []) }
    var rest = line
    let indent = rest.prefix { $0 == " " || $0 == "\t" }
    rest = rest.dropFirst(indent.count)
    let level = rest.prefix { $0 == "#" }.count
    if (1...6).contains(level), rest.dropFirst(level).first == " " {
      return addInline(Array(rest.dropFirst(level).drop { $0 == " " }), .heading)
    }
    if rest.count >= 3, let sign = rest.first, "-*_".contains(sign), rest.allSatisfy({ $0 == sign }) {
      return append("———", [])
    }
    if rest.hasPrefix("> ") { return addInline(Array(rest.dropFirst(2)), .emphasized) }
    append(indent, [])
    if let sign = rest.first, "-*+".contains(sign), rest.dropFirst().first == " " {
      rest = rest.dropFirst(2)
      let boxes = ["[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "]
      let box = boxes[String(rest.prefix(4))]
      append(box ?? "• ", [])
      if box != nil { rest = rest.dropFirst(4) }
    }
    addInline(Array(rest), [])
  }
}

// MARK: - Within a line

extension ReadingText {
  private static let marks: [(sign: [Character], style: Style)] = [
    (["*", "*"], .strong), (["_", "_"], .strong), (["~", "~"], .struck),
    (["=", "="], .emphasized), (["*"], .emphasized), (["_"], .emphasized),
  ]

  private mutating func addInline(_ text: [Character], _ style: Style, depth: Int = 0) {
    var (index, start) = (0, 0)
    // Signs that have no end in the rest of the text.
    var open: Set<[Character]> = []
    func flush(_ end: Int, _ result: inout ReadingText) { result.append(String(text[start..<max(start, end)]), style) }
    while index < text.count {
      if text[index] == "\\", index + 1 < text.count, text[index + 1].isASCII, text[index + 1].isPunctuationOrSymbol {
        flush(index, &self)
        append(String(text[index + 1]), style)
        (index, start) = (index + 2, index + 2)
      } else if text[index] == "`", !open.contains(["`"]) {
        guard let end = text[(index + 1)...].firstIndex(of: "`"), end > index + 1 else {
          open.insert(["`"])
          index += 1
          continue
        }
        flush(index, &self)
        append(String(text[index + 1..<end]), style.union(.code))
        (index, start) = (end + 1, end + 1)
      } else if let link = ReadingText.link(text, at: index) {
        flush(index, &self)
        append(link.text, style)
        (index, start) = (link.end, link.end)
      } else if depth < ReadingText.depth, let mark = ReadingText.mark(text, at: index, without: open) {
        guard let end = ReadingText.end(of: mark.sign, in: text, from: index + mark.sign.count) else {
          open.insert(mark.sign)
          continue
        }
        flush(index, &self)
        addInline(Array(text[index + mark.sign.count..<end]), style.union(mark.style), depth: depth + 1)
        (index, start) = (end + mark.sign.count, end + mark.sign.count)
      } else {
        index += 1
      }
    }
    flush(text.count, &self)
  }

  /// The sign that may begin at an index: a word follows it, and none ends before it.
  private static func mark(
    _ text: [Character], at index: Int, without open: Set<[Character]>
  ) -> (sign: [Character], style: Style)? {
    guard "*_~=".contains(text[index]) else { return nil }
    if index > 0, text[index - 1].isLetter || text[index - 1].isNumber || text[index - 1] == text[index] { return nil }
    return marks.first { sign, _ in
      let end = index + sign.count
      return !open.contains(sign) && end < text.count && text[index..<end].elementsEqual(sign)
        && !text[end].isWhitespace && text[end] != sign[0]
    }
  }

  /// Where a sign ends a word after `start`.
  private static func end(of sign: [Character], in text: [Character], from start: Int) -> Int? {
    var index = start + 1
    while index + sign.count <= text.count {
      let end = index + sign.count
      let isEnd =
        text[index..<end].elementsEqual(sign) && !text[index - 1].isWhitespace && text[index - 1] != "\\"
        && text[index - 1] != sign[0] && (end == text.count || !isPartOfWord(text[end], sign[0]))
      if isEnd { return index }
      index += 1
    }
    return nil
  }

  private static func isPartOfWord(_ character: Character, _ sign: Character) -> Bool {
    character.isLetter || character.isNumber || character == sign
  }

  /// A link or a picture that begins at an index, as its text, with the address of a web page behind it.
  private static func link(_ text: [Character], at index: Int) -> (text: String, end: Int)? {
    let isPicture = text[index] == "!"
    let start = index + (isPicture ? 2 : 1)
    guard start <= text.count, text[start - 1] == "[",
      let middle = text[start...].firstIndex(of: "]"), middle + 1 < text.count, text[middle + 1] == "(",
      let end = text[(middle + 2)...].firstIndex(of: ")")
    else { return nil }
    let (name, address) = (String(text[start..<middle]), String(text[middle + 2..<end]))
    let isWeb = address.hasPrefix("http://") || address.hasPrefix("https://")
    if isPicture || !isWeb { return (name, end + 1) }
    return (name.isEmpty || name == address ? address : "\(name) (\(address))", end + 1)
  }
}

extension Character {
  fileprivate var isPunctuationOrSymbol: Bool { isPunctuation || isSymbol }
}
