import TrunkModel

/// A time behind the date in the name of a file: `T062201`, ` 10.15.22`, `_06-22-01`, `-0930-title`, ` 06h22`.
struct NamedTime {
  let second: Int32
  let hasSeconds: Bool
  let isUTC: Bool
  /// What stands behind it.
  let rest: Substring

  /// - Parameter tail: the name behind its date.
  /// - Returns: `nil` if it doesn't begin with a time.
  init?(_ tail: Substring) {
    let (tokens, places) = DateToken.tokens(tail)
    var start = 0
    while start < tokens.count, Self.mayStandBefore(tokens[start]) { start += 1 }
    guard start > 0, start < tokens.count, let time = Self.time(tokens, start) else { return nil }
    var end = time.end
    isUTC = end < tokens.count && tokens[end] == .word("z")
    if isUTC { end += 1 }
    // A number in the name is a time only if nothing but a sign follows, such as the one before a title.
    guard end == tokens.count || Self.isSign(tokens[end]), time.parts.allSatisfy({ $0 < 60 }), time.parts[0] < 24 else {
      return nil
    }
    let isBare = time.isBare && time.parts.count == 2
    if isBare, end < tokens.count, tokens[end] == .mark(" ") { return nil }
    (rest, hasSeconds) = (tail[places[end]...], time.parts.count == 3)
    second = time.parts[0] * 3600 + time.parts[1] * 60 + (hasSeconds ? time.parts[2] : 0)
  }

  private static func mayStandBefore(_ token: DateToken) -> Bool {
    isSign(token) || [.word("t"), .word("at"), .word("um"), .word("à")].contains(token)
  }

  private static func isSign(_ token: DateToken) -> Bool {
    if case .mark(let mark) = token { " -_–—(),".contains(mark) } else { false }
  }

  /// Four or six digits in a row, or two or three numbers of two digits with the same separator.
  /// - Returns: hours, minutes and perhaps seconds; whether they are in a row; and the token behind them.
  private static func time(_ tokens: [DateToken], _ start: Int) -> (parts: [Int32], isBare: Bool, end: Int)? {
    if case .number(let value, let digits) = tokens[start], digits == 4 || digits == 6 {
      let all = [value / 10_000 % 100, value / 100 % 100, value % 100]
      return (Array(all.suffix(digits / 2)), true, start + 1)
    }
    var (parts, end) = ([Int32](), start)
    while parts.count < 3, end < tokens.count, tokens[end].isNumber(digits: 2...2), let number = tokens[end].number {
      parts.append(number)
      end += 1
      guard parts.count < 3, end + 1 < tokens.count, isSeparator(tokens[end]), tokens[end + 1].number != nil,
        parts.count == 1 || tokens[end] == tokens[end - 2]
      else { break }
      end += 1
    }
    return parts.count >= 2 ? (parts, false, end) : nil
  }

  private static func isSeparator(_ token: DateToken) -> Bool {
    [.mark("."), .mark(":"), .mark("-"), .mark("_"), .word("h")].contains(token)
  }
}
