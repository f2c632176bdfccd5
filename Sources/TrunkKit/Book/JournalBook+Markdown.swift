import Localization

extension JournalBook {
  /// The book as CommonMark. What the user wrote is escaped, so that it looks as it did, also where it has characters that
  /// Markdown gives a meaning.
  public var markdown: String {
    var blocks = ["# " + title.markdownLine]
    let about = [kicker, dates, author].filter { !$0.isEmpty }.joined(separator: " · ")
    if !about.isEmpty { blocks.append(about.markdownLine) }
    for part in parts {
      if let title = part.title { blocks.append("## " + title.markdownLine) }
      let level = part.title == nil ? "##" : "###"
      for section in part.sections {
        blocks.append(level + " " + section.title.markdownLine)
        blocks += section.entries.flatMap { $0.markdownBlocks(heading: level + "#") }
      }
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }
}

extension JournalBook.Entry {
  fileprivate func markdownBlocks(heading: String) -> [String] {
    guard isWritten else { return ["*" + date.markdownLine + ": " + about.markdownLine + "*"] }
    var blocks = [heading + " " + tr("{date}, {time}", ["date": date, "time": time]).markdownLine]
    if !about.isEmpty { blocks.append("*" + about.markdownLine + "*") }
    if let question { blocks.append("> " + question.markdownLine) }
    let words = text.isEmpty ? tr("Without words") : text
    return blocks + words.paragraphs.map { $0.map(\.markdownLine).joined(separator: "\\\n") }
  }
}

extension String {
  /// Characters that mean something to CommonMark or to its usual extensions, wherever they are in a line.
  private static let special = Set<Character>("\\`*[]<>&|~$^")
  /// Characters that make a heading, a list or a rule of a line that begins with them.
  private static let opening = Set<Character>("#-+=:")

  /// One line as Markdown that shows exactly these characters.
  fileprivate var markdownLine: String {
    let indent = prefix(while: \.isWhitespace)
    let content = Array(dropFirst(indent.count))
    let digits = content.prefix(while: \.isNumber).count
    // Markdown takes spaces at the start of a line for the code of a program, or drops them.
    var result = indent.map { $0 == "\t" ? "\u{A0}\u{A0}\u{A0}\u{A0}" : "\u{A0}" }.joined()
    for (position, character) in content.enumerated() {
      let isOpening = position == 0 && String.opening.contains(character)
      let endsNumber = digits > 0 && position == digits && ".)".contains(character)
      let isEmphasis = character == "_" && !(isWordPart(content, position - 1) && isWordPart(content, position + 1))
      if isOpening || endsNumber || isEmphasis || String.special.contains(character) { result.append("\\") }
      result.append(character)
    }
    return result
  }
}

/// Whether there is a letter or digit: an underscore between two of them is a part of a word rather than of emphasis.
private func isWordPart(_ line: [Character], _ position: Int) -> Bool {
  line.indices.contains(position) && (line[position].isLetter || line[position].isNumber)
}
