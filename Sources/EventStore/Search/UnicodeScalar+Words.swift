extension Unicode.Scalar {
  /// Whether the scalar is part of a word, by the rule of the FTS5 tokenizer `unicode61`. Combining marks are not: they
  /// neither begin nor separate words.
  public var isWordPart: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }

  /// Whether the scalar belongs to a script that writes no spaces between words: Chinese, Japanese, Thai, Lao, Khmer,
  /// Burmese and Tibetan. A search treats each of its letters as a word, and words as phrases of letters.
  public var isUnspaced: Bool {
    guard value >= 0xE00, isWordPart else { return false }
    return switch value {
    case 0xE00...0xFFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007, 0x3040...0x312F, 0x31A0...0x31BF,
      0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
