import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Soil, water and sun. Each is a button that opens its log; its tooltip says when it comes back. On the day of the
/// first planting there are none, and on the next day no sun.
final class Meters {
  let widget: Widget

  private let context: WindowContext
  private let bar = progressBar().size(width: 120)
  /// The filled part of the bar, which moves when something is planted, harvested, watered or lit.
  private let fill: GradualValue
  private let drops = Drops(filled: 3)
  private let disc = SunDisc(isReady: true)
  private let soil, water, sun: Widget
  private var last: (available: Double, capacity: Double, water: Int, sun: Int)?
  private var pulses: [Timeout] = []

  init(_ context: WindowContext) {
    self.context = context
    fill = GradualValue(0, on: bar) { [bar] in bar.setFraction($0) }
    // The meter's accessible name says what the bar shows.
    bar.targetable(false)
    // The bar gets a third of the spare room.
    soil = Meters.meter(
      line(
        label(tr("Soil"), "hint").valign(.center).margin(end: 12), bar.hexpand().valign(.center), bin().hexpand(),
        bin().hexpand()), opens: "win.soil-log")
    water = Meters.meter(drops.widget, opens: "win.water-log")
    sun = Meters.meter(disc.widget, opens: "win.sun-log")
    widget = wrapping(spacing: 4, lineSpacing: 0, soil.hexpand(), line(spacing: 4, water, sun))
      .css("meters")
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    let days = garden.firstDays(at: now)
    widget.visible(days.showsMeters)
    sun.visible(days.showsSun)
    showSoil(garden)
    showWater(garden, now)
    showSun(garden, now)
    let (left, suns) = (garden.waterLeft(at: now), garden.sunLeft(at: now))
    if let last {
      if (garden.available, garden.capacity) != (last.available, last.capacity) { pulse(soil) }
      if left != last.water { pulse(water) }
      if suns != last.sun { pulse(sun) }
    }
    last = (garden.available, garden.capacity, left, suns)
  }

  private func showSoil(_ garden: Garden) {
    let (available, capacity) = (Formats.soil(garden.available), Formats.soil(garden.capacity))
    fill.move(to: garden.capacity > 0 ? garden.available / garden.capacity : 0)
    let state = tr("Soil: {available} of {capacity} free", ["available": available, "capacity": capacity])
    soil.accessibleName(state)
    soil.tooltip(
      state + "\n" + tr("Every harvest makes the soil grow. Water and sun give back soil that you used for planting."))
  }

  /// The drops, with the days in a row and the garden's rest in words.
  private func showWater(_ garden: Garden, _ now: Instant) {
    let (left, total) = garden.drops(at: now)
    (drops.filled, drops.total) = (left, total)
    water.visible(total > 0)
    let run = garden.streak(at: now, resting: context.settings.restDays).current
    var name = [tr("Water: {n} of {total} left", ["n": "\(garden.waterLeft(at: now))", "total": "\(Soil.waterings)"])]
    var tooltip: [String] = []
    if let rest = context.rest {
      name.append(tr("resting until {date}", ["date": Formats.dayAndYear(rest.last, today: context.today)]))
      tooltip.append(
        tr("The garden rests until {date}.", ["date": Formats.dayAndYear(rest.last, today: context.today)]))
    }
    if run > 0 {
      name.append(trn("{n} day in a row", "{n} days in a row", run))
      tooltip.append(trn("You have watered {n} day in a row.", "You have watered {n} days in a row.", run))
    }
    let returns = Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone)
    tooltip.append(tr("Water comes back {time}.", ["time": returns]))
    water.accessibleName(name.joined(separator: ", ")).tooltip(tooltip.joined(separator: " "))
  }

  private func showSun(_ garden: Garden, _ now: Instant) {
    let isReady = garden.sunLeft(at: now) > 0
    let week = Formats.moment(garden.zone.nextWeek(after: now), now: now, in: garden.zone)
    disc.isReady = isReady
    sun.accessibleName(isReady ? tr("Sun: ready") : tr("Sun: returns {time}", ["time": week]))
    sun.tooltip(
      isReady ? tr("The sun waits for this week’s reflection.") : tr("The sun comes back {time}.", ["time": week]))
  }

  /// Moves a meter once after a change, unless reduced motion is set. The style sheet has the movement.
  private func pulse(_ meter: Widget) {
    guard widget.mayMove else { return }
    meter.css("grew")
    pulses.removeAll { !$0.isPending }
    pulses.append(Timeout.after(milliseconds: 500) { meter.css("grew", when: false) })
  }

  private static func meter(_ content: Widget, opens command: String) -> Widget {
    contentButton(content, command: command).css("meter")
  }
}
