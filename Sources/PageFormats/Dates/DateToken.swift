/// A part of a written date.
enum DateToken: Equatable {
  case number(Int32, digits: Int)
  case word(String)
  /// A separator. Spaces of all widths are `" "`.
  case mark(Character)

  var number: Int32? { if case .number(let value, _) = self { value } else { nil } }
  var word: String? { if case .word(let word) = self { word } else { nil } }
  var isSpace: Bool { self == .mark(" ") }

  func isNumber(digits: ClosedRange<Int>) -> Bool {
    if case .number(_, let count) = self { digits.contains(count) } else { false }
  }

  /// The tokens of a text and where each begins; one more place is the end.
  static func tokens(_ text: Substring) -> (tokens: [DateToken], places: [Substring.Index]) {
    var (tokens, places) = ([DateToken](), [Substring.Index]())
    let scalars = text.unicodeScalars
    var index = scalars.startIndex
    /// Moves past all scalars of a kind and returns them.
    func run(_ belongs: (Unicode.Scalar) -> Bool) -> Substring {
      let start = index
      while index < scalars.endIndex, belongs(scalars[index]) { scalars.formIndex(after: &index) }
      return text[start..<index]
    }
    while index < scalars.endIndex {
      places.append(index)
      let scalar = scalars[index]
      if isDigit(scalar) {
        let digits = run(isDigit)
        // Longer numbers are no part of a date. Values of more than nine digits are read from the text.
        tokens.append(.number(Int32(digits.prefix(9)) ?? 0, digits: digits.utf8.count))
      } else if isLetter(scalar) {
        tokens.append(.word(run(isLetter).lowercased()))
      } else {
        scalars.formIndex(after: &index)
        tokens.append(.mark(scalar.properties.isWhitespace ? " " : Character(scalar)))
      }
    }
    return (tokens, places + [scalars.endIndex])
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { (0x30...0x39).contains(scalar.value) }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII
      ? (0x41...0x5A).contains(scalar.value & 0xDF) : scalar.properties.isAlphabetic || scalar == "º" || scalar == "ª"
  }
}
