import GtkKit
import Localization
import TrunkKit
import TrunkModel

/// All sprouts with search, filter and sort order.
final class SproutList {
  let widget: Widget

  private let context: WindowContext
  private var index = SproutIndex()
  private let store = ListStore<SectionLine<GardenItem>>()
  private let list: Widget
  private let listFocus: ListFocus
  /// Marks the sprout whose page is open.
  private let open = RowMark<SectionLine<GardenItem>>("open")
  /// Lets the row of a new sprout appear.
  private let emergence = RowMark<SectionLine<GardenItem>>("sprouted", isSelection: false)
  private var emergenceEnd: Timeout?
  private var planted: String?
  private let rows: Widget
  private let bar = bin()
  private let empty = bin()
  private let emptyPage: Widget
  private var filter: GardenFilter?
  private var emptiness: Emptiness?
  /// The garden has changed while the list was hidden.
  private var isStale = true

  /// Why the list is empty.
  private enum Emptiness: Equatable {
    case garden
    case search(String)
    /// The search finds only sprouts that the filter leaves out.
    /// - Parameter counts: their number in each filter.
    case otherFilters(String, counts: [SproutFilter: Int])
    case filter(SproutFilter)
  }

  init(_ context: WindowContext) {
    self.context = context
    let window = context.window
    list = listView(
      store, name: tr("Sprouts"), row: { SectionRow(GardenRow()) },
      activate: { line in
        if case .item(let item, _, _) = line { window.activate("win.sprout", target: item.id) }
      },
      canActivate: { line in if case .item = line { true } else { false } }, marks: [open, emergence])
    listFocus = ListFocus(of: list, in: window)
    rows = tabStop(list, in: scrolledList(list.margin(start: 18, end: 18)).vexpand())
    emptyPage = scrolled(clamp(empty))
    widget = column(clamp(bar.margin(bottom: 8, start: 18, end: 18)), rows, emptyPage)
    let filter = GardenFilter { [weak self] in self?.find(scrollsUp: true) }
    self.filter = filter
    bar.setChild(filter.widget)
    rows.tendsSprout(in: context.model) { [weak self] in self?.openID }
    widget.on("map") { [weak self] in self?.renderIfStale() }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  /// Whether the window is narrow.
  var isNarrow = false {
    didSet {
      guard isNarrow != oldValue else { return }
      filter?.isNarrow = isNarrow
      render()
    }
  }

  /// The id of the sprout whose page is open beside the list.
  var openID: String? {
    didSet { open.mark { [openID] line in openID.map { line.item?.id.hasSameBytes(as: $0) == true } ?? false } }
  }

  /// The sprout that is `step` rows below another one; `nil` if there is none, or if the other one isn't in the list.
  func id(beside sproutID: String, _ step: Int) -> String? {
    renderIfStale()
    let ids = store.items.compactMap { $0.item?.id }
    guard let position = ids.firstIndex(where: { $0.hasSameBytes(as: sproutID) }) else { return nil }
    return ids.indices.contains(position + step) ? ids[position + step] : nil
  }

  /// Lets a sprout be in the list: if the filter or the search leaves it out, shows all that are like it.
  func reveal(_ sproutID: String) {
    renderIfStale()
    let isListed = store.items.contains { $0.item?.id.hasSameBytes(as: sproutID) == true }
    guard !isListed, let sprout = context.model.garden.sprout(id: sproutID) else { return }
    filter?.clearSearch()
    select(sprout.isActive ? .growing : sprout.harvest == nil ? .uprooted : .cultivated)
    let position = store.items.firstIndex { $0.item?.id.hasSameBytes(as: sproutID) == true }
    if let position { list.scrollToItem(position) }
  }

  /// The first sprout in the list.
  var first: String? {
    renderIfStale()
    return firstShown
  }
  private var firstShown: String?

  /// Called when another sprout is the first one in the list.
  var onFirst: (() -> Void)?

  func showTop() {
    if store.count > 0 { list.scrollToItem(0) }
  }

  /// Focuses the list, or what is shown if it is empty.
  func focus() {
    if emptiness == nil { listFocus.move() } else { emptyPage.focusFirst() }
  }
}

extension SproutList {
  private func render() {
    isStale = true
    guard widget.isMapped else { return }
    guard store.count == 0 else { return renderIfStale() }
    // Draw the first rows of a garden in a separate frame, after the widgets above them.
    widget.onFrame { [weak self] in
      self?.renderIfStale()
      return false
    }
    widget.redraw()
  }

  private func renderIfStale() {
    guard isStale else { return }
    isStale = false
    index.update(to: context.model.garden)
    find(scrollsUp: false)
  }

