import Localization
import TrunkModel

/// A year, a month or a day as typed: `2024`, `2024-03`, `2024-03-09`, `today`, `yesterday`.
public struct Period: Equatable, Sendable {
  public let first: Day
  public let last: Day

  public init?(_ text: String, today: Day) {
    // Keyboards have the sign ' for the apostrophe of aujourd’hui.
    switch String(text.folded.map { $0 == "'" ? "’" : $0 }) {
    case "today", trc("search filter", "today").folded: (first, last) = (today, today)
    case "yesterday", trc("search filter", "yesterday").folded:
      (first, last) = (today.adding(days: -1), today.adding(days: -1))
    default:
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard (1...3).contains(parts.count), parts[0].utf8.count == 4, let year = Period.number(parts[0]) else {
        return nil
      }
      guard parts.count > 1 else {
        guard let first = Day(year: year, month: 1, day: 1) else { return nil }
        (self.first, last) = (first, first.adding(months: 12).adding(days: -1))
        return
      }
      guard let month = Period.number(parts[1]), let begin = Day(year: year, month: month, day: 1) else { return nil }
      guard parts.count > 2 else {
        (first, last) = (begin, begin.adding(months: 1).adding(days: -1))
        return
      }
      guard let number = Period.number(parts[2]), let day = Day(year: year, month: month, day: number) else {
        return nil
      }
      (first, last) = (day, day)
    }
  }

  /// Digits only: `Int32` would also read signs.
  private static func number(_ text: Substring) -> Int32? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int32(text) : nil
  }
}
