/// What a person typed into the search field, as a query of FTS5.
///
/// Raw text would be read as query syntax and mostly refused. Here every word is quoted, so that nothing in it is
/// syntax; words between quotation marks stay together; the last word may go on.
enum SearchQuery {
  /// More words than this are not looked at.
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
    // A word that is still being typed, or a phrase without its end.
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

  /// Whether the tokenizer `unicode61` takes the character for part of a word.
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .letterNumber, .otherNumber, .privateUse:
      true
    default: false
    }
  }
}
