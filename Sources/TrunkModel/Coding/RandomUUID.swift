/// Random UUIDs of version 4 as lower-case text.
package enum RandomUUID {
  package static func text(using random: inout some RandomNumberGenerator) -> String {
    // Set the highest bit, so that there are always 32 digits.
    var digits = Array(String(UInt128.random(in: 0 ... .max, using: &random) | 1 << 127, radix: 16))
    digits[12] = "4"
    digits[16] = ["8", "9", "a", "b"].randomElement(using: &random) ?? "8"
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
  }

  package static func text() -> String {
    var random = SystemRandomNumberGenerator()
    return text(using: &random)
  }
}
