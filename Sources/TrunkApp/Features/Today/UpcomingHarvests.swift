import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// All growing sprouts that are not ready yet, the next harvest first.
final class UpcomingHarvests {
  private let context: WindowContext
  private let window: DialogWindow
  private let rows = SproutRows()
  private let save = button(tr("Save for a Calendar…"), command: "win.save")
  private let empty = paragraph(tr("No harvest is coming up. Plant a sprout, and its harvest appears here."), "hint")

  init(_ context: WindowContext) {
    self.context = context
    window = DialogWindow(
      over: context.window, title: tr("Upcoming Harvests"),
      content: column(spacing: 10, rows.widget, empty, save.halign(.start)))
    // A row opens the sprout's page in the window below.
    window.widget.insertActions(as: "win") { group in
      group.addAction("sprout", target: { [weak self] in self?.window.leave(context, for: "win.sprout", target: $0) })
      group.addAction("save") { [weak self] in self?.saveFile() }
    }
    window.widget.keeps(self)
    context.follow(window.widget) { [weak self] in self?.render() }
  }

  func present() { window.present() }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let sprouts = garden.upcoming(at: now)
    empty.visible(sprouts.isEmpty)
    save.visible(!sprouts.isEmpty)
    rows.show(
      sprouts.map { sprout in
        SproutRows.Item(
          sprout: sprout, kind: garden.timeLeft(of: sprout, at: now),
          note: tr("from {date}", ["date": Formats.date(sprout.harvestDue, in: garden.zone)])
        ) { label(garden.timeLeft(of: sprout, at: now), "hint", "numeric") }
      }, in: garden, now: now)
  }

  private func saveFile() {
    context.attempt(in: window.foot) { [context, window] in
      let path = await chooseFile(
        .save(name: HarvestCalendar.fileName), over: window.widget, title: tr("Save the Upcoming Harvests"),
        accept: tr("Save"))
      guard let path else { return }
      let file = HarvestCalendar.file(context.model.garden, at: context.model.now)
      try GardenModel.write(Array(file.utf8), to: path)
      window.foot.showSaved([path])
    }
  }
}
