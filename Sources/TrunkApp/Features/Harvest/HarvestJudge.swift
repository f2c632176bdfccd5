import GtkKit
import Localization
import TreePicture
import TrunkKit
import TrunkModel

/// The five results of a harvest, each with its leaflet, its word and what the user hoped for. None is chosen at first.
final class HarvestJudge {
  let widget: Widget

  /// Called when the user has chosen a result, 1…5.
  var onChoose: ((Int) -> Void)?

  /// The chosen result, 1…5; `nil` before it is chosen. Setting it does not call `onChoose`.
  var result: Int? {
    didSet {
      choice?.selected = result.map { $0 - 1 }
      showMarks()
    }
  }

  private var choice: Choice?
  private let signs = (1...5).map { _ in SproutSign() }
  private let hopes = (1...5).map { _ in paragraph("", "journal-excerpt", "second") }
  /// The key of each result, or a tick.
  private let marks = (1...5).map { label("\($0)", "key-cap").valign(.center) }
  private let note = paragraph(tr("Lines in quotation marks are yours, from the day you planted it."), "hint")
  private let missing = paragraph(tr("First choose how it grew."), "wood", "semibold").visible(false)

  init() {
    let (signs, hopes, marks) = (signs, hopes, marks)
    let rows = (0..<5).map { index in
      let words = column(spacing: 1, label(Formats.result(index + 1), "semibold"), hopes[index]).hexpand()
      return line(spacing: 14, signs[index].widget, words.valign(.center), marks[index])
    }
    widget = column(spacing: 8)
    let choice = Choice(
      name: tr("How did it grow?"), rows: rows, names: (1...5).map { Formats.result($0) }
    ) { [weak self] in self?.take($0 + 1) }
    self.choice = choice
    widget.append(paragraph(tr("How did it grow?"), "question"), choice.widget, missing, note)
    widget.keeps(self)
  }

  /// Shows the leaflets and the hopes of a sprout.
  func show(_ sprout: Sprout, in garden: Garden, now: Instant) {
    let leaflet = TreeState.Leaflet(sprout, garden, garden.zone.dayKey(now))
    let lines = [sprout.bloomWither, nil, sprout.bloomBudding, nil, sprout.bloomFlourish]
    for (index, line) in lines.enumerated() {
      var harvested = leaflet
      harvested.stage = .harvested(result: index + 1)
      signs[index].show(harvested)
      let hope = line.flatMap { $0.isEmpty ? nil : tr("“{text}”", ["text": $0]) }
      hopes[index].visible(hope != nil)
      hopes[index].setText(hope ?? "")
      choice?.setName([Formats.result(index + 1), hope].compactMap(\.self).joined(separator: ", "), at: index)
    }
    note.visible(hopes.contains(where: \.isVisible))
  }

  func focus() { choice?.focus() }

  /// Chooses a result for the user, 1…5.
  func choose(_ result: Int) { choice?.select(result - 1) }

  /// Says that a result must be chosen first.
  func demand() {
    missing.visible(true)
    focus()
  }

  private func take(_ result: Int) {
    self.result = result
    onChoose?(result)
  }

  private func showMarks() {
    missing.visible(false)
    for (index, mark) in marks.enumerated() {
      let isChosen = index + 1 == result
      mark.setText(isChosen ? "✓" : "\(index + 1)")
      mark.css("chosen", when: isChosen)
    }
  }
}
