import Garden
import Gardening
import GtkKit
import Localization

/// All growing sprouts whose season is not over, the next harvest first.
final class UpcomingHarvests {
  private let session: Session
  private let window: DialogWindow
  private let rows = SproutRows()
  private let empty = paragraph(tr("Nothing is on its way. Plant a sprout, and its harvest appears here."), "hint")

  init(_ session: Session) {
    self.session = session
    window = DialogWindow(
      over: session.window, title: tr("Upcoming Harvests"), closeTitle: tr("Close"),
      content: column(spacing: 10, rows.widget, empty))
    // A row leads to the sprout's page, in the window below.
    window.widget.insertActions(as: "win") { group in
      group.addAction("sprout", target: { [weak self] in self?.window.leave(session, for: "win.sprout", target: $0) })
    }
    window.widget.keeps(self)
    session.follow(window.widget) { [weak self] in self?.render() }
  }

  func present() { window.present() }

  private func render() {
    let (garden, now) = (session.gardener.garden, session.gardener.now)
    let sprouts = garden.upcoming(at: now)
    empty.visible(sprouts.isEmpty)
    rows.show(
      sprouts.map { sprout in
        SproutRows.Item(
          sprout: sprout, kind: Formats.left(until: sprout.harvestDue, now: now),
          note: tr("from {date}", ["date": Formats.date(sprout.harvestDue, in: garden.zone)])
        ) { label(Formats.left(until: sprout.harvestDue, now: now), "hint", "numeric") }
      }, in: garden, now: now)
  }
}
