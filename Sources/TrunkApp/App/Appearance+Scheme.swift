import GtkKit
import TrunkKit

extension Settings.Appearance {
  var scheme: ColorScheme {
    switch self {
    case .system: .system
    case .light: .light
    case .dark: .dark
    }
  }
}
