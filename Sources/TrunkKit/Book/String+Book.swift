extension String {
  /// The text without characters that could control a terminal or make a line read as another one. Line breaks of all
  /// kinds become `\n`. Marks that right-to-left scripts and emoji need are kept.
  var readable: String {
    var result = UnicodeScalarView()
    var previous: Unicode.Scalar?
    for scalar in unicodeScalars {
      defer { previous = scalar }
      switch scalar {
      case "\n" where previous == "\r": continue
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": result.append("\n")
      case "\t": result.append(scalar)
      // Embeddings, overrides and isolates. Each paragraph gets its direction from its own letters.
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
      // Noncharacters, such as U+FFFE, mean nothing, and cairo writes no PDF file with them.
      case _ where scalar.properties.isNoncharacterCodePoint: continue
      default: if scalar.properties.generalCategory != .control { result.append(scalar) }
      }
    }
    return String(String(result).trimmed)
  }

  /// A readable text on one line.
  var readableLine: String { readable.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// The text on one line as it is read, without the signs of Markdown.
  var plainLine: String { ReadingText(self).plain.readableLine }
}
