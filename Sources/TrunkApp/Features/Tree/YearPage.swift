import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of a year in growth: its ring of the trunk, entries to read again, and, folded, what was planted and
/// harvested.
final class YearPage {
  var widget: Widget { frame.widget }

  private let context: WindowContext
  private let number: Int32
  private let frame: PageFrame
  private let summary = paragraph("", "second", "numeric").centred()
  private let rings: RingPicture
  private let planted = SproutRows()
  private let harvested = SproutRows()
  private let plantedSection, harvestedSection: Disclosure
  private let texts: YearTextSection
  private let emptyHint = paragraph(tr("Nothing was planted, harvested or written in this year."), "hint").centred()
  private let export: Widget

  /// - Parameters:
  ///   - onMove: called with -1 or 1 to go to the year before or after.
  ///   - onBack: called when the user wants to leave the page.
  init(
    _ context: WindowContext, _ number: Int32, onMove: @escaping @MainActor (Int) -> Void,
    onBack: @escaping @MainActor () -> Void
  ) {
    (self.context, self.number) = (context, number)
    let year = context.model.garden.growth(in: number, at: context.model.now)
    rings = RingPicture(context, number)
    texts = YearTextSection(context)
    // The lists show themselves when they get rows.
    let (plantedList, harvestedList) = (column(planted.widget), column(harvested.widget))
    plantedSection = Disclosure("", plantedList)
    harvestedSection = Disclosure("", harvestedList)
    export = button(tr("Export or Print…")) { BookDialog(context, growth: number).present() }.halign(.center)
    let siblings = PageFrame.Siblings(
      above: year.next == nil ? nil : .init(tr("Next year")) { onMove(1) },
      below: year.previous == nil ? nil : .init(tr("Previous year")) { onMove(-1) })
    let name = line(spacing: 8, label("\(number)", "title-1"), siblings.buttons).halign(.center).margin(top: 8)
    let folded = column(
      spacing: 10, column(spacing: 8, plantedSection.link, plantedList),
      column(spacing: 8, harvestedSection.link, harvestedList))
    let content = column(
      spacing: 26, column(spacing: 6, rings.widget.halign(.center), name, summary), emptyHint, texts.widget, folded,
      export)
    frame = PageFrame(content, width: 640, siblings: siblings, showsSiblings: false, onBack: onBack)
    widget.accessibleName(tr("The year {year} in growth", ["year": "\(number)"]))
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  func focus() { frame.focus() }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let year = garden.growth(in: number, at: now)
    rings.show(year)
    summary.setText(trn("{n} entry", "{n} entries", year.entries.count))
    summary.visible(!year.isEmpty)
    emptyHint.visible(year.isEmpty)
    export.visible(!year.isEmpty)
    plantedSection.setTitle(trn("{n} planted", "{n} planted", year.planted.count))
    harvestedSection.setTitle(trn("{n} harvested", "{n} harvested", year.harvested.count))
    show(year.planted, in: planted, plantedSection) { Formats.dayAndMonth($0.plantedAt) }
    show(year.harvested, in: harvested, harvestedSection) { sprout in
      guard let harvest = sprout.harvest else { return "" }
      return Formats.result(harvest.result) + ", " + Formats.dayAndMonth(harvest.at)
    }
    texts.show(year)
  }

  private func show(_ sprouts: [Sprout], in rows: SproutRows, _ section: Disclosure, note: (Sprout) -> String) {
    section.link.visible(!sprouts.isEmpty)
    rows.show(
      sprouts.map { sprout in .init(sprout: sprout, kind: "", note: note(sprout)) { bin() } }, in: context.model.garden,
      now: context.model.now)
  }
}
