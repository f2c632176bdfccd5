import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The weekly reflection: an invitation, or when the sun returns.
final class SunSection {
  let widget: Widget

  private let header = sectionHeader(tr("Sun"))
  private let disc = SunDisc(isReady: true, size: 28)
  private let shine = button(tr("Answer"), "sun", command: "win.shine")
  private let sign = bin()
  private let invitation: Widget

  /// Whether the window is narrow.
  var isNarrow = false {
    didSet { if isNarrow != oldValue { fit() } }
  }

  init() {
    sign.setChild(disc.widget)
    invitation = row("", "", start: sign, end: shine).subtitleLines(2)
    widget = column(spacing: 8, header, boxedList(invitation).accessibleName(tr("Sun")))
    widget.keeps(self)
    fit()
  }

  /// Lets the text begin below those of the sprouts.
  private func fit() { sign.size(width: SproutRow.signWidth(isNarrow: isNarrow) - 6) }

  func show(_ garden: Garden, _ now: Instant) {
    widget.visible(garden.firstDays(at: now).showsSun)
    let isReady = garden.sunLeft(at: now) > 0
    disc.isReady = isReady
    shine.visible(isReady)
    if isReady {
      header.setNote(tr("one reflection this week"))
      invitation.setRow(tr("Let the light fall somewhere"), tr("A question about one of your twigs"), titleLines: 2)
    } else {
      header.setNote(tr("has shone this week"))
      invitation.setRow(
        tr("The sun has shone"),
        tr(
          "It returns {time}.",
          ["time": Formats.moment(garden.zone.nextWeek(after: now), now: now, in: garden.zone)]), titleLines: 2)
    }
  }
}
