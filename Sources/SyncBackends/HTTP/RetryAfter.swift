/// Parses the delay that a server requests in `Retry-After` or in a message.
public enum RetryAfter {
  /// The longest accepted delay, in seconds. Longer delays are shortened to it.
  public static let longest: Int64 = 86_400

  /// Reads a number of seconds. The other form of the header, a date, is of no use without a common clock.
  /// - Returns: `nil` unless the text is a number of at least 0.
  public static func seconds(_ text: some StringProtocol) -> Int64? {
    Int64(text).flatMap { $0 < 0 ? nil : min($0, longest) }
  }
}
