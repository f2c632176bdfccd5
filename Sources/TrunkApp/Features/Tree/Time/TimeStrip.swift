import CairoKit
import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel
import VectorGraphics

/// The strip of a garden's life with a handle: dragging, a click, the wheel and the keys move through time.
final class TimeStrip {
  let widget = sliderDrawing(height: TimeStrip.height, name: trc("tree", "Time"))

  /// Called with a day to show, and whether more days are about to follow.
  var onMove: ((Day, _ isMoving: Bool) -> Void)?

  private let context: WindowContext
  private var garden: Garden?
  private var first = Day(number: 0)
  private var last = Day(number: 0)
  private(set) var day = Day(number: 0)
  /// The part of the picture that doesn't move, and what it was made for.
  private var painted: (snapshot: Snapshot, strip: LifeStrip, look: TreeCanvas.Look)?
  /// What a screen reader is told, and when it was told last.
  private var saying = ""
  private var silence: Timeout?

  /// In pixels, at most and in a narrow window.
  static let height = 104, narrowHeight = 84
  /// How much can be seen of what comes after the day.
  private static let paleness = 0.26
  /// While the handle is dragged, a screen reader is told a day at most this often, in milliseconds.
  private static let silence = 500

  init(_ context: WindowContext) {
    self.context = context
    widget.css("time-strip").focusable(true).hexpand()
    widget.onDraw { [weak self] in self?.draw(on: $0) }
    widget.onDrag { [weak self] x, isOver in self?.drag(to: x, isOver: isOver) }
    widget.onWheel { [weak self] turns in
      self?.step(days: Int32((turns * 7).rounded()))
      return true
    }
    widget.followTextScale { [weak self] _ in self?.repaint() }
    widget.keeps(self)
  }

  /// Shows a garden through today.
  func show(_ garden: Garden, from first: Day, through last: Day) {
    (self.garden, self.first, self.last) = (garden, first, last)
    repaint()
  }

  /// Moves the handle.
  /// - Parameters:
  ///   - text: what a screen reader says about the day; `nil` for what it has said last.
  ///   - isMoving: whether more days are about to follow.
  func show(_ day: Day, _ text: String?, isMoving: Bool) {
    self.day = day
    widget.redraw()
    guard let text else { return }
    saying = text
    if isMoving, silence?.isPending == true { return }
    tell()
    guard isMoving else { return }
    silence = Timeout.after(milliseconds: TimeStrip.silence) { [weak self] in self?.tell() }
  }

  private func tell() {
    silence = nil
    widget.setSlider(Int(first.distance(to: day)), of: Int(first.distance(to: last)), saying)
  }

  /// Moves by some days.
  func step(days: Int32) { move(to: day.adding(days: days)) }

  /// Moves by some months.
  func step(months: Int32) { move(to: day.adding(months: months)) }

  func moveToStart() { move(to: first) }

  func move(to day: Day, isMoving: Bool = false) { onMove?(min(max(day, first), last), isMoving) }

  private func drag(to x: Double, isOver: Bool) {
    widget.focus()
    guard let strip = painted?.strip else { return }
    move(to: strip.day(at: x, width: Double(widget.width)), isMoving: !isOver)
  }

  private func repaint() {
    painted = nil
    widget.redraw()
  }

  private func draw(on canvas: Canvas) {
    let palette = context.treePalette(on: widget, yearShare: nil)
    let look = TreeCanvas.Look(width: canvas.width, height: canvas.height, palette: palette, fontSize: textScale)
    if painted?.look != look { painted = nil }
    guard let painted = painted ?? paint(look, canvas) else { return }
    self.painted = painted
    let x = painted.strip.x(of: day, width: canvas.width)
    painted.snapshot.show(on: canvas.cairo, x: 0, y: 0, scale: 1, opacity: TimeStrip.paleness)
    let painter = Painter(canvas.cairo)
    canvas.clipped(x: 0, width: x) { painted.snapshot.show(on: canvas.cairo, x: 0, y: 0, scale: 1) }
    painter.paint(painted.strip.twig(width: canvas.width, height: canvas.height, palette: palette))
    drawYears(painted.strip, canvas)
    painter.paint(painted.strip.handle(at: x, height: canvas.height, palette: palette))
  }

  private func paint(
    _ look: TreeCanvas.Look, _ canvas: Canvas
  ) -> (snapshot: Snapshot, strip: LifeStrip, look: TreeCanvas.Look)? {
    guard let garden else { return nil }
    let strip = LifeStrip(garden, from: first, through: last, width: look.width / textScale)
    let isSouthern = garden.zone.isSouthern
    let drawing = strip.drawing(width: look.width, height: look.height) { month in
      let middle = (Double(month) - 0.5) / 12 + (isSouthern ? 0.5 : 0)
      return context.treePalette(on: widget, yearShare: middle.truncatingRemainder(dividingBy: 1))
    }
    let snapshot = Snapshot(
      width: look.width, height: look.height, scale: Double(widget.scaleFactor)
    ) { Painter($0).paint(drawing) }
    return (snapshot, strip, look)
  }

  /// Writes the years below the twig, as many as fit; that of the day is bold.
  private func drawYears(_ strip: LifeStrip, _ canvas: Canvas) {
    let years = strip.years
    let isShort = canvas.width / textScale < 500
    let room = (isShort ? 30.0 : 44.0) * textScale
    let yearWidth = (canvas.width - 24) / max(Double(first.distance(to: last)) / 365.25, 1)
    let every = max(Int32((room / yearWidth).rounded(.up)), 1)
    let y = canvas.height - 10
    var free = 0.0
    for (year, start) in years {
      let end = Day(year: year + 1, month: 1, day: 1).map { min($0, last) } ?? last
      let (left, right) = (strip.x(of: start, width: canvas.width), strip.x(of: end, width: canvas.width))
      let (isShown, middle) = (year == day.year, (left + right) / 2)
      let isNear = abs(year - day.year) < every
      // The year that is shown takes the place of its neighbours.
      guard isShown || !isNear && (year - years[0].year).isMultiple(of: every) && middle - room / 2 >= free else {
        continue
      }
      let x = min(max(middle, room / 2), canvas.width - room / 2)
      let text = isShort ? "’" + "\(year)".suffix(2) : "\(year)"
      canvas.text(
        text, x, y, color: widget.color(isShown ? "ink" : "second"), size: 0.82, bold: isShown)
      free = x + room / 2
    }
  }
}
