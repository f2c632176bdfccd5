/// How long a sprout grows.
public enum Season: String, CaseIterable, Sendable {
  case twoWeeks = "2w"
  case oneMonth = "1m"
  case threeMonths = "3m"
  case sixMonths = "6m"
  case oneYear = "1y"

  /// The length in days of 24 hours.
  public var days: Int64 {
    switch self {
    case .twoWeeks: 14
    case .oneMonth: 30
    case .threeMonths: 90
    case .sixMonths: 180
    case .oneYear: 365
    }
  }

  public var seconds: Int64 { days * 86_400 }
}
