import MailKit

/// Validates email addresses, strictly enough that a message reaches exactly one recipient.
extension EmailAddress {
  /// The spelling that identifies an account, see `comparable`.
  /// - Returns: `nil` if the text can't be an address.
  static func normalized(_ text: String?) -> String? {
    guard let text = text.map({ comparable($0) }), !text.isEmpty, text.utf8.count <= 255 else { return nil }
    // By scalars, as mail servers read it: a sign followed by a combining mark is another character to Swift.
    let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
    guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }) else { return nil }
    // Line breaks and separators would add recipients and headers to the message. Terminals interpret control
    // characters.
    let isPlain = text.unicodeScalars.allSatisfy {
      !$0.isTerminalControl && !$0.properties.isWhitespace && !"<>,;:\"()[]\\".contains(Character($0))
    }
    return isPlain ? text : nil
  }
}
