import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of a year: what the user wrote comes first, then a leaf for each harvest, and folded lists.
final class YearPage {
  var widget: Widget { frame.widget }

  private let context: WindowContext
  private let number: Int32
  private let frame: PageFrame
  private let tree: YearTree
  private let months: YearMonths
  private let texts: YearTextSection
  private let leaves = wrapping(spacing: 4, lineSpacing: 4)
  private let outcome: Widget
  private let folded = boxedList()
  private let harvested, planted: FoldedSprouts
  private let emptyHint = paragraph(tr("Nothing was planted, harvested or written in this year."), "hint")
  private let acts, film: Widget
  private let siblings = PageFrame.Siblings(
    above: tr("Next year"), below: tr("Previous year"), areTimes: true)
  private let onMove: @MainActor (Int32) -> Void
  private let entries = row("", end: icon("go-next-symbolic")), earlier = row("", end: icon("go-next-symbolic"))
  /// The earlier pages of all years; `nil` until they are read.
  private var pages: [PageLine]?
  private lazy var loader = Loader(context, for: widget)
  /// The harvests that have a leaf.
  private var shown: [Sprout] = []

  /// - Parameters:
  ///   - onMove: called with a year to go to.
  ///   - onBack: called when the user wants to leave the page.
  init(
    _ context: WindowContext, _ number: Int32, onMove: @escaping @MainActor (Int32) -> Void,
    onBack: @escaping @MainActor () -> Void
  ) {
    (self.context, self.number, self.onMove) = (context, number, onMove)
    (tree, months) = (YearTree(context), YearMonths(context))
    texts = YearTextSection(context, number)
    harvested = FoldedSprouts(in: folded)
    planted = FoldedSprouts(in: folded)
    outcome = column(spacing: 8, sectionHeader(tr("What Came of It")).css("flush"), leaves)
    for row in [entries, earlier] {
      folded.append(row.activatable().offersActivation())
      row.on("activated") { context.window.activate("win.month::\(number)-12") }
    }
    film = button(tr("See It Grow"), command: "win.grow::\(number)")
    acts = wrapping(
      button(tr("The Book of {year}…", ["year": "\(number)"]), "suggested-action", command: "win.book::\(number)"),
      film)
    let heading = label("\(number)", "year-name", "numeric")
    let name = line(spacing: 8, heading, siblings.buttons.valign(.center))
    let head = column(spacing: 8, name, texts.titles, acts.margin(top: 4)).hexpand().valign(.center)
    let top = wrapping(
      spacing: 18, lineSpacing: 10, reserve: 300, head, tree.widget.hexpand().halign(.center))
    let content = column(
      spacing: 22, column(spacing: 10, top, months.widget), emptyHint, texts.widget, texts.words, outcome, folded)
    frame = PageFrame(content, heading: heading, siblings: siblings, showsSiblings: false, onBack: onBack)
    widget.accessibleName(tr("The year {year} in growth", ["year": "\(number)"]))
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  func focus() { frame.focus() }

  private func render() {
    show(pages)
    loader.load { [model = context.model] in
      try await model.pageLines()
    } show: { [weak self] in
      self?.show($0)
    }
  }

  private func show(_ pages: [PageLine]?) {
    self.pages = pages
    let (garden, now) = (context.model.garden, context.model.now)
    let beside = garden.yearsBeside(number, pages ?? [], at: now)
    (siblings.above, siblings.below) = (opens(beside.next), opens(beside.previous))
    let pages = pages?.filter { $0.day.year == number }
    let year = garden.growth(in: number, at: now)
    let isEmpty = year.isEmpty && pages?.isEmpty != false
    tree.show(garden, number)
    let lines = year.entries.map(JournalLine.item) + (pages ?? []).map(JournalLine.page)
    months.show(JournalYear(number, of: lines), isSouthern: garden.zone.isSouthern)
    months.widget.visible(!year.entries.isEmpty || pages?.isEmpty == false)
    earlier.setRow(trn("{n} earlier page", "{n} earlier pages", pages?.count ?? 0), "")
    earlier.visible(pages?.isEmpty == false)
    entries.setRow(
      trn("{n} entry", "{n} entries", year.entries.count),
      trn("on {n} day", "on {n} days", Set(year.entries.map(\.time.day)).count))
    entries.visible(!year.entries.isEmpty)
    emptyHint.visible(isEmpty && pages != nil)
    acts.visible(!isEmpty)
    for part in [film, tree.widget] { part.visible(!year.isEmpty) }
    folded.visible(!isEmpty)
    harvested.show(
      year.harvested, trn("{n} harvest", "{n} harvests", year.harvested.count), in: garden, now: now
    ) { sprout in
      guard let harvest = sprout.harvest else { return "" }
      return Formats.result(harvest.result) + ", " + Formats.dayAndMonth(harvest.at)
    }
    planted.show(
      year.planted, trn("{n} planting", "{n} plantings", year.planted.count), in: garden, now: now
    ) { Formats.dayAndMonth($0.plantedAt) }
    texts.show(year, pages ?? [])
    showLeaves(year.harvested, garden, now)
  }

  private func opens(_ year: Int32?) -> (@MainActor () -> Void)? {
    guard let year else { return nil }
    return { [onMove] in onMove(year) }
  }

  private func showLeaves(_ sprouts: [Sprout], _ garden: Garden, _ now: Instant) {
    outcome.visible(!sprouts.isEmpty)
    guard sprouts != shown else { return }
    shown = sprouts
    leaves.removeAll()
    for sprout in sprouts {
      guard let harvest = sprout.harvest else { continue }
      let sign = SproutSign(width: 44, height: 30)
      sign.show(sprout, in: garden, now: now)
      let name = clamped(sprout.title, to: 120) + ", " + Formats.result(harvest.result)
      leaves.append(
        contentButton(sign.widget, command: "win.sprout::").css("flat", "year-leaf").action(
          "win.sprout", target: sprout.id
        )
        .accessibleName(name).tooltip(name))
    }
  }
}

/// A row of a boxed list that shows rows of sprouts below it, and hides them again.
private final class FoldedSprouts {
  private let list: Widget
  private let header = row("")
  private let sign = icon("pan-end-symbolic")
  private var rows: [Widget] = []
  private var sprouts: [Sprout] = []
  private var isOpen = false

  init(in list: Widget) {
    self.list = list
    header.addSuffix(sign)
    header.activatable().offersActivation()
    list.append(header)
    header.on("activated") { [weak self] in
      self?.isOpen.toggle()
      self?.fold()
    }
    header.keeps(self)
  }

  /// - Parameter note: the date of a sprout.
  func show(_ sprouts: [Sprout], _ title: String, in garden: Garden, now: Instant, note: (Sprout) -> String) {
    header.visible(!sprouts.isEmpty)
    header.setRow(title, "")
    guard sprouts != self.sprouts else { return fold() }
    self.sprouts = sprouts
    rows.forEach { list.remove($0) }
    rows = sprouts.map { sprout in
      let row = SproutRow(sprout, end: bin())
      row.show(
        .init(sprout: sprout, kind: "", note: note(sprout)) { bin() }, in: garden, now: now, showsPlace: true,
        isNarrow: true)
      return row.widget
    }
    for (position, row) in rows.enumerated() { list.insert(row, at: header.rowIndex + 1 + position) }
    fold()
  }

  private func fold() {
    for row in rows { row.visible(isOpen) }
    sign.setIcon(isOpen ? "pan-down-symbolic" : "pan-end-symbolic")
    header.expanded(isOpen)
  }
}
