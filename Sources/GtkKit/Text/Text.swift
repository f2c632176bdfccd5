import CGtk

// Text from outside can be anything: a megabyte in one line, control characters, markup. It is shortened before a
// widget gets it, because Pango lays out all of it even if only ten characters are visible (1 MB took 5.4 s).

/// The maximum number of Unicode scalars in a one-line widget, more than any window can show.
public let oneLineLimit = 400

/// The maximum number of Unicode scalars in a wrapping widget; a journal text of 2,000 characters fits.
public let paragraphLimit = 20_000

/// The maximum number of Unicode scalars without a line break opportunity: Pango tries each of them as the end of a
/// line, each time from the start (20,000 took 37 s).
public let wordLimit = 2_000

/// Prepares a text for a wrapping widget: at most `limit` scalars, words of at most `wordLimit`, an ellipsis where it
/// was cut, and U+FFFD for NUL, at which a C string would end.
public func clamped(_ text: String, to limit: Int = paragraphLimit) -> String {
  // Count scalars, because a single character can carry a megabyte of accents.
  let isLong = text.utf8.count > limit && text.unicodeScalars.dropFirst(limit).first != nil
  guard isLong || text.utf8.count > wordLimit || text.utf8.contains(0) else { return text }
  var result = String.UnicodeScalarView()
  var word = 0
  for scalar in text.unicodeScalars.prefix(limit) {
    word = endsWord(scalar) ? 0 : word + 1
    if word <= wordLimit {
      result.append(scalar.value == 0 ? "\u{FFFD}" : scalar)
    } else if word == wordLimit + 1 {
      result.append("…")
    }
  }
  if isLong, word <= wordLimit { result.append("…") }
  return String(result)
}

/// A text with U+FFFD for NUL, at which a C string would end: a draft that was typed in a terminal can have one.
func withVisibleNull(_ text: String) -> String {
  guard text.utf8.contains(0) else { return text }
  return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value == 0 ? "\u{FFFD}" : $0 }))
}

/// Whether a line can break here: at white space, and after scripts and symbols that break anywhere.
private func endsWord(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value >= 0x2E80 || scalar.properties.isWhitespace
}

/// Prepares a text for a one-line widget: clamped, with spaces for line breaks.
public func oneLine(_ text: String) -> String {
  let text = clamped(text, to: oneLineLimit)
  guard text.unicodeScalars.contains(where: isLineEnd) else { return text }
  var result = String.UnicodeScalarView()
  result.append(contentsOf: text.unicodeScalars.lazy.map { isLineEnd($0) ? " " : $0 })
  return String(result)
}

/// Escapes a text for a place that always reads Pango markup, such as the about window, so that it is shown as typed.
public func escaped(_ text: String) -> String {
  var result = ""
  for scalar in clamped(text).unicodeScalars {
    switch scalar {
    case "&": result += "&amp;"
    case "<": result += "&lt;"
    case ">": result += "&gt;"
    // Markup can't represent other control characters.
    case "\t", "\n", "\r": result.unicodeScalars.append(scalar)
    case _ where scalar.properties.generalCategory == .control: result += "\u{FFFD}"
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result
}

/// Escapes a text for a place that always reads an underscore as an access key, such as a menu.
func withoutMnemonic(_ label: String) -> String {
  oneLine(label).split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
}

/// The first paragraphs of a text for a label that is cut after a number of lines. Pango counts the lines of each
/// paragraph, so it would cut one in the middle and go on with the next one.
public func opening(_ text: String, lines: Int) -> String {
  var left = lines
  let paragraphs = text.split(separator: "\n", omittingEmptySubsequences: false)
  let shown = paragraphs.prefix { paragraph in
    defer { left -= 1 + paragraph.unicodeScalars.count / scalarsPerLine }
    return left > 0
  }
  guard shown.count < paragraphs.count else { return text }
  let rest = paragraphs.dropFirst(shown.count)
  let isComplete = rest.allSatisfy { $0.allSatisfy(\.isWhitespace) }
  return shown.joined(separator: "\n") + (isComplete ? "" : " …")
}

/// A line of a text is at most about this long where it is cut.
private let scalarsPerLine = 60

/// Whether a wrapping label may also be ellipsized. GTK 4.8 warns if its text is narrower than the ellipsis, and so
/// short a text needs none.
public func mayBeCut(_ text: String) -> Bool {
  text.unicodeScalars.dropFirst(8).first != nil
}

private func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": true
  default: false
  }
}

/// Keeps numbers with signs and arrows between them in left-to-right order in every language.
public func numbers(_ text: String) -> String {
  "\u{2066}" + text + "\u{2069}"
}
