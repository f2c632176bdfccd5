import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The next sprout to become ready; opens all upcoming harvests.
final class NextHarvest {
  let widget: Widget

  private let sign = SproutSign()
  private let time = label("", "hint", "numeric")
  private let line: Widget

  /// Whether the window is narrow; takes effect with the next `show`.
  var isNarrow = false

  init() {
    line = row("", "", start: sign.widget, end: time)
    line.activatable().action("win.upcoming").offersActivation()
    widget = column(spacing: 8, sectionHeader(tr("Next harvest")), boxedList(line).accessibleName(tr("Next harvest")))
    widget.keeps(self)
  }

  func show(_ garden: Garden, _ now: Instant) {
    guard let sprout = garden.upcoming(at: now).first else {
      widget.visible(false)
      return
    }
    widget.visible(true)
    sign.show(sprout, in: garden, now: now)
    let left = Formats.left(until: sprout.harvestDue, now: now)
    let date = tr("from {date}", ["date": Formats.date(sprout.harvestDue, in: garden.zone)])
    // Its place is with the sprouts to water.
    line.setRow(sprout.title, "", titleLines: SproutRow.titleLines)
    line.accessibleName([sprout.title, date, left].joined(separator: ", "))
    time.setText(isNarrow ? left : date + " · " + left)
  }
}
