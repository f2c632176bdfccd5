import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The seedlings of the garden by branch.
final class SeedlingList {
  let widget: Widget

  private let context: WindowContext
  private let store = ListStore<SectionLine<SeedlingItem>>()
  private let list: Widget
  private let bar: Widget
  private let rows: Widget
  private let empty: Widget

  init(_ context: WindowContext) {
    self.context = context
    list = listView(
      store, name: tr("Seedlings"), row: { SectionRow(SeedlingRow()) },
      activate: { line in
        if case .item(let item, _, _) = line { context.window.activate("win.edit-seedling", target: item.id) }
      },
      canActivate: { line in if case .item = line { true } else { false } })
    rows = scrolledList(list.margin(start: 18, end: 18))
    let hint = paragraph(tr("Ideas for later. They cost no soil."), "hint")
    bar = line(
      spacing: 12, hint.expand().alignDown(.center), button(tr("Note an Idea"), command: "win.seedling"))
    empty = scrolled(
      emptyState(
        icon: "trunk-seedling-symbolic", title: tr("No ideas yet"),
        hint: tr(
          "Something you would like to grow one day? Note it here. It costs no soil and waits until you plant it."),
        button: button(tr("Note an Idea"), "plant", command: "win.seedling")))
    widget = column(clamp(bar.margin(bottom: 12, start: 18, end: 18), width: 736), rows, empty)
    widget.keeps(self)
    context.followShown(widget) { [weak self] in self?.render() }
  }

  private func render() {
    let garden = context.model.garden
    let hadFocus = context.window.focusedWidget.map { list.contains($0) } ?? false
    let sections = garden.seedlingsByBranch.map { branch, seedlings in
      (
        heading: Optional(
          SectionHeading(title: branch.map { garden.label(of: $0) } ?? tr("Elsewhere"), note: "\(seedlings.count)")),
        items: seedlings.map { SeedlingItem($0, in: garden) }
      )
    }
    store.update(to: SectionLine.lines(sections))
    bar.visible(!sections.isEmpty)
    rows.visible(!sections.isEmpty)
    empty.visible(sections.isEmpty)
    // The button that was pressed is gone with its row.
    if hadFocus { (sections.isEmpty ? empty : rows).focusFirst() }
  }
}
