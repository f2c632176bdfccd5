import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The ideas of a twig, with a field to add one.
final class TwigSeedlings {
  let widget: Widget

  private let context: WindowContext
  private let twig: Node
  private let list = boxedList().accessibleName(tr("Seedlings"))
  private let rows: Widget
  private let field: Widget
  private var shown: [Seedling] = []
  private lazy var action = BusyAction(context)

  init(_ context: WindowContext, on twig: Node) {
    (self.context, self.twig) = (context, twig)
    rows = tabStop(list)
    field = entry(name: tr("Note an idea"), placeholder: tr("Note an idea"))
    let add = button(tr("Save Seedling")) {}
    widget = column(
      spacing: 10, sectionHeader(tr("Seedlings")), rows, line(spacing: 8, field.hexpand(), add))
    field.on("activate") { [weak self] in self?.save() }
    add.on("clicked") { [weak self] in self?.save() }
    widget.keeps(self)
  }

  func show(_ garden: Garden) {
    let seedlings = garden.seedlings.filter { $0.twigID.hasSameBytes(as: twig.id) }
    rows.visible(!seedlings.isEmpty)
    guard seedlings != shown else { return }
    shown = seedlings
    for row in list.children { list.remove(row) }
    for seedling in seedlings {
      let row = SeedlingRow()
      let name = row.show(SeedlingItem(seedling, in: garden, showsTwig: false))
      list.append(contentRow(row.widget.css("seedling")).accessibleName(name))
    }
  }

  private func save() {
    action.run(keeping: widget) {
      try await self.context.createSeedling(self.field.text, on: self.twig)
    } done: {
      self.field.text = ""
      self.field.focus()
    }
  }
}
