import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The log of the soil: the soil over time, and every change with its cause, newest first.
final class SoilLog {
  private let context: WindowContext
  private let store = ListStore<LogLine<SoilChange>>()
  private let chart: SoilChart
  private var window: LogWindow?
  private var shown = 0

  init(_ context: WindowContext) {
    self.context = context
    chart = SoilChart(context)
    let model = context.model
    let list = listView(store, name: tr("Changes to the soil"), row: { SoilLog.makeRow { model.garden } })
    let window = LogWindow(
      context, title: trc("log", "Soil"), head: chart.widget, rows: scrolledList(list.margin(start: 18, end: 18)),
      empty: emptyState(
        icon: "trunk-soil-symbolic", title: tr("The soil is untouched"),
        hint: tr("Planting uses soil. Water, sun and harvests give it back. Every change appears here."),
        button: button(tr("Plant a Sprout"), "plant") { [weak self] in self?.window?.leave(for: "win.plant") }))
    self.window = window
    window.window.widget.keeps(self)
    context.follow(window.window.widget) { [weak self] in self?.render() }
  }

  func present() { window?.window.present() }

  private func render() {
    let garden = context.model.garden
    chart.render()
    window?.show(isEmpty: garden.snapshots.isEmpty)
    guard garden.snapshots.count != shown else { return }
    shown = garden.snapshots.count
    store.replaceAll(with: LogLine.lines(garden.soilHistory.reversed()) { $0.time.day })
  }

  private static func makeRow(_ garden: @escaping () -> Garden) -> LogRow<SoilChange> {
    let symbol = icon("trunk-soil-symbolic")
    let cause = paragraph("", "semibold")
    let when = paragraph("", "hint", "numeric")
    let gain = label("", "numeric").xalign(1)
    let capacity = paragraph("", "hint", "numeric").xalign(1).justify(.right).wrapMode(.word)
    let balance = label("", "hint", "numeric").xalign(1)
    // Both numbers stay on one line.
    for label in [gain, balance] { label.ellipsize(.none) }
    let body = line(
      spacing: 14, symbol, column(spacing: 2, cause, when).hexpand(), column(spacing: 2, gain, capacity, balance))
    return LogRow(body) { change in
      let garden = garden()
      symbol.setIcon(change.style.icon)
      for name in ["water", "sun", "green", "wood"] { symbol.css(name, when: name == change.style.color) }
      let texts = [
        // The year is in the heading.
        change.title(in: garden), Formats.dayAndTime(change.time),
        numbers(Formats.gain(change.availableGain)), change.growth, change.balance,
      ]
      for (label, text) in zip([cause, when, gain, capacity, balance], texts) {
        label.visible(!text.isEmpty).setText(text)
      }
      gain.css("green", when: change.availableGain > 0.004)
      return texts.filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }
}

extension SoilChange {
  fileprivate func title(in garden: Garden) -> String {
    func titled(_ sprout: Int) -> [String: String] {
      ["title": clamped(garden.sprouts[sprout].title, to: oneLineLimit)]
    }
    switch cause {
    case .planted(let sprout): return tr("Planted “{title}”", titled(sprout))
    case .watered(let sprout): return tr("Watered “{title}”", titled(sprout))
    case .harvested(let sprout): return tr("Harvested “{title}”", titled(sprout))
    case .uprooted(let sprout): return tr("Uprooted “{title}”", titled(sprout))
    case .shone(let twig):
      guard let twig else { return tr("The sun has shone") }
      return tr("The sun has shone on “{twig}”", ["twig": garden.label(of: twig)])
    }
  }

  fileprivate var balance: String {
    numbers(
      tr(
        "{available} / {capacity}",
        ["available": Formats.exactSoil(after.available), "capacity": Formats.exactSoil(after.capacity)]))
  }

  /// `capacity +1.29`; empty if it is as before.
  fileprivate var growth: String {
    capacityGain > 0.004 ? tr("capacity {gain}", ["gain": numbers(Formats.gain(capacityGain))]) : ""
  }

  fileprivate var style: (icon: String, color: String) {
    switch cause {
    case .planted: ("trunk-sprout-symbolic", "green")
    case .watered: ("trunk-drop-symbolic", "water")
    case .shone: ("trunk-sun-symbolic", "sun")
    case .harvested: ("trunk-harvest-symbolic", "wood")
    case .uprooted: ("trunk-uproot-symbolic", "wood")
    }
  }
}
