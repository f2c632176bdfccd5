import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// The twelve months of a year on a twig, with a blade for each week in the colour of its leaves, or of wood if it
/// has only earlier pages. Each opens the journal.
final class YearMonths {
  let widget = line().css("year-months")

  private let context: WindowContext
  private var shown: JournalYear?

  /// The heights of the blades and of the names below them, in pixels at the usual size of texts.
  private static let height = 40.0, nameHeight = 20.0
  /// A month without room for its short name has only its first letter, in pixels.
  private static let nameWidth = 34.0

  init(_ context: WindowContext) {
    self.context = context
    widget.keeps(self)
  }

  func show(_ year: JournalYear, isSouthern: Bool) {
    guard year != shown else { return }
    shown = year
    widget.removeAll()
    let months = Int32(1)...12
    func weeks(_ month: Int32) -> [(entries: Int, pages: Int)] {
      zip(year.weeks(ofMonth: month), year.pageWeeks(ofMonth: month)).map { ($0, $1) }
    }
    let most = months.flatMap(weeks).map { $0.entries + $0.pages }.max() ?? 0
    for number in months {
      guard let first = Day(year: year.year, month: number, day: 1) else { continue }
      let weeks = weeks(number)
      let picture = growingDrawing(width: 0, height: Int(YearMonths.height + YearMonths.nameHeight))
      picture.onDraw { [context] canvas in
        let base = canvas.height - YearMonths.nameHeight * textScale
        let middle = (Double(number) - 0.5) / 12 + (isSouthern ? 0.5 : 0)
        let palette = context.treePalette(on: canvas.widget, yearShare: middle.truncatingRemainder(dividingBy: 1))
        let month = LifeStrip.month(weeks, most: most, width: canvas.width, height: base, palette: palette)
        Painter(canvas.cairo).paint(month)
        let name = Formats.shortMonth(first)
        canvas.text(
          canvas.width < YearMonths.nameWidth * textScale ? String(name.prefix(1)) : name, canvas.width / 2,
          (base + canvas.height) / 2, color: canvas.widget.color("faint"), size: 0.9)
      }
      let name = tr(
        "{month}: {entries}", ["month": Formats.month(first), "entries": year.summary(ofMonth: number)])
      widget.append(
        contentButton(picture, command: "win.month::" + "\(first)".prefix(7))
          .css("flat", "year-month").accessibleName(name).tooltip(name).sensitive(
            weeks.contains { $0.entries + $0.pages > 0 }
          ).hexpand())
    }
  }
}
