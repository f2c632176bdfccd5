import CGtk

// Text from outside can be anything: a megabyte in one line, control characters, markup. What a widget gets
// is clamped here, because Pango lays out all of it even when ten characters show (1 MB took 5.4 s).

/// The most Unicode scalars that a one-line widget gets; more than any window shows.
public let oneLineLimit = 400

/// The most Unicode scalars that a wrapping widget gets; a journal text of 2,000 seen characters fits.
public let paragraphLimit = 20_000

/// The text for a wrapping widget: at most `limit` scalars, an ellipsis where it was cut, no NUL.
public func clamped(_ text: String, to limit: Int = paragraphLimit) -> String {
  // Scalars, not characters: one character can carry a megabyte of accents.
  let isLong = text.utf8.count > limit && text.unicodeScalars.dropFirst(limit).first != nil
  guard isLong || text.utf8.contains(0) else { return text }
  var result = String.UnicodeScalarView()
  result.append(contentsOf: text.unicodeScalars.prefix(limit).lazy.filter { $0.value != 0 })
  if isLong { result.append("…") }
  return String(result)
}

/// The text for a one-line widget: clamped, line ends as spaces.
public func oneLine(_ text: String) -> String {
  let text = clamped(text, to: oneLineLimit)
  guard text.unicodeScalars.contains(where: isLineEnd) else { return text }
  var result = String.UnicodeScalarView()
  result.append(contentsOf: text.unicodeScalars.lazy.map { isLineEnd($0) ? " " : $0 })
  return String(result)
}

/// The text for a place that always reads Pango markup, such as a toast: shown as typed.
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

private func isLineEnd(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar {
  case "\n", "\r", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}": true
  default: false
  }
}
