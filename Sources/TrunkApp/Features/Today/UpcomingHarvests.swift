import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// All growing sprouts that are not ready yet, the next harvest first.
final class UpcomingHarvests {
  private let context: WindowContext
  private let window: DialogWindow
  private let rows = SproutRows()
  private let empty = paragraph(tr("No harvest is coming up. Plant a sprout, and its harvest appears here."), "hint")

  init(_ context: WindowContext) {
    self.context = context
    window = DialogWindow(
      over: context.window, title: tr("Upcoming Harvests"),
      content: column(spacing: 10, rows.widget, empty))
    // A row opens the sprout's page in the window below.
    window.widget.insertActions(as: "win") { group in
      group.addAction("sprout", target: { [weak self] in self?.window.leave(context, for: "win.sprout", target: $0) })
    }
    window.widget.keeps(self)
    context.follow(window.widget) { [weak self] in self?.render() }
  }

  func present() { window.present() }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
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
