import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// What a sprout will cost and bring: its harvest day, its soil, and how much each result adds to the capacity.
final class PlantOutlook {
  let widget: Widget

  private let facts = FactList(
    name: tr("Cost and gain"), tr("Harvest from"), tr("Soil"), tr("Capacity at harvest"))
  private let gains = paragraph("", "hint", "numeric")

  init() { widget = column(spacing: 8, facts.widget, gains) }

  func show(_ form: GardenModel.PlantForm, in garden: Garden, at now: Instant) {
    let cost = Formats.shortSoil(Soil.cost(form.season, form.ground))
    facts.show(Formats.date(now.adding(seconds: form.season.seconds), in: garden.zone), at: 0)
    facts.show(tr("{cost} of {available}", ["cost": cost, "available": Formats.soil(garden.available)]), at: 1)
    let gained = garden.capacityGains(form.season, form.ground).map(Formats.gain)
    facts.show(numbers(gained[0] + " … " + gained[4]), at: 2)
    gains.setText(
      tr(
        "Withered {one} · Wilted {two} · Budded {three} · Bloomed {four} · Flourished {five}",
        [
          "one": numbers(gained[0]), "two": numbers(gained[1]), "three": numbers(gained[2]),
          "four": numbers(gained[3]), "five": numbers(gained[4]),
        ]))
  }
}
