import GtkKit
import Localization
import TrunkKit

/// The bar above the list of sprouts: search, filters with counts, and sort order.
final class GardenFilter {
  let widget: Widget

  private(set) var filter = SproutFilter.growing
  private(set) var order = SproutOrder.harvest
  /// Whether the list shows all harvests, latest first. It is then grouped by year.
  var isGroupedByYear: Bool { filter == .cultivated && order == .harvest }
  /// The search text.
  var query: String { search.text.trimmed.description }

  /// Whether the window is narrow: then search and sort order are shown on request, so that the list gets the space.
  var isNarrow = false {
    didSet { if isNarrow != oldValue { showTools() } }
  }

  private let search: Widget
  private let tools: Widget
  private lazy var opener = iconButton("system-search-symbolic", name: tr("Search and Sort")) { [weak self] in
    self?.toggleTools()
  }
  private var isOpen = false
  private var chips: Choice?
  private var counts: [SproutFilter: Int] = [:]

  /// Their numbers add up. What is ready comes first among what grows.
  private static let filters: [SproutFilter] = [.all, .growing, .cultivated, .uprooted]

  /// - Parameter onChange: called when search, filter or order change.
  init(onChange: @escaping @MainActor () -> Void) {
    // The whole name doesn't fit beside the sort order in every language.
    search = searchEntry(name: tr("Search sprouts and leaves"), placeholder: tr("Search"), onChange: onChange)
    tools = line(spacing: 8, search.hexpand())
    widget = column(spacing: 8)
    let chips = Choice(
      .chips, name: tr("Show"), GardenFilter.filters.map { $0.title(count: 0) },
      selected: GardenFilter.filters.firstIndex(of: filter) ?? 0
    ) { [weak self] in
      self?.filter = GardenFilter.filters[$0]
      onChange()
    }
    self.chips = chips
    let sort = dropDown(
      name: tr("Sort"), SproutOrder.allCases.map(\.title), selected: order.rawValue
    ) { [weak self] in
      self?.order = SproutOrder.allCases[$0]
      onChange()
    }
    tools.append(sort.css("quiet"))
    widget.append(tools, line(spacing: 6, scrolledSideways(chips.widget).hexpand(), opener.css("faint")))
    widget.keeps(self)
    showTools()
  }

  func show(counts: [SproutFilter: Int]) {
    guard counts != self.counts else { return }
    self.counts = counts
    for (position, filter) in GardenFilter.filters.enumerated() {
      chips?.setTitle(filter.title(count: counts[filter, default: 0]), at: position)
    }
  }

  /// Selects a filter without calling `onChange`.
  func select(_ filter: SproutFilter) {
    self.filter = filter
    chips?.selected = GardenFilter.filters.firstIndex(of: filter)
  }

  private func showTools() {
    tools.visible(!isNarrow || isOpen || !query.isEmpty)
    opener.visible(isNarrow)
  }

  private func toggleTools() {
    isOpen.toggle()
    showTools()
    if isOpen { search.focus() }
  }

  func clearSearch() {
    search.text = ""
  }

  func focusSearch() {
    search.focus()
  }
}

extension SproutFilter {
  /// Its name in a sentence, as in `6 in Harvested`.
  var name: String {
    switch self {
    case .all: trc("sprouts", "All")
    case .growing, .ready: trc("sprouts", "Growing")
    case .cultivated: trc("sprouts", "Harvested")
    case .uprooted: trc("sprouts", "Uprooted")
    }
  }

  fileprivate func title(count: Int) -> String {
    let count = ["n": localized(count)]
    return switch self {
    case .all: trc("sprouts", "All {n}", count)
    case .growing, .ready: trc("sprouts", "Growing {n}", count)
    case .cultivated: trc("sprouts", "Harvested {n}", count)
    case .uprooted: trc("sprouts", "Uprooted {n}", count)
    }
  }
}

extension SproutOrder {
  fileprivate var title: String {
    switch self {
    case .harvest: trc("sort", "Harvest date")
    case .planted: trc("sort", "Planting date")
    case .title: trc("sort", "Title")
    case .branch: trc("sort", "Branch")
    }
  }
}
