import GtkKit
import Localization
import TrunkAccount
import TrunkKit
import TrunkModel

/// The garden: all sprouts with search, filter and sort order, and a page for each sprout.
final class GardenView {
  var widget: Widget { pages.widget }

  /// Called when the list is shown again after the page of a sprout.
  var onReturn: (() -> Void)?

  private let context: WindowContext
  private var index = SproutIndex()
  private let store = ListStore<GardenItem>()
  private let list: Widget
  private let listPage: Widget
  private let rows: Widget
  private let bar = bin()
  private let empty = bin()
  private let emptyPage: Widget
  private let pages: ListDetail
  private var filter: GardenFilter?
  private var emptiness: Emptiness?
  /// The garden has changed while the list was hidden.
  private var isStale = true

  /// Why the list is empty.
  private enum Emptiness: Equatable {
    case garden
    case search(String)
    case filter(SproutFilter)
  }

  init(_ context: WindowContext) {
    self.context = context
    let window = context.window
    list = listView(store, name: tr("Sprouts"), row: { GardenRow() }) { item in
      window.activate("win.sprout", target: item.id)
    }
    rows = scrolledList(list.margin(start: 18, end: 18))
    emptyPage = scrolled(empty)
    listPage = column(clamp(bar.margin(top: 10, bottom: 14, start: 18, end: 18), width: 736), rows, emptyPage)
    pages = ListDetail(list: listPage)
    let filter = GardenFilter { [weak self] in self?.find(scrollsUp: true) }
    self.filter = filter
    bar.setChild(filter.widget)
    pages.onReturn = { [weak self] in self?.onReturn?() }
    listPage.on("map") { [weak self] in self?.renderIfStale() }
    widget.keeps(self)
    context.follow(widget) { [weak self] in self?.render() }
  }

  /// Shows the page of a sprout; `back` returns to the list.
  /// - Returns: `false` if the sprout is not in the garden, which a toast then says.
  @discardableResult
  func open(_ sproutID: String) -> Bool {
    guard context.model.garden.sprout(id: sproutID) != nil else {
      context.toaster.show(IntentError.unknownSprout.message)
      return false
    }
    let page = SproutPage(context, sproutID: sproutID) { [weak self] in self?.back() }
    pages.open(page.widget)
    page.focus()
    return true
  }

  /// Leaves the page of a sprout, if one is open.
  func back() {
    guard !pages.isListShown else { return }
    pages.back()
    list.focus()
  }

  /// Shows the list with the focus in the search field.
  func focusSearch() {
    back()
    filter?.focusSearch()
  }
}

extension GardenView {
  private func render() {
    isStale = true
    guard listPage.isMapped else { return }
    guard store.count == 0 else { return renderIfStale() }
    // The first rows of a garden get a frame of their own, after the widgets above them.
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
    store.update(to: found.entries.map { GardenItem($0, at: now) })
    if scrollsUp, store.count > 0 { list.scrollToItem(0) }
    if garden.sprouts.isEmpty {
      show(.garden)
    } else if !found.entries.isEmpty {
      show(nil)
    } else {
      show(found.counts.isEmpty && !filter.query.isEmpty ? .search(filter.query) : .filter(filter.filter))
    }
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
    let plant = { button(tr("Plant a sprout"), "plant", command: "win.plant") }
    let showAll = {
      button(tr("Show all sprouts")) { [weak self] in
        self?.filter?.select(.all)
        self?.find(scrollsUp: true)
      }
    }
    switch emptiness {
    case .garden:
      return EmptyGarden(
        context, title: tr("Nothing planted yet"),
        hint: tr("What you plant grows here, season after season. Begin with one thing that matters to you.")
      ).widget
    case .search(let query):
      return emptyState(
        icon: "system-search-symbolic", title: tr("Nothing found"),
        hint: tr(
          "No sprout, leaf or twig has “{words}” in its name. Try fewer or other words.",
          ["words": clamped(query, to: 60)]),
        button: button(tr("Clear the search")) { [weak self] in
          self?.filter?.clearSearch()
          self?.filter?.focusSearch()
        })
    case .filter(.growing), .filter(.all):
      return emptyState(
        icon: "trunk-sprout-symbolic", title: tr("Nothing is growing"),
        hint: tr("The ground is free for something new."), button: plant())
    case .filter(.ready):
      return emptyState(
        icon: "trunk-harvest-symbolic", title: tr("Nothing is ready yet"), hint: nextHarvest, button: showAll())
    case .filter(.cultivated):
      return emptyState(
        icon: "trunk-harvest-symbolic", title: tr("No harvest yet"),
        hint: tr("A sprout moves here when you harvest it at the end of its season."), button: showAll())
    case .filter(.uprooted):
      return emptyState(
        icon: "trunk-uproot-symbolic", title: tr("Nothing was uprooted"),
        hint: tr("Sprouts that you uproot stay here, with everything you wrote about them."),
        button: showAll())
    }
  }

  private var nextHarvest: String {
    let (garden, now) = (context.model.garden, context.model.now)
    guard let next = garden.upcoming(at: now).first else {
      return tr("Plant a sprout, and its harvest comes with the end of its season.")
    }
    return tr(
      "The next one is “{title}”, from {date}.",
      ["title": clamped(next.title, to: 60), "date": Formats.date(next.harvestDue, in: garden.zone)])
  }
}
