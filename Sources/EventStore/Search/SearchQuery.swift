/// Converts the text of the search field into an FTS5 query.
///
/// FTS5 would parse raw text as query syntax and mostly reject it. So every word is quoted, words between quotation
/// marks become a phrase, and the last word matches as a prefix.
enum SearchQuery {
  /// The maximum number of words; further ones are ignored.
  private static let maximumTerms = 32

  /// - Returns: `nil` if there is no word in the text.
  static func fts(_ text: String) -> String? {
    var terms: [String] = []
    var term = String.UnicodeScalarView()
    var isPhrase = false
    func end() {
      if term.contains(where: isWord) { terms.append("\"" + String(term) + "\"") }
      term.removeAll()
    }
    for scalar in text.unicodeScalars {
      if isQuotationMark(scalar) {
        end()
        isPhrase.toggle()
      } else if scalar.properties.isWhitespace || scalar.value < 0x20 {
        if isPhrase { term.append(" ") } else { end() }
      } else {
        term.append(scalar)
      }
    }
    // The last word may still be typed, or a phrase may lack its closing quotation mark.
    let goesOn = term.last.map(isWord) ?? false
    end()
    guard !terms.isEmpty else { return nil }
    return terms.prefix(maximumTerms).joined(separator: " ")
      + (goesOn && terms.count <= maximumTerms ? " *" : "")
  }
}

extension SearchQuery {
  private static func isQuotationMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\"", "“", "”", "„", "«", "»": true
    default: false
    }
  }

  /// Whether the tokenizer `unicode61` treats the character as part of a word.
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
