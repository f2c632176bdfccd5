import TrunkModel

/// Whether the rows of one request share a time on the server, stored as `MetaKey.rowTimes`.
///
/// Two rows may have the same microsecond by chance, and a server's default for the time may change. So two requests in
/// a row must show a shared time, and the result is checked again after a day.
enum RowTimes: Equatable {
  case unknown
  /// Each row has a different time.
  case distinct
  /// The last request showed a shared time, the one before it did not.
  case suspected
  /// The rows of one request share a time. `since` is when that was found, by this computer's clock.
  case shared(since: Instant)

  /// How long a result of `shared` is trusted, in seconds.
  static let lifetime: Double = 86_400

  /// - Parameter text: the format of `text`; anything else means unknown.
  init(text: String?) {
    let parts = text?.split(separator: " ") ?? []
    switch parts.first {
    case "distinct": self = .distinct
    case "suspected": self = .suspected
    case "shared": self = parts.last.flatMap { Instant(String($0)) }.map { .shared(since: $0) } ?? .suspected
    default: self = .unknown
    }
  }

  /// The stored form; `nil` if unknown.
  var text: String? {
    switch self {
    case .unknown: nil
    case .distinct: "distinct"
    case .suspected: "suspected"
    case .shared(let since): "shared \(since)"
    }
  }

  /// Returns the new state after a request of several rows.
  /// - Parameter isShared: whether two of them have the same time.
  func updated(isShared: Bool, at now: Instant) -> RowTimes {
    guard isShared else { return .distinct }
    switch self {
    case .unknown, .distinct: return .suspected
    case .suspected, .shared: return .shared(since: now)
    }
  }
}
