import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The soil over time: capacity as a line, available soil as an area. The pointer and the arrow keys read values.
final class SoilChart {
  let widget: Widget

  private static let ranges = ChartRange.allCases
  private static let height = 206
  /// Two weeks: a shorter line shows no trend.
  private static let leastSeconds = 14.0 * 86_400

  private let context: WindowContext
  private let picture = drawing(width: 120, height: SoilChart.height, name: tr("Soil")).css("chart")
  private let readout = paragraph("", "hint", "numeric")
  private let spans: Segments
  private var range = ChartRange.month
  private var points: [SoilSnapshot] = []
  /// The index of the point whose values are shown.
  private var selected: Int?

  init(_ context: WindowContext) {
    self.context = context
    picture.focusable(true)
    widget = column(spacing: 8)
    spans = Segments(
      .ranges, name: tr("Time span of the chart"), SoilChart.ranges.map(\.title), names: SoilChart.ranges.map(\.name),
      selected: SoilChart.ranges.firstIndex(of: range) ?? 0)
    let header = wrapping(spacing: 10, label(tr("Soil"), "section-title").hexpand(), spans.widget)
    let legend = wrapping(
      spacing: 14, SoilChart.mark("chart-capacity", tr("Capacity")), SoilChart.mark("chart-available", tr("Available")))
    widget.append(header, column(spacing: 8, legend, picture, readout).css("card"))
    spans.onSelect = { [weak self] in
      self?.range = SoilChart.ranges[$0]
      self?.render()
    }
    picture.onDraw { [weak self] in self?.draw(on: $0) }
    picture.onPointer { [weak self] place in self?.point(at: place?.x) }
    picture.onKey { [weak self] press in self?.move(press.key) ?? false }
    picture.onFocus { [weak self] isIn in if !isIn { self?.select(nil) } }
    widget.keeps(self)
  }

  /// Shows the chart, once there are two weeks to show.
  func render() {
    let model = context.model
    let start = model.garden.snapshots.first?.instant
    widget.visible(start.map { model.now.seconds(since: $0) >= SoilChart.leastSeconds } ?? false)
    points = model.garden.soilChart(range, now: model.now)
    selected = nil
    picture.accessibleDescription(summary)
    readout.setText(summary)
    picture.redraw()
  }

  /// A summary of the chart: `In the past month your soil grew from 53.66 to 56.42. 44.62 of it is free.`
  private var summary: String {
    guard let first = points.first, let last = points.last else {
      return tr("The chart begins with your first sprout.")
    }
    let (old, new) = (Formats.soil(first.capacity), Formats.soil(last.capacity))
    let growth =
      old == new
      ? tr("{period} your soil stayed at {soil}.", ["period": range.period, "soil": new])
      : tr("{period} your soil grew from {old} to {new}.", ["period": range.period, "old": old, "new": new])
    return growth + " " + tr("{available} of it is free.", ["available": Formats.soil(last.available)])
  }

  private func select(_ index: Int?) {
    guard index != selected else { return }
    selected = index
    if let index {
      let point = points[index]
      let text = tr(
        "{date}: capacity {capacity}, available {available}",
        [
          "date": Formats.dateAndTime(point.instant, in: context.model.garden.zone),
          "capacity": Formats.soil(point.capacity), "available": Formats.soil(point.available),
        ])
      readout.setText(text)
      picture.accessibleDescription(text)
    } else {
      readout.setText(summary)
      picture.accessibleDescription(summary)
    }
    picture.redraw()
  }

  /// The width of the scale's labels, in pixels.
  private var scaleWidth: Double { 42 * textScale }

  /// The height below the scale, for the dates, in pixels.
  private var datesHeight: Double { 22 * textScale }

  private func point(at x: Double?) {
    guard let x, let first = points.first, let last = points.last, first.instant < last.instant else {
      return select(nil)
    }
    let width = Double(picture.width) - scaleWidth
    let share = min(max((x - scaleWidth) / max(width, 1), 0), 1)
    let instant =
      Double(first.instant.milliseconds) + share * Double(last.instant.milliseconds - first.instant.milliseconds)
    select(
      points.indices.min {
        abs(Double(points[$0].instant.milliseconds) - instant) < abs(Double(points[$1].instant.milliseconds) - instant)
      })
  }

  private func move(_ key: KeyPress.Key) -> Bool {
    guard !points.isEmpty else { return false }
    let last = points.count - 1
    switch key {
    case .left: select(max(0, (selected ?? points.count) - 1))
    case .right: select(min(last, (selected ?? last - 1) + 1))
    case .home: select(0)
    case .end: select(last)
    default: return false
    }
    return true
  }

