import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// The filters of the journal that are set, each with a button that removes it.
final class FilterChips {
  let widget = wrapping(spacing: 8)

  private let onRemove: @MainActor (TimelineFilter) -> Void

  /// - Parameter onRemove: called with the remaining filter.
  init(onRemove: @escaping @MainActor (TimelineFilter) -> Void) {
    self.onRemove = onRemove
    widget.css("chips").visible(false)
    widget.keeps(self)
  }

  func show(_ filter: TimelineFilter, in garden: Garden) {
    widget.removeAll()
    let chips = filter.conditions(in: garden)
    for (text, rest) in chips {
      let text = clamped(text, to: 40)
      let chip = button(text + "  ✕", "filter-chip") { [weak self] in self?.onRemove(rest) }
      widget.append(chip.accessibleName(tr("Remove the filter “{filter}”", ["filter": text])))
    }
    widget.visible(!chips.isEmpty)
  }
}
