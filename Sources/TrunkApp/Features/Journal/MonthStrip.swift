import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The twelve months of a year, each a letter above a bar for each of its weeks, brown for earlier pages. The month
/// that is read is marked; the arrow keys and a click lead to another one.
final class MonthStrip {
  let widget = sliderDrawing(height: MonthStrip.height, name: tr("Months"))

  /// Called with a month that the user wants to read, 1…12.
  var onMonth: ((Int32) -> Void)?
  /// Called with -1 or 1 by the arrow keys.
  var onStep: ((Int) -> Void)?

  private var year = JournalYear(0, of: [])
  private var month: Int32 = 1
  private var pointed: Int32?

  private static let height = 42
  private static let leastMonthWidth = 22
  /// The number of entries in a week that gives the highest bar.
  private static let most = 14.0

  init() {
    widget.size(width: 12 * MonthStrip.leastMonthWidth).css("month-strip", "chart").focusable(true).hexpand()
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.onPointer { [weak self] in self?.point(at: $0?.x) }
    widget.onClick { [weak self] _, x, _ in self?.press(x) }
    widget.onKey { [weak self] press in
      guard press.modifiers.isEmpty, press.key == .left || press.key == .right else { return false }
      self?.onStep?(press.key == .left ? -1 : 1)
      return true
    }
    widget.keeps(self)
  }

  /// - Parameter month: the one that is read, 1…12.
  func show(_ year: JournalYear, month: Int32) {
    guard year != self.year || month != self.month else { return }
    (self.year, self.month) = (year, month)
    let name = Day(year: year.year, month: month, day: 1).map { Formats.month($0) } ?? ""
    widget.setSlider(
      Int(month), of: 12, tr("{month}: {entries}", ["month": name, "entries": year.summary(ofMonth: month)]))
    widget.redraw()
  }

  private func number(at x: Double) -> Int32? {
    let month = Int32(x / Double(max(widget.width, 1)) * 12) + 1
    return (1...12).contains(month) && x >= 0 ? month : nil
  }

  private func point(at x: Double?) {
    let month = x.flatMap { number(at: $0) }
    guard month != pointed else { return }
    pointed = month
    let name = month.flatMap { Day(year: year.year, month: $0, day: 1) }.map { Formats.month($0) }
    widget.tooltip(name.map { tr("{month}: {entries}", ["month": $0, "entries": year.summary(ofMonth: month ?? 1)]) })
    widget.redraw()
  }

  private func press(_ x: Double) {
    if let month = number(at: x) { onMonth?(month) }
  }

  private func draw(on canvas: Canvas) {
    let width = canvas.width / 12
    let ink = canvas.widget.color
    for number in Int32(1)...12 {
      guard let first = Day(year: year.year, month: number, day: 1) else { continue }
      let left = Double(number - 1) * width
      let isRead = number == month
      if isRead || number == pointed {
        canvas.rounded(left + 1, 1, width - 2, canvas.height - 2, radius: 7)
        canvas.fill(canvas.widget.color(isRead ? "taken" : "hollow"), keep: isRead)
        if isRead { canvas.stroke(canvas.widget.color("wood"), width: 1.2) }
      }
      canvas.text(
        String(Formats.shortMonth(first).prefix(1)).uppercased(), left + width / 2, 12,
        color: isRead ? canvas.widget.color("ink") : ink, size: 0.95, bold: isRead)
      drawBars(of: number, in: (left + 4, width - 8), on: canvas)
    }
  }

  private func drawBars(of month: Int32, in span: (left: Double, width: Double), on canvas: Canvas) {
    let weeks = zip(year.weeks(ofMonth: month), year.pageWeeks(ofMonth: month))
    let (step, bottom, room) = (span.width / 5, canvas.height - 6, canvas.height - 28)
    for (week, (entries, pages)) in weeks.enumerated() {
      let all = entries + pages
      let share = min(Double(all) / MonthStrip.most, 1)
      let height = all == 0 ? 1 : max(room * share, 3)
      let (left, barWidth) = (span.left + Double(week) * step, max(step - 1.4, 1))
      guard all > 0 else {
        canvas.rectangle(left, bottom - height, barWidth, height)
        canvas.fill(canvas.widget.color("edge"))
        continue
      }
      let water = height * Double(entries) / Double(all)
      for (color, base, part) in [("water", bottom, water), ("wood", bottom - water, height - water)] where part > 0 {
        canvas.rectangle(left, base - part, barWidth, part)
        canvas.fill(canvas.widget.color(color).faded(to: 0.55 + 0.45 * share))
      }
    }
  }
}

extension JournalYear {
  /// How many entries and earlier pages a month has.
  /// - Parameter month: 1…12.
  func summary(ofMonth month: Int32) -> String {
    let entries = weeks(ofMonth: month).reduce(0, +)
    let pages = pageWeeks(ofMonth: month).reduce(0, +)
    let counts = [
      entries > 0 || pages == 0 ? trn("{n} entry", "{n} entries", entries) : nil,
      pages > 0 ? trn("{n} earlier page", "{n} earlier pages", pages) : nil,
    ]
    return counts.compactMap(\.self).joined(separator: ", ")
  }
}
