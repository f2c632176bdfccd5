extension StringProtocol where SubSequence == Substring {
  /// The text without white space at both ends. U+FEFF counts as white space, because pasted text often contains it.
  public var trimmed: Substring {
    let isSpace = { (character: Character) in character.isWhitespace || character == "\u{FEFF}" }
    let rest = self[...].drop(while: isSpace)
    guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return rest.prefix(0) }
    return rest[...last]
  }
}
