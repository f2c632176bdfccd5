import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// What a sprout takes of the soil, without numbers: a bar, a share in words, and what can be done if there is too
/// little. The numbers are behind *Exactly*.
final class PlantSoil {
  let widget: Widget

  /// Called with a season for which there is enough soil today, when the user chooses it.
  var onShorten: ((Season) -> Void)?
  /// Called when the user wants a seedling instead.
  var onKeepIdea: (() -> Void)?

  private let bar = growingDrawing(width: 148, height: 12, name: tr("Soil")).halign(.start)
  private let share = paragraph("", "hint")
  private let trouble = paragraph("")
  private let shorten = button("", "link", "flush") {}.halign(.start)
  private let keepIdea = button(tr("Keep It as a Seedling"), "link", "flush") {}.halign(.start)
  private let note: Widget
  private let outlook = PlantOutlook()
  private let exactly: Disclosure
  private var parts = (free: 1.0, taken: 0.0)
  private var shorter: Season?

  init() {
    note = column(spacing: 4, trouble, wrapping(spacing: 14, lineSpacing: 2, shorten, keepIdea)).css("trouble")
    exactly = Disclosure(tr("Exactly"), outlook.widget)
    widget = column(spacing: 8, bar, share, note.visible(false), exactly.link, outlook.widget)
    bar.onDraw { [weak self] in self?.draw(on: $0) }
    shorten.on("clicked") { [weak self] in if let self, let shorter { onShorten?(shorter) } }
    keepIdea.on("clicked") { [weak self] in self?.onKeepIdea?() }
    widget.keeps(self)
  }

  /// - Parameter isIdea: whether the sprout is a seedling already.
  func show(_ form: GardenModel.PlantForm, in garden: Garden, at now: Instant, isIdea: Bool) {
    let cost = Soil.cost(form.season, form.ground)
    let affordability = garden.affordability(of: cost, at: now)
    parts = garden.capacity > 0 ? (garden.available / garden.capacity, cost / garden.capacity) : (0, 1)
    let numbers = tr(
      "Soil: {available} of {capacity} free. This takes {cost}.",
      [
        "available": Formats.shortSoil(garden.available), "capacity": Formats.shortSoil(garden.capacity),
        "cost": Formats.shortSoil(cost),
      ])
    bar.accessibleName(numbers).tooltip(numbers).redraw()
    let takes = tr("It takes {share} of your soil until then.", ["share": garden.soilShare(of: cost).words])
    share.setText(affordability == .now ? takes + " " + garden.roomSentence(afterPlantingFor: cost) : takes)
    share.visible(affordability != .beyondCapacity)
    note.visible(affordability != .now)
    trouble.setText(garden.sentence(affordability, now: now))
    shorter = garden.affordableSeason(shorterThan: form.season, on: form.ground)
    shorten.visible(shorter != nil)
    shorten.setButtonText(
      shorter.map { tr("For {season} there is enough today", ["season": Formats.seasonWord($0)]) } ?? "")
    keepIdea.visible(!isIdea)
    outlook.show(form, in: garden)
  }

  /// Moves the focus to the first way out.
  func focusWayOut() { (shorter == nil ? keepIdea : shorten).focus() }

  /// The free soil is filled; what the sprout takes of it is hatched.
  private func draw(on canvas: Canvas) {
    let (width, height) = (canvas.width, canvas.height)
    let wood = canvas.widget.color("wood")
    let free = min(max(parts.free, 0), 1) * width
    let taken = min(parts.taken * width, width)
    canvas.clipRounded(radius: height / 2)
    canvas.rectangle(0, 0, width, height)
    canvas.fill(canvas.widget.color("track"))
    canvas.rectangle(0, 0, max(free - taken, 0), height)
    canvas.fill(wood)
    // If there is too little, all of it and what is missing.
    let (start, end) = free >= taken ? (free - taken, free) : (0, taken)
    canvas.rectangle(start, 0, end - start, height)
    canvas.fill(wood.faded(to: 0.35))
    canvas.clip(x: start, width: end - start)
    for x in stride(from: start - height, to: end + height, by: 5) {
      canvas.move(x, height)
      canvas.line(x + height, 0)
    }
    canvas.stroke(wood, width: 1.5)
  }
}
