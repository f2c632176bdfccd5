import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// Soil, water and sun. Each is a button that opens its log; its tooltip says when it comes back.
final class Meters {
  let widget: Widget

  private let context: WindowContext
  private let soilCaption = label(tr("Soil"), "hint")
  private let bar = progressBar()
  /// The filled part of the bar, which moves when something is planted, harvested, watered or lit.
  private let fill: GradualValue
  private let drops = Drops(filled: 3)
  private let streak = paragraph("", "hint", "numeric").justify(.right).valign(.center)
  private let disc = SunDisc(isReady: true)
  private let sunState = label("", "hint")
  private let soil, water, sun, small: Widget
  private var last: (available: Double, capacity: Double, water: Int, sun: Int)?
  private var pulses: [Timeout] = []

  init(_ context: WindowContext) {
    self.context = context
    fill = GradualValue(0, on: bar) { [bar] in bar.setFraction($0) }
    // The meter's accessible name says what the bar shows.
    bar.targetable(false)
    soil = Meters.meter(
      line(spacing: 8, soilCaption.valign(.center), bar.hexpand().valign(.center).margin(start: 4)),
      opens: "win.soil-log")
    water = Meters.meter(line(spacing: 12, drops.widget, streak.hexpand().halign(.end)), opens: "win.water-log")
    sun = Meters.meter(line(spacing: 12, disc.widget, sunState.hexpand().halign(.end)), opens: "win.sun-log")
    small = line(spacing: 10, water.hexpand(), sun.hexpand()).homogeneous()
    widget = wrapping(spacing: 10, soil.hexpand(), small.hexpand())
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  private func render() {
    let (garden, now) = (context.model.garden, context.model.now)
    // The values of an empty garden would be wrong.
    widget.visible(!(context.model.awaitsInitialSync && garden.isEmpty))
    let (available, capacity) = (Formats.soil(garden.available), Formats.soil(garden.capacity))
    fill.move(to: garden.capacity > 0 ? garden.available / garden.capacity : 0)
    let state = tr("Soil: {available} of {capacity} free", ["available": available, "capacity": capacity])
    soil.accessibleName(state)
    soil.tooltip(
      state + "\n" + tr("Every harvest makes the soil grow. Water and sun give back soil that you used for planting."))

    let left = garden.waterLeft(at: now)
    drops.filled = left
    showStreak(garden, now)

    let suns = garden.sunLeft(at: now)
    let week = Formats.moment(garden.zone.nextWeek(after: now), now: now, in: garden.zone)
    disc.isReady = suns > 0
    let weekday = Formats.weekday(garden.zone.local(garden.zone.nextWeek(after: now)).day)
    sunState.setText(suns > 0 ? trc("sun", "ready") : weekday)
    sun.accessibleName(suns > 0 ? tr("Sun: ready") : tr("Sun: returns {time}", ["time": week]))
    sun.tooltip(
      suns > 0
        ? tr("The sun waits for this week’s reflection.") : tr("The sun comes back {time}.", ["time": week]))

    if let last {
      if (garden.available, garden.capacity) != (last.available, last.capacity) { pulse(soil) }
      if left != last.water { pulse(water) }
      if suns != last.sun { pulse(sun) }
    }
    last = (garden.available, garden.capacity, left, suns)
  }

  /// The days in a row, or that the garden rests.
  private func showStreak(_ garden: Garden, _ now: Instant) {
    let run = garden.streak(at: now, resting: context.settings.restDays).current
    var name = [tr("Water: {n} of {total} left", ["n": "\(garden.waterLeft(at: now))", "total": "\(Soil.waterings)"])]
    var tooltip: [String] = []
    if let rest = context.rest {
      // Translators: the garden rests, in a narrow place.
      streak.setText(trc("garden", "resting"))
      name.append(tr("resting until {date}", ["date": Formats.dayAndYear(rest.last, today: context.today)]))
      tooltip.append(
        tr("The garden rests until {date}.", ["date": Formats.dayAndYear(rest.last, today: context.today)]))
    } else {
      // Translators: two short lines in a narrow place: the number of days in a row with a watering.
      streak.setText(run > 0 ? trn("{n} day\nin a row", "{n} days\nin a row", run) : "")
    }
    if run > 0 {
      name.append(trn("{n} day in a row", "{n} days in a row", run))
      tooltip.append(trn("You have watered {n} day in a row.", "You have watered {n} days in a row.", run))
    }
    let returns = Formats.moment(garden.zone.nextReset(after: now), now: now, in: garden.zone)
    tooltip.append(tr("Water comes back {time}.", ["time": returns]))
    water.accessibleName(name.joined(separator: ", ")).tooltip(tooltip.joined(separator: " "))
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
