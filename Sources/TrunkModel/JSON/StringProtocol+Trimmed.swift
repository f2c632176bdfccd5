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
}

extension Unicode.Scalar {
  /// False for white space, control characters, and those that Unicode shows as nothing, such as a zero-width space.
  fileprivate var isVisible: Bool {
    // Most texts begin with such a letter.
    if (0x21...0x7E).contains(value) { return true }
    return !properties.isWhitespace && !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .control
  }
}
