import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The first step of a harvest: the whole shoot, and what was written about it.
final class HarvestReread {
  let widget: Widget

  private let context: WindowContext
  private let story = paragraph("", "hint")
  private let shoot = ShootSlider()
  private let written: FirstAndLast

  init(_ context: WindowContext) {
    self.context = context
    written = FirstAndLast(context)
    widget = column(spacing: 12, story, shoot.widget, written.widget)
    shoot.onSelect = { [weak self] in self?.written.pointed = $0 }
    widget.keeps(self)
  }

  func show(_ sprout: Sprout, in garden: Garden, now: Instant) {
    let today = garden.zone.dayKey(now)
    story.setText(
      tr(
        "{place} — {from} to {to}",
        [
          "place": garden.path(ofTwig: sprout.twigID), "from": Formats.dayAndYear(sprout.plantedAt.day, today: today),
          "to": Formats.dayAndYear(garden.zone.local(sprout.harvestDue).day, today: today),
        ]))
    let waterings = garden.items(garden.waterings(of: sprout))
    shoot.show(sprout, waterings, in: garden, now: now)
    written.show(waterings)
  }

  /// Focuses the shoot, whose leaves the arrow keys walk through.
  /// - Returns: `false` if it has none.
  func focus() -> Bool { shoot.widget.focus() }
}
