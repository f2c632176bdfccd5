import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The page of a year in growth: its ring of the trunk, what was planted and harvested, and entries to read
/// again.
final class YearPage {
  var widget: Widget { frame.widget }

  private let context: WindowContext
  private let number: Int32
  private let frame: PageFrame
  private let soil = paragraph("", "second", "numeric").centred()
  private let summary = paragraph("", "second", "numeric").centred()
  private let rings: RingPicture
  private let planted = SproutRows()
  private let harvested = SproutRows()
  private let plantedSection, harvestedSection: Widget
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
    // Translators: the heading of a list of sprouts.
    plantedSection = column(spacing: 8, sectionHeader(trc("year", "Planted")), planted.widget)
    // Translators: the heading of a list of sprouts.
    harvestedSection = column(spacing: 8, sectionHeader(trc("year", "Harvested")), harvested.widget)
    export = button(tr("Export or Print…")) { BookDialog(context, growth: number).present() }.halign(.center)
    let title = column(
      spacing: 6, rings.widget.halign(.center), label("\(number)", "title-1").xalign(0.5).margin(top: 8), soil, summary)
    let content = column(
      spacing: 26, title, emptyHint, plantedSection, harvestedSection, texts.widget, export)
    let siblings = PageFrame.Siblings(
      above: year.next == nil ? nil : .init(tr("Next year")) { onMove(1) },
      below: year.previous == nil ? nil : .init(tr("Previous year")) { onMove(-1) })
    frame = PageFrame(content, width: 640, siblings: siblings, onBack: onBack)
    widget.accessibleName(tr("The year {year} in growth", ["year": "\(number)"]))
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  func focus() { frame.focus() }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let year = garden.growth(in: number, at: now)
    rings.show(year)
    soil.setText(year.soilSentence)
    soil.visible(!year.soilSentence.isEmpty)
    summary.setText(YearPage.summary(of: year))
    summary.visible(!year.isEmpty)
    emptyHint.visible(year.isEmpty)
    export.visible(!year.isEmpty)
    show(year.planted, in: planted, plantedSection) { Formats.dayAndMonth($0.plantedAt) }
    show(year.harvested, in: harvested, harvestedSection) { sprout in
      guard let harvest = sprout.harvest else { return "" }
      return Formats.result(harvest.result) + ", " + Formats.dayAndMonth(harvest.at)
    }
    texts.show(year)
  }

  private func show(_ sprouts: [Sprout], in rows: SproutRows, _ section: Widget, note: (Sprout) -> String) {
    section.visible(!sprouts.isEmpty)
    rows.show(
      sprouts.map { sprout in .init(sprout: sprout, kind: "", note: note(sprout)) { bin() } }, in: context.model.garden,
      now: context.model.now)
  }

  /// `5 planted, 4 harvested, 142 entries`.
  private static func summary(of year: YearInGrowth) -> String {
    [
      trn("{n} planted", "{n} planted", year.planted.count),
      trn("{n} harvested", "{n} harvested", year.harvested.count),
      trn("{n} entry", "{n} entries", year.entries.count),
    ].joined(separator: ", ")
  }
}
