import Localization

extension JournalBook {
  /// The book as CommonMark. The user's text is escaped, so that characters with a meaning in Markdown are shown as
  /// typed.
  public var markdown: String {
    var blocks = ["# " + title.markdownLine]
    let about = dotted([subtitle, dates, author])
    if !about.isEmpty { blocks.append(about.markdownLine) }
    for part in parts {
      if let title = part.title { blocks.append("## " + title.markdownLine) }
      let level = part.title == nil ? "##" : "###"
      for section in part.sections {
        blocks.append(level + " " + section.title.markdownLine)
        blocks += (section.month?.lines ?? []).map { "*" + $0.label.markdownLine + "* " + $0.text.markdownLine }
        blocks += section.entries.flatMap { $0.markdownBlocks(heading: level + "#") }
        if !section.silence.isEmpty { blocks.append(section.silence.markdownLine) }
      }
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }
}

extension JournalBook.Entry {
  fileprivate func markdownBlocks(heading: String) -> [String] {
    guard isWritten else { return ["*" + date.markdownLine + ": " + about.markdownLine + "*"] }
    var blocks = [heading + " " + dateAndTime.markdownLine]
    if !about.isEmpty { blocks.append("*" + about.markdownLine + "*") }
    if let question { blocks.append("> " + question.markdownLine) }
    return blocks + text.paragraphs.map { $0.map(\.markdownLine).joined(separator: "\\\n") }
  }
}

extension String {
  /// The paragraphs of a text, which are separated by blank lines, as lists of lines without spaces at their ends.
  fileprivate var paragraphs: [[String]] {
    split(separator: "\n", omittingEmptySubsequences: false).map(\.withoutTrailingSpace)
      .split(whereSeparator: \.isEmpty).map(Array.init)
  }

  /// Characters that have a meaning in CommonMark or its usual extensions anywhere in a line.
  private static let special = Set("\\`*[]<>&|~$^".unicodeScalars)
  /// Characters that turn a line that begins with them into a heading, a list or a rule.
  private static let opening = Set("#-+=:".unicodeScalars)

  /// One line as Markdown that shows exactly these characters.
  fileprivate var markdownLine: String {
    // Markdown reads scalars: a character with a combining mark or a joiner can begin with one that has a meaning.
    let indent = unicodeScalars.prefix(while: \.properties.isWhitespace)
    let content = Array(unicodeScalars.dropFirst(indent.count))
    let digits = content.prefix(while: \.isNumber).count
    // Markdown would show a line with leading spaces as program code, or drop the spaces.
    var result = indent.map { $0 == "\t" ? "\u{A0}\u{A0}\u{A0}\u{A0}" : "\u{A0}" }.joined()
    for (position, scalar) in content.enumerated() {
      let isOpening = position == 0 && String.opening.contains(scalar)
      let endsNumber = digits > 0 && position == digits && (scalar == "." || scalar == ")")
      let isEmphasis = scalar == "_" && !(isWordPart(content, position - 1) && isWordPart(content, position + 1))
      if isOpening || endsNumber || isEmphasis || String.special.contains(scalar) { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}

/// Whether there is a letter or digit at a position. An underscore between two of them is a part of a word, not
/// emphasis.
private func isWordPart(_ line: [Unicode.Scalar], _ position: Int) -> Bool {
  line.indices.contains(position) && (line[position].properties.isAlphabetic || line[position].isNumber)
}

extension Unicode.Scalar {
  fileprivate var isNumber: Bool { properties.numericType != nil }
}

extension Substring {
  fileprivate var withoutTrailingSpace: String {
    var line = self
    while line.last?.isWhitespace == true { line.removeLast() }
    return String(line)
  }
}
