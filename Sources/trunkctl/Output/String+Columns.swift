import CGLib

extension String {
  /// The width of the text in terminal columns.
  var columns: Int { reduce(0) { $0 + $1.columns } }

  /// Padded with spaces to a width in columns.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - columns))
  }

  /// Cut to a width in columns, with an ellipsis if something was cut.
  func clipped(to width: Int) -> String {
    // Don't measure a very long text to its end.
    guard prefix(width + 1).reduce(0, { $0 + $1.columns }) > width else { return self }
    var result = ""
    var columns = 0
    for character in self {
      columns += character.columns
      if columns > width - 1 { break }
      result.append(character)
    }
    return result + "…"
  }
}

extension Character {
  /// 2 for East Asian wide characters and emoji, 0 for combining characters, otherwise 1.
  fileprivate var columns: Int {
    if unicodeScalars.contains(where: { $0.properties.isEmojiPresentation || $0.value == 0xFE0F }) { return 2 }
    return unicodeScalars.map { scalar in
      g_unichar_iszerowidth(scalar.value) != 0 ? 0 : g_unichar_iswide(scalar.value) != 0 ? 2 : 1
    }.max() ?? 0
  }
}