  private func draw(on canvas: Canvas) {
    guard points.count > 1, let first = points.first, let last = points.last else { return }
    let plot = Plot(
      first: first.instant.milliseconds, last: last.instant.milliseconds,
      top: SoilChart.step(above: points.map(\.capacity).max() ?? 0), left: scaleWidth,
      right: canvas.width - 4, above: 9 * textScale, below: canvas.height - datesHeight)
    drawScale(plot, on: canvas)
    drawDates(on: canvas, from: plot.left, to: plot.right)
    drawCurves(plot, on: canvas)
    if let selected { draw(points[selected], plot, on: canvas) }
    if canvas.widget.hasFocus {
      canvas.rectangle(1, 1, canvas.width - 2, canvas.height - 2)
      canvas.stroke(canvas.widget.color("ring"), width: 2)
    }
  }

  private func drawScale(_ plot: Plot, on canvas: Canvas) {
    for part in 0...4 {
      let value = plot.top * Double(part) / 4
      canvas.move(plot.left, plot.y(value))
      canvas.line(plot.right, plot.y(value))
      canvas.stroke(canvas.widget.color("edge"), width: 1)
      canvas.text(
        Formats.shortSoil(value), plot.left - 8, plot.y(value), color: canvas.widget.color, anchor: (1, 0.5))
    }
  }

  private func drawCurves(_ plot: Plot, on canvas: Canvas) {
    let available = canvas.widget.color("chart_available")
    canvas.move(plot.left, plot.below)
    for point in points { canvas.line(plot.x(point), plot.y(point.available)) }
    canvas.line(plot.right, plot.below)
    canvas.close()
    canvas.fill(available.faded(to: 0.18))
    trace(points.map { (plot.x($0), plot.y($0.available)) }, on: canvas)
    canvas.stroke(available, width: 1.6)
    trace(points.map { (plot.x($0), plot.y($0.capacity)) }, on: canvas)
    canvas.stroke(canvas.widget.color("chart_capacity"), width: 2.2)
  }

  /// Marks the selected point.
  private func draw(_ point: SoilSnapshot, _ plot: Plot, on canvas: Canvas) {
    canvas.move(plot.x(point), plot.above)
    canvas.line(plot.x(point), plot.below)
    canvas.stroke(canvas.widget.color.faded(to: 0.5), width: 1)
    for (value, color) in [(point.capacity, "chart_capacity"), (point.available, "chart_available")] {
      canvas.circle(plot.x(point), plot.y(value), radius: 4)
      canvas.fill(canvas.widget.color(color))
    }
  }

  /// Writes the first and the last day below the scale, and the times of a single day.
  private func drawDates(on canvas: Canvas, from left: Double, to right: Double) {
    guard let first = points.first?.instant, let last = points.last?.instant else { return }
    let zone = context.model.garden.zone
    let isOneDay = last.seconds(since: first) < 2 * 86_400
    let format = { isOneDay ? Formats.time($0, in: zone) : Formats.dayAndYear($0, now: last, in: zone) }
    let y = canvas.height - datesHeight / 2 + 3
    canvas.text(format(first), left, y, color: canvas.widget.color, anchor: (0, 0.5))
    canvas.text(format(last), right, y, color: canvas.widget.color, anchor: (1, 0.5))
  }

  /// An entry of the legend.
  private static func mark(_ style: String, _ title: String) -> Widget {
    let swatch = bin().css("legend-mark", style).valign(.center).size(width: 14, height: 4)
    return line(spacing: 7, swatch, label(title, "hint"))
  }

  private func trace(_ places: [(Double, Double)], on canvas: Canvas) {
    for (index, place) in places.enumerated() {
      if index == 0 { canvas.move(place.0, place.1) } else { canvas.line(place.0, place.1) }
    }
  }

  /// The top of the scale: a round number of at least `value` that divides into four round parts.
  private static func step(above value: Double) -> Double {
    [4, 8, 12, 20, 40, 60, 80, 100, 120].first { $0 >= value } ?? 120
  }
}

/// The area of the curves, in pixels, and the times and values that it shows.
private struct Plot {
  let first: Int64
  let last: Int64
  /// The highest value.
  let top: Double
  let left: Double
  let right: Double
  let above: Double
  let below: Double

  func x(_ point: SoilSnapshot) -> Double {
    left + (right - left) * Double(point.instant.milliseconds - first) / Double(max(last - first, 1))
  }

  func y(_ value: Double) -> Double { below - (below - above) * value / top }
}