  private func find(scrollsUp: Bool) {
    guard let filter else { return }
    let (garden, now) = (context.model.garden, context.model.now)
    let found = index.find(filter.query, filter.filter, by: filter.order, at: now)
    filter.show(counts: found.counts)
    letNewSproutAppear(in: garden, at: now)
    store.update(to: lines(of: found.entries, in: garden, at: now))
    let before = firstShown
    firstShown = found.entries.first?.sprout.id
    if firstShown != before { onFirst?() }
    if scrollsUp, store.count > 0 { list.scrollToItem(0) }
    if garden.sprouts.isEmpty {
      show(.garden)
    } else if !found.entries.isEmpty {
      show(nil)
    } else if filter.query.isEmpty {
      show(.filter(filter.filter))
    } else {
      show(found.counts.isEmpty ? .search(filter.query) : .otherFilters(filter.query, counts: found.counts))
    }
    listFocus.settle(on: emptiness == nil ? nil : emptyPage)
  }

  private func letNewSproutAppear(in garden: Garden, at now: Instant) {
    let new = garden.growing.first { $0.isJustPlanted(at: now) }?.id
    guard let new, new != planted, store.count > 0, widget.mayMove else { return }
    planted = new
    emergence.mark { $0.item?.id.hasSameBytes(as: new) == true }
    emergenceEnd = Timeout.after(milliseconds: 500) { [emergence] in emergence.mark { _ in false } }
  }

  private func lines(of entries: [SproutIndex.Entry], in garden: Garden, at now: Instant) -> [SectionLine<GardenItem>] {
    guard filter?.isGroupedByYear == true else {
      return SectionLine.lines([(nil, entries.map { GardenItem($0, in: garden, at: now, isNarrow: isNarrow) })])
    }
    var years: [(year: Int32, items: [GardenItem])] = []
    for entry in entries {
      let year = entry.sprout.harvest.map { $0.at.day.year } ?? 0
      if years.last?.year != year { years.append((year, [])) }
      years[years.count - 1].items.append(GardenItem(entry, in: garden, at: now, isNarrow: isNarrow))
    }
    return SectionLine.lines(
      years.map { year, items in
        (SectionHeading(title: "\(year)", note: trn("{n} harvest", "{n} harvests", items.count)), items)
      })
  }

  private func show(_ emptiness: Emptiness?) {
    bar.visible(emptiness != .garden)
    rows.visible(emptiness == nil)
    emptyPage.visible(emptiness != nil)
    guard emptiness != self.emptiness else { return }
    self.emptiness = emptiness
    empty.setChild(emptiness.map { state(for: $0) })
  }

  private func state(for emptiness: Emptiness) -> Widget {
    switch emptiness {
    case .garden:
      let page = emptyState(
        icon: "trunk-sprout-symbolic", title: tr("Nothing planted yet"),
        hint: tr("What you plant grows here, season after season. Begin with one thing that matters to you."),
        button: button(tr("Plant Your First Sprout"), "plant", command: "win.plant"))
      return AwaitedGarden(context, otherwise: page).widget
    case .search(let query):
      return emptyState(
        icon: "system-search-symbolic", title: tr("Nothing found"),
        hint: tr(
          "No sprout, leaf or twig has “{words}” in its name. Try fewer or different words.",
          ["words": clamped(query, to: 60)]),
        button: button(tr("Clear the Search")) { [weak self] in
          self?.filter?.clearSearch()
          self?.filter?.focusSearch()
        })
    case .otherFilters(let query, let counts): return state(for: query, counts)
    case .filter(let filter): return state(for: filter)
    }
  }

  /// Offers the filters that have matches.
  private func state(for query: String, _ counts: [SproutFilter: Int]) -> Widget {
    let page = emptyState(
      icon: "system-search-symbolic", title: tr("Nothing found here"),
      hint: tr("Other sprouts match “{words}”, but not with this filter.", ["words": clamped(query, to: 60)]))
    for filter in [SproutFilter.growing, .cultivated, .uprooted] {
      guard let count = counts[filter] else { continue }
      page.append(resultOffer(resultCount(count, in: filter.name)) { [weak self] in self?.select(filter) })
    }
    return page
  }

  private func state(for filter: SproutFilter) -> Widget {
    switch filter {
    case .growing, .ready, .all:
      emptyState(
        icon: "trunk-sprout-symbolic", title: tr("Nothing is growing"),
        hint: tr("The ground is free for something new."),
        button: button(tr("Plant a Sprout"), "plant", command: "win.plant"))
    case .cultivated:
      emptyState(
        icon: "trunk-harvest-symbolic", title: tr("No harvest yet"),
        hint: tr("A sprout moves here when you harvest it at the end of its season."), button: showAllButton)
    case .uprooted:
      emptyState(
        icon: "trunk-uproot-symbolic", title: tr("Nothing was uprooted"),
        hint: tr("Sprouts that you uproot stay here, with everything you wrote about them."), button: showAllButton)
    }
  }

  private var showAllButton: Widget {
    button(tr("Show All Sprouts")) { [weak self] in self?.select(.all) }
  }

  private func select(_ filter: SproutFilter) {
    self.filter?.select(filter)
    find(scrollsUp: true)
  }
}
