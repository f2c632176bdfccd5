/// Validates email addresses, strictly enough that a message reaches exactly one recipient.
enum EmailAddress {
  /// The lower-case spelling that identifies an account.
  /// - Returns: `nil` if the text can't be an address.
  static func normalized(_ text: String?) -> String? {
    guard let text, !text.isEmpty, text.utf8.count <= 255 else { return nil }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[1].contains("."), !parts[1].hasPrefix("."),
      !parts[1].hasSuffix("."), !parts[1].contains("..")
    else { return nil }
    // Line breaks and separators would add recipients and headers to the message. Terminals interpret control
    // characters.
    let isPlain = text.unicodeScalars.allSatisfy {
      !$0.isTerminalControl && !$0.properties.isWhitespace && !"<>,;:\"()[]\\".contains(Character($0))
    }
    return isPlain ? text.lowercased() : nil
  }
}
