import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The filters of the journal that are set, each with a button that removes it.
final class FilterChips {
  let widget = wrapping(spacing: 8)

  private let onRemove: @MainActor (TimelineFilter) -> Void

  /// - Parameter onRemove: called with the filter that is left.
  init(onRemove: @escaping @MainActor (TimelineFilter) -> Void) {
    self.onRemove = onRemove
    widget.css("chips").visible(false)
    widget.keeps(self)
  }

  func show(_ filter: TimelineFilter, in garden: Garden) {
    widget.removeAll()
    let chips = FilterChips.chips(of: filter, in: garden)
    for (words, rest) in chips {
      let chip = button(words + "  ✕", "filter-chip") { [weak self] in self?.onRemove(rest) }
      widget.append(chip.named(tr("Remove the filter “{filter}”", ["filter": words])))
    }
    widget.visible(!chips.isEmpty)
  }

  /// Each filter in words, with the filter that is left without it. Kinds have buttons of their own.
  private static func chips(of filter: TimelineFilter, in garden: Garden) -> [(words: String, rest: TimelineFilter)] {
    func without(_ change: (inout TimelineFilter) -> Void) -> TimelineFilter {
      var rest = filter
      change(&rest)
      return rest
    }
    let leaf = filter.leaves?.first.flatMap { garden.leaf(id: $0) }?.name
    let chips: [(String?, TimelineFilter)] = [
      (filter.twigs.map { place($0, of: filter, in: garden) }, without { $0.twigs = nil }),
      (leaf.map { clamped($0, to: 40) }, without { $0.leaves = nil }),
      (
        filter.results.map { tr("{result} or better", ["result": Formats.result($0.lowerBound)]) },
        without { $0.results = nil }
      ),
      (filter.first.map { tr("from {date}", ["date": Formats.day($0)]) }, without { $0.first = nil }),
      (filter.last.map { tr("to {date}", ["date": Formats.day($0)]) }, without { $0.last = nil }),
      (filter.showsMilestones ? nil : tr("only entries"), without { $0.showsMilestones = true }),
    ]
    return chips.compactMap { words, rest in words.map { ($0, rest) } }
  }

  private static func place(_ twigs: Set<Node>, of filter: TimelineFilter, in garden: Garden) -> String {
    if let branch = filter.branch { return garden.label(of: .branch(branch)) }
    return twigs.first.map { garden.path(ofTwig: $0.id) } ?? ""
  }
}
