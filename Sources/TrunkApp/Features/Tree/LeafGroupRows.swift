import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The sprouts of a leaf: the growing ones, followed by the earlier ones. The leaf's name opens its story.
final class LeafGroupRows {
  let widget: Widget

  private let name = TextLink("win.leaf")
  private let rows = SproutRows(showsPlace: false)
  private let more = TextLink("win.leaf")

  /// The number of earlier sprouts that are listed; the leaf's page has all of them.
  private static let maxPast = 3

  init() {
    widget = column(spacing: 4, name.widget, rows.widget, more.widget)
    widget.keeps(self)
  }

  func show(_ group: LeafGroup, in garden: Garden, now: Instant) {
    let sprouts = group.growing + group.past.prefix(LeafGroupRows.maxPast)
    // A leaf with a single sprout of the same name would show that name twice.
    let isNamed = group.growing.count + group.past.count > 1 || group.leaf?.name != sprouts.first?.title
    name.widget.visible(group.leaf != nil && isNamed)
    name.show(tr("Leaf “{name}”", ["name": clamped(group.leaf?.name ?? "", to: 200)]), target: group.id)
    rows.show(
      sprouts.map { sprout in
        .init(sprout: sprout, kind: "", note: SproutTexts.state(of: sprout, in: garden, now: now)) { bin() }
      }, in: garden, now: now)
    let others = group.past.count - LeafGroupRows.maxPast
    more.widget.visible(others > 0 && group.leaf != nil)
    more.show(trn("{n} earlier sprout", "{n} earlier sprouts", max(others, 0)), target: group.id)
  }
}

/// Groups of sprouts below each other. They are created again only when other leaves are shown.
final class LeafGroupList {
  let widget = column(spacing: 14)

  private var shown: [(id: ExactID, rows: LeafGroupRows)] = []

  func show(_ groups: [LeafGroup], in garden: Garden, now: Instant) {
    let ids = groups.map { ExactID($0.id) }
    if ids != shown.map(\.id) {
      widget.removeAll()
      shown = ids.map { ($0, LeafGroupRows()) }
      for (_, rows) in shown { widget.append(rows.widget) }
    }
    for (group, shown) in zip(groups, shown) { shown.rows.show(group, in: garden, now: now) }
  }
}
