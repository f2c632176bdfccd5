import CGtk

// Text from outside can be anything: a megabyte in one line, control characters, markup. What a widget gets
// is clamped here, because Pango lays out all of it even when ten characters show (1 MB took 5.4 s).

/// The most Unicode scalars that a one-line widget gets; more than any window shows.
public let oneLineLimit = 400

/// The most Unicode scalars that a wrapping widget gets; a journal text of 2,000 seen characters fits.
public let paragraphLimit = 20_000

/// The most Unicode scalars without a place to break that a widget gets: Pango tries every one of them as the end of a
/// line, each time from the start (20,000 took 37 s).
public let wordLimit = 2_000

/// The text for a wrapping widget: at most `limit` scalars, words of at most `wordLimit`, an ellipsis where it was cut,
/// no NUL.
public func clamped(_ text: String, to limit: Int = paragraphLimit) -> String {
  // Scalars, not characters: one character can carry a megabyte of accents.
  let isLong = text.utf8.count > limit && text.unicodeScalars.dropFirst(limit).first != nil
  guard isLong || text.utf8.count > wordLimit || text.utf8.contains(0) else { return text }
  var result = String.UnicodeScalarView()
  var word = 0
  for scalar in text.unicodeScalars.prefix(limit) where scalar.value != 0 {
    word = endsWord(scalar) ? 0 : word + 1
    if word <= wordLimit { result.append(scalar) } else if word == wordLimit + 1 { result.append("…") }
  }
  if isLong, word <= wordLimit { result.append("…") }
  return String(result)
}

/// White space, and the scripts and signs that break anywhere.
private func endsWord(_ scalar: Unicode.Scalar) -> Bool {
  scalar.value >= 0x2E80 || scalar.properties.isWhitespace
}

/// The text for a one-line widget: clamped, line ends as spaces.
public func oneLine(_ text: String) -> String {
  let text = clamped(text, to: oneLineLimit)
  guard text.unicodeScalars.contains(where: isLineEnd) else { return text }
  var result = String.UnicodeScalarView()
  result.append(contentsOf: text.unicodeScalars.lazy.map { isLineEnd($0) ? " " : $0 })
  return String(result)
}

/// The text for a place that always reads Pango markup, such as the about window: shown as typed.
public func escaped(_ text: String) -> String {
  var result = String.UnicodeScalarView()
  for scalar in clamped(text).unicodeScalars {
    switch scalar {
    case "&": result.append(contentsOf: "&amp;".unicodeScalars)
    case "<": result.append(contentsOf: "&lt;".unicodeScalars)
    case ">": result.append(contentsOf: "&gt;".unicodeScalars)
    // Markup has no way to write the other control characters.
    case "\t", "\n", "\r": result.append(scalar)
    case _ where scalar.properties.generalCategory == .control: result.append("\u{FFFD}")
    default: result.append(scalar)
    }
  }
  return String(result)
}

/// The text for a place that always reads an underscore as the mark of an access key, such as a menu.
func withoutMnemonic(_ label: String) -> String {
  oneLine(label).split(separator: "_", omittingEmptySubsequences: false).joined(separator: "__")
}

/// Whether a label that wraps may also get an ellipsis. GTK 4.8 complains about one whose text is narrower than the
/// ellipsis; a text that is so short needs none.
public func mayBeCut(_ text: String) -> Bool {
  text.unicodeScalars.dropFirst(8).first != nil
}

private func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": true
  default: false
  }
}

/// Numbers with signs and arrows between them, in their order from left to right in every language.
public func numbers(_ text: String) -> String {
  "\u{2066}" + text + "\u{2069}"
}
