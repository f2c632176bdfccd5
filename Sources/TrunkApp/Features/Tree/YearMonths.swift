import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// The twelve months of a year on a twig, with a blade for each week in the colour of its leaves. Each opens the
/// journal.
final class YearMonths {
  let widget = line().css("year-months")

  private let context: WindowContext
  private var shown: JournalYear?

  private static let height = 40

  init(_ context: WindowContext) {
    self.context = context
    widget.keeps(self)
  }

  func show(_ year: JournalYear, isSouthern: Bool) {
    guard year != shown else { return }
    shown = year
    widget.removeAll()
    let weeks = (Int32(1)...12).map { year.weeks(ofMonth: $0) }
    let most = weeks.joined().max() ?? 0
    for (number, weeks) in zip(Int32(1)..., weeks) {
      guard let first = Day(year: year.year, month: number, day: 1) else { continue }
      let count = weeks.reduce(0, +)
      let picture = drawing(width: 0, height: YearMonths.height)
      picture.onDraw { [context] canvas in
        let middle = (Double(number) - 0.5) / 12 + (isSouthern ? 0.5 : 0)
        let palette = context.treePalette(on: canvas.widget, yearShare: middle.truncatingRemainder(dividingBy: 1))
        let month = LifeStrip.month(weeks, most: most, width: canvas.width, height: canvas.height, palette: palette)
        Painter(canvas.cairo).paint(month)
      }
      let name = tr(
        "{month}: {entries}", ["month": Formats.month(first), "entries": trn("{n} entry", "{n} entries", count)])
      widget.append(
        contentButton(column(spacing: 4, picture, title(first)), command: "win.month::" + "\(first)".prefix(7))
          .css("flat", "year-month").accessibleName(name).tooltip(name).sensitive(count > 0).hexpand())
    }
  }

  /// The name of a month, or where there is no room its first letter.
  private func title(_ first: Day) -> Widget {
    let name = Formats.shortMonth(first)
    let title = firstThatFits()
    title.addVariant(label(name, "hint").ellipsize(.none))
    title.addVariant(label(String(name.prefix(1)), "hint").ellipsize(.none))
    return title.halign(.center)
  }
}
