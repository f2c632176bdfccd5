import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The seedlings of the garden by branch.
final class SeedlingList {
  let widget: Widget

  private let context: WindowContext
  /// The titles of the branches whose seedlings are hidden.
  private var collapsed: Set<String> = []
  /// The id of the seedling that gets the focus as soon as its row exists.
  private var awaited: String?
  private let store = ListStore<SectionLine<SeedlingItem>>()
  private lazy var list = listView(
    store, name: tr("Seedlings"), row: { SectionRow(SeedlingRow()) }, activate: { [weak self] in self?.press($0) })
  private let bar: Widget
  private lazy var rows = tabStop(list, in: scrolledList(list.margin(start: 18, end: 18)).vexpand())
  private let empty: Widget

  init(_ context: WindowContext) {
    self.context = context
    let hint = paragraph(tr("Ideas for later. They cost no soil."), "hint")
    bar = line(
      spacing: 12, hint.hexpand().valign(.center), button(tr("Note an Idea"), command: "win.seedling"))
    empty = scrolled(
      emptyState(
        icon: "trunk-seedling-symbolic", title: tr("No seedlings yet"),
        hint: tr(
          "Something you would like to grow one day? Note it here. It costs no soil and waits until you plant it."),
        button: button(tr("Note an Idea"), "plant", command: "win.seedling")))
    widget = column(clamp(bar.margin(bottom: 12, start: 18, end: 18)))
    widget.append(rows, empty)
    widget.keeps(self)
    context.followShown(widget) { [weak self] in self?.render() }
  }

  /// Scrolls to a seedling and focuses its row. Shows the seedlings of its branch if they were hidden.
  func focus(on id: String) {
    let garden = context.model.garden
    guard let section = garden.seedlingsByBranch.first(where: { $0.seedlings.contains { $0.id.hasSameBytes(as: id) } })
    else { return }
    collapsed.remove(title(of: section.branch, in: garden))
    awaited = id
    if widget.isMapped { render() }
  }

  private func title(of branch: Node?, in garden: Garden) -> String {
    branch.map { garden.label(of: $0) } ?? tr("Elsewhere")
  }

  private func focusAwaited() {
    guard let id = awaited, let position = store.items.firstIndex(where: { $0.item?.id.hasSameBytes(as: id) == true })
    else { return }
    // A list scrolls only after it was laid out for the first time.
    guard list.width > 0 else {
      return list.onFrame { [weak self] in
        self?.focusAwaited()
        return false
      }
    }
    awaited = nil
    list.focusItem(position)
    // The ring around the row says which one was found, also after a click elsewhere.
    context.window.showFocus()
  }

  /// Edits a seedling, or shows or hides the seedlings of a branch.
  private func press(_ line: SectionLine<SeedlingItem>) {
    switch line {
    case .item(let item, _, _): context.window.activate("win.edit-seedling", target: item.id)
    case .heading(let heading):
      if collapsed.remove(heading.title) == nil { collapsed.insert(heading.title) }
      render()
    }
  }

  private func render() {
    let garden = context.model.garden
    let sections = garden.seedlingsByBranch.map { branch, seedlings in
      let title = title(of: branch, in: garden)
      let isCollapsed = collapsed.contains(title)
      return (
        heading: Optional(SectionHeading(title: title, note: "\(seedlings.count)", isCollapsed: isCollapsed)),
        items: isCollapsed ? [] : seedlings.map { SeedlingItem($0, in: garden) }
      )
    }
    store.update(to: SectionLine.lines(sections))
    bar.visible(!sections.isEmpty)
    rows.visible(!sections.isEmpty)
    empty.visible(sections.isEmpty)
    focusAwaited()
  }
}
