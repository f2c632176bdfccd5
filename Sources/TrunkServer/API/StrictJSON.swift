import TrunkModel

/// Parses JSON and rejects what PostgreSQL can't store as jsonb, so that every row can move there.
enum StrictJSON {
  /// The maximum number of values, members and elements in one body, because each of them takes memory.
  static let elementLimit = 250_000
  /// The digits before and after the decimal point that PostgreSQL's `numeric` can hold.
  private static let digits = (before: 131_072, after: 16_383)

  /// - Throws: `JSONError`, or `RestError` with PostgreSQL's code for valid JSON that can't be stored.
  static func value(_ body: [UInt8]) throws -> JSON {
    guard elements(body) <= elementLimit else {
      throw RestError.tooMuch("the number of values in the body", limit: "\(elementLimit)")
    }
    guard let text = String(validating: body, as: UTF8.self) else { throw RestError.notJSON }
    let json = try JSON(text)
    if let problem = badEscape(body) { throw problem }
    guard hasStorableNumbers(json) else {
      throw RestError(status: 400, code: "22003", message: "value overflows numeric format")
    }
    return json
  }

  /// Counts brackets, braces and commas outside strings.
  private static func elements(_ body: [UInt8]) -> Int {
    var count = 0
    var isString = false
    var isEscaped = false
    body.withUnsafeBufferPointer { bytes in
      for byte in bytes {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\"") {
          isString.toggle()
        } else if isString {
          isEscaped = byte == UInt8(ascii: "\\")
        } else if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") {
          count += 1
        }
      }
    }
    return count
  }

  /// The error for the first escape of a character that PostgreSQL can't store.
  /// - Parameter body: valid JSON.
  private static func badEscape(_ body: [UInt8]) -> RestError? {
    func unit(at index: Int) -> UInt16? {
      guard index + 6 <= body.count, body[index] == UInt8(ascii: "\\"), body[index + 1] == UInt8(ascii: "u") else {
        return nil
      }
      return UInt16(String(decoding: body[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
    }
    var rest = body[...]
    while let index = rest.firstIndex(of: UInt8(ascii: "\\")) {
      var length = 2
      if let first = unit(at: index) {
        length = 6
        switch first {
        case 0: return nullCharacter
        case 0xD800...0xDBFF:
          guard let second = unit(at: index + 6), (0xDC00...0xDFFF).contains(second) else {
            return loneSurrogate("Unicode low surrogate must follow a high surrogate.")
          }
          length = 12
        case 0xDC00...0xDFFF: return loneSurrogate("Unicode low surrogate must follow a high surrogate.")
        default: break
        }
      }
      rest = body[min(index + length, body.count)...]
    }
    return nil
  }

  private static let nullCharacter = RestError(
    status: 400, code: "22P05", message: "unsupported Unicode escape sequence",
    details: "\\u0000 cannot be converted to text.")

  private static func loneSurrogate(_ details: String) -> RestError {
    RestError(status: 400, code: "22P02", message: "invalid input syntax for type json", details: details)
  }

  private static func hasStorableNumbers(_ json: JSON) -> Bool {
    switch json {
    case .number(let literal): isStorable(literal)
    case .array(let elements): elements.allSatisfy(hasStorableNumbers)
    case .object(let members): members.allSatisfy { hasStorableNumbers($0.value) }
    default: true
    }
  }

  /// - Parameter literal: a JSON number such as `-1.50e3`.
  private static func isStorable(_ literal: String) -> Bool {
    // A literal this short can't have too many digits.
    if literal.utf8.count < 6 { return true }
    let parts = literal.lowercased().utf8.split(separator: UInt8(ascii: "e"))
    let exponent = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0
    guard let exponent, (-1_000_000...1_000_000).contains(exponent) else { return false }
    let mantissa = parts[0].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let fraction = mantissa.count > 1 ? mantissa[1].count : 0
    return mantissa[0].count + exponent <= digits.before && fraction - exponent <= digits.after
  }
}
