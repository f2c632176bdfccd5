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

extension String {
  /// The text with what people type for letters that have no decomposition: `strasse` for `straße`. The search knows
  /// no difference between the two. Letters of their own, such as й, are composed, so that they don't become и without
  /// diacritics.
  public var withPlainLetters: String {
    guard utf8.contains(where: { $0 >= 0xC3 }) else { return self }
    var result = UnicodeScalarView()
    for scalar in unicodeScalars {
      if let plain = plainLetters[scalar] {
        result.append(contentsOf: plain.unicodeScalars)
      } else if scalar.value == 0x306 || scalar.value == 0x308, let last = result.last,
        let composed = composedLetters[String(UnicodeScalarView([last, scalar]))]
      {
        result.removeLast()
        result.append(composed)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}

private let plainLetters: [Unicode.Scalar: String] = [
  "ß": "ss", "ẞ": "ss", "ı": "i", "ø": "o", "Ø": "o", "ł": "l", "Ł": "l", "đ": "d", "Đ": "d", "ð": "d", "Ð": "d",
  "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "þ": "th", "Þ": "th", "ħ": "h", "Ħ": "h", "ё": "е", "Ё": "е",
]

/// By a letter and its diacritic.
private let composedLetters: [String: Unicode.Scalar] = [
  "и\u{306}": "й", "И\u{306}": "й", "у\u{306}": "ў", "У\u{306}": "ў", "і\u{308}": "ї", "І\u{308}": "ї",
]
