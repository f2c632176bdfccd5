import Localization
import TrunkModel

extension ChartRange {
  var title: String {
    switch self {
    case .day: trc("chart", "Day")
    case .week: trc("chart", "Week")
    case .month: trc("chart", "Month")
    // Translators: three months, as short as can be.
    case .threeMonths: trc("chart", "3 m")
    // Translators: six months, as short as can be.
    case .sixMonths: trc("chart", "6 m")
    case .yearToDate: trc("chart", "Year")
    case .all: trc("chart", "All")
    }
  }

  /// The beginning of a sentence about the range: `In the past month`.
  var period: String {
    switch self {
    // Translators: the beginning of a sentence, for {period}.
    case .day: tr("In the past 24 hours")
    case .week: tr("In the past week")
    case .month: tr("In the past month")
    case .threeMonths: tr("In the past three months")
    case .sixMonths: tr("In the past six months")
    case .yearToDate: tr("This year")
    case .all: tr("Since you began")
    }
  }

  /// The title in full, for screen readers.
  var name: String {
    switch self {
    case .day, .week, .month, .all: title
    case .threeMonths: tr("3 months")
    case .sixMonths: tr("6 months")
    case .yearToDate: trc("chart", "This year")
    }
  }
}
