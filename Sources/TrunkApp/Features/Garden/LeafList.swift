import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// All leaves, those with growing sprouts first.
final class LeafList {
  let widget: Widget

  private let context: WindowContext
  private let store = ListStore<SectionLine<LeafItem>>()
  private let rows: Widget
  private let empty: Widget

  /// Whether there is no room for the counts beside the names.
  var isNarrow: Bool {
    didSet { if isNarrow != oldValue { render() } }
  }

  init(_ context: WindowContext, isNarrow: Bool) {
    (self.context, self.isNarrow) = (context, isNarrow)
    let window = context.window
    let list = listView(
      store, name: tr("Leaves"), row: { SectionRow(LeafRow()) },
      activate: { line in if case .item(let item, _, _) = line { window.activate("win.leaf", target: item.id) } })
    rows = scrolledList(list.margin(start: 18, end: 18))
    empty = scrolled(
      emptyState(
        icon: "trunk-leaf-symbolic", title: tr("No leaves yet"),
        hint: tr(
          "A leaf is a story told by several sprouts, one after the other. The first sprout you plant begins one."),
        button: button(tr("Plant a Sprout"), "plant", command: "win.plant")))
    widget = column(rows, empty)
    widget.keeps(self)
    context.followShown(widget) { [weak self] in self?.render() }
  }

  private func render() {
    let garden = context.model.garden
    let leaves = garden.leafSummaries
    store.update(to: SectionLine.lines([(nil, leaves.map { LeafItem($0, in: garden, isNarrow: isNarrow) })]))
    rows.visible(!leaves.isEmpty)
    empty.visible(leaves.isEmpty)
  }
}

/// The content of a leaf's row.
nonisolated struct LeafItem: Equatable, Sendable {
  let id: String
  let name: String
  /// `Core · movement`.
  let path: String
  let progress: LeafProgress
  /// Whether the counts are below the name in every row; otherwise they are at the end of the row.
  let isNarrow: Bool

  init(_ summary: LeafSummary, in garden: Garden, isNarrow: Bool) {
    self.isNarrow = isNarrow
    id = summary.id
    name = summary.leaf.name
    path = garden.path(ofTwig: summary.leaf.twigID)
    progress = summary.progress
  }
}

/// One leaf: its name, its place on the tree, and its numbers of sprouts.
final class LeafRow: ListRow {
  let widget: Widget

  private let sign = icon("trunk-leaf-symbolic", size: 20)
  private let name = paragraph("", "semibold").lines(2)
  private let path = paragraph("", "hint").lines(2)
  private let countsBelow = paragraph("", "hint", "numeric")
  private let countsBeside = paragraph("", "hint", "numeric")

  init() {
    path.ellipsize(.end)
    countsBeside.xalign(1).justify(.right).valign(.center)
    let texts = column(spacing: 2, name, path, countsBelow).hexpand().valign(.center)
    widget = line(spacing: 14, sign.valign(.center), texts, countsBeside)
    widget.keeps(self)
  }

  func show(_ item: LeafItem) -> String {
    name.setText(oneLine(item.name))
    name.ellipsize(mayBeCut(item.name) ? .end : .none)
    path.setText(item.path)
    countsBelow.visible(item.isNarrow).setText(item.counts)
    countsBeside.visible(!item.isNarrow).setText(item.counts)
    sign.css("green", when: item.progress.growing > 0).css("spent", when: item.progress.growing == 0)
    return [item.name, item.path, item.counts].joined(separator: ", ")
  }
}

extension LeafItem {
  /// `2 cultivated · 1 growing · 4 in all`, without zero counts. Uprooted sprouts count only in the total.
  fileprivate var counts: String {
    dotted(
      [
        progress.cultivated > 0 ? trn("{n} harvested", "{n} harvested", progress.cultivated) : nil,
        progress.growing > 0 ? trn("{n} growing", "{n} growing", progress.growing) : nil,
        trc("leaf", "{n} in all", ["n": "\(progress.total)"]),
      ].compactMap(\.self))
  }
}
