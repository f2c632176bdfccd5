import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The drops in the bar of a dialog for watering.
final class WaterMeter {
  let widget: Widget = group("").margin(start: 12, end: 6).valign(.center)

  private let drops = Drops(filled: 0, of: Soil.waterings)

  init() {
    widget.append(drops.widget)
    widget.keeps(self)
  }

  func show(_ garden: Garden, _ now: Instant) {
    (drops.filled, drops.total) = garden.drops(at: now)
    let text = WaterMeter.text(garden, now)
    widget.accessibleName(text).tooltip(text)
  }

  /// How many waterings are left, in words.
  static func text(_ garden: Garden, _ now: Instant) -> String {
    tr("{n} of {total} waterings left", ["n": "\(garden.waterLeft(at: now))", "total": "\(Soil.waterings)"])
  }
}
