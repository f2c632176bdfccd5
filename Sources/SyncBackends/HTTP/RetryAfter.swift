/// How long a server wants to be left alone, as it says in `Retry-After` or in a message.
public enum RetryAfter {
  /// Seconds; a longer pause is taken for this one.
  public static let longest: Int64 = 86_400

  /// Reads a number of seconds. The other form of the header, a date, is of no use without a common clock.
  /// - Returns: `nil` unless the text is a number of at least 0.
  public static func seconds(_ text: some StringProtocol) -> Int64? {
    Int64(text).flatMap { $0 < 0 ? nil : min($0, longest) }
  }
}
