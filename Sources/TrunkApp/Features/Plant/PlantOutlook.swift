import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// What a sprout costs and brings, in numbers: its soil, and how much each result adds to the capacity.
final class PlantOutlook {
  let widget: Widget

  private let facts = FactList(name: tr("Cost and gain"), tr("Soil"), tr("Capacity at harvest"))
  private let gains = paragraph("", "hint", "numeric")
  private let history = paragraph("", "hint")

  init() { widget = column(spacing: 8, facts.widget, gains, history) }

  func show(_ form: GardenModel.PlantForm, in garden: Garden) {
    let cost = Formats.shortSoil(Soil.cost(form.season, form.ground))
    facts.show(tr("{cost} of {available}", ["cost": cost, "available": Formats.shortSoil(garden.available)]), at: 0)
    let gained = garden.capacityGains(form.season, form.ground).map(Formats.gain)
    facts.show(numbers(gained[0] + " … " + gained[4]), at: 1)
    gains.setText(
      tr(
        "Withered {one} · Wilted {two} · Budded {three} · Bloomed {four} · Flourished {five}",
        [
          "one": numbers(gained[0]), "two": numbers(gained[1]), "three": numbers(gained[2]),
          "four": numbers(gained[3]), "five": numbers(gained[4]),
        ]))
    history.setText(garden.history(form.season, form.ground).sentence)
  }
}
