extension StringProtocol where SubSequence == Substring {
  /// The text without white space at both ends; empty if nothing in it is visible. U+FEFF counts as white space,
  /// because pasted text often contains it.
  public var trimmed: Substring {
    guard unicodeScalars.contains(where: \.isVisible) else { return self[...].prefix(0) }
    let isSpace = { (character: Character) in character.isWhitespace || character == "\u{FEFF}" }
    let rest = self[...].drop(while: isSpace)
    guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return rest.prefix(0) }
    return rest[...last]
  }

  /// The text in one line without what shows nothing, such as a zero-width space or a change of direction. Joiners and
  /// variation selectors stay after a visible character: scripts and emoji need them.
  public var visibleLine: String {
    var line = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
        line.append(" ")
      } else if scalar.isVisible && scalar.properties.generalCategory != .format
        || scalar.isConnecting && line.last.map({ $0 != " " }) == true
      {
        line.append(scalar)
      }
    }
    while let last = line.last, last.isConnecting && last.value != 0xFE0F { line.removeLast() }
    return String(line).split(separator: " ").joined(separator: " ")
  }
}

extension Unicode.Scalar {
  /// Whether it shows nothing itself, but changes its neighbours: U+200C, U+200D and the variation selectors.
  fileprivate var isConnecting: Bool { [0x200C, 0x200D].contains(value) || properties.isVariationSelector }

  /// False for white space, control characters, and those that Unicode shows as nothing, such as a zero-width space.
  fileprivate var isVisible: Bool {
    // Most texts begin with such a letter.
    if (0x21...0x7E).contains(value) { return true }
    return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .control
  }
}
